// Labels for the review of a bundle: its signature, its compatibility, its concerns, and what an update changes.

import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import type { SignatureSummary } from '#app/server/bundle/bundle-signature.ts'
import type { BundleChange, BundleFacts, BundleUpdate } from '#app/server/bundle/bundle-summary.ts'
import type { Concern } from '#app/server/bundle/command-warnings.ts'
import type { FitCheck } from '#app/server/bundle/compatibility.ts'

/** Labels of each kind of a thing. */
type Labels<T extends { readonly kind: string }, L> = { readonly [K in T['kind']]: (value: Extract<T, { kind: K }>) => L }
// The kind of a thing names the row that takes it, which TypeScript cannot follow through the lookup.
const labelOf = <T extends { readonly kind: string }, L>(labels: Labels<T, L>, value: T): L =>
  (labels[value.kind as T['kind']] as (value: T) => L)(value)

type SignatureLabel = readonly [tone: 'plain' | 'warn' | 'bad', title: string, more: string]
const signatures: Labels<SignatureSummary, SignatureLabel> = {
  none: () => ['plain', t`Not signed.`, ''],
  trusted: ({ signer: { name, issuer } }) => ['plain', t`Signed by ${name}.`, t`${issuer} verifies the name, not what the bundle does.`],
  'self-signed': ({ signer: { name } }) => ['plain', t`Signed by ${name}, not trusted by this computer.`, ''],
  untrusted: ({ signer: { name } }) => ['warn', t`Signed by ${name}, not trusted by this computer.`, ''],
  changed: () => ['bad', t`Changed after it was signed.`, t`Do not install this bundle.`],
  unreadable: () => ['bad', t`Its signature cannot be read.`, t`Do not install this bundle.`],
}

export const signatureLabel = (signature: SignatureSummary): SignatureLabel => labelOf(signatures, signature)

const systems: Readonly<Record<string, string>> = { darwin: 'macOS', win32: 'Windows', linux: 'Linux' }
const systemNames = (list = ''): string => list.replaceAll(/darwin|win32|linux/g, (system) => systems[system] ?? system)
const programs = { node: 'Node.js', python: 'Python', uv: 'uv' } as const
const sites = { node: 'nodejs.org', python: 'python.org', uv: 'docs.astral.sh/uv' } as const

export function fitLabel({ what, name = '', fits, wants = '', has }: FitCheck): string {
  switch (what) {
    case 'system':
      return t`Made for ${systemNames(wants || has)}.`
    case 'node':
    case 'python':
    case 'uv': {
      const wanted = `${programs[what]} ${wants}`.trim()
      if (has !== undefined) return t`Needs ${wanted}; here is ${has}.`
      return fits === 'no' ? t`Needs ${wanted}. Install it from ${sites[what]}.` : t`Needs ${wanted}.`
    }
    case 'assent':
      return t`Needs ${['Assent', wants].join(' ')}; here is ${has ?? ''}.`
    case 'runtime':
    case 'client':
      return t`Needs ${`${name} ${wants}`}.`
    default:
      return assertNever(what)
  }
}

const concerns: Labels<Concern, string> = {
  'other-program': ({ command }) => t`${command} is not in the bundle.`,
  shell: ({ command }) => t`Runs a shell: ${command}.`,
  'fetches-code': ({ command }) => t`Fetches unsigned code with ${command}.`,
  'code-in-arguments': ({ argument }) => t`Has code in an argument: ${argument}.`,
  'path-outside': ({ argument }) => t`An argument leads out of the bundle: ${argument}.`,
  variable: ({ name, value }) => t`Sets ${name} to ${value}, which changes what runs or connects.`,
  'entry-missing': ({ entry }) => t`${entry} is not in the bundle.`,
  'unknown-variable': ({ text }) => t`${text} is an unknown reference.`,
  'newer-manifest': ({ version }) => t`Its manifest has version ${version}; Assent knows 0.1 to 0.4.`,
  'words-refused': ({ file }) => t`“${file}” cannot be read.`,
  'icon-refused': ({ file }) => t`“${file}” cannot be read.`,
  'hidden-characters': ({ field }) => t`Its ${field.replace('_', ' ')} has hidden characters.`,
  'look-alike': ({ like }) => t`The name looks like “${like}”.`,
}

export const concernLabel = (concern: Concern) => labelOf(concerns, concern)

export const bundleTypeLabels: Readonly<Record<BundleFacts['type'], string>> = {
  node: t`Node.js program`,
  python: t`Python program`,
  binary: t`Program`,
  uv: t`Python program`,
}

export const linkLabels: Readonly<Record<BundleFacts['links'][number]['what'], string>> = {
  homepage: t`Website`,
  documentation: t`Documentation`,
  support: t`Support`,
  repository: t`Source`,
  privacy: t`Privacy policy`,
}

const changed: Readonly<Record<BundleChange['what'], string>> = {
  command: t`Program`,
  argument: t`Arguments`,
  variable: t`Variable`,
  tool: t`Tool`,
  prompt: t`Prompt`,
  setting: t`Setting`,
  author: t`Author`,
  type: t`Kind`,
  description: t`Description`,
}
export function changeTitle({ what, name, before, after }: BundleChange): string {
  const subject = name === undefined ? changed[what] : `${changed[what]} ${name}`
  return `${subject}: ${before === undefined ? t`new` : after === undefined ? t`gone` : t`changed`}`
}

export const bundleUpdateLabel = ({ server, version, order }: BundleUpdate, next: string): string =>
  order === 'same' ? t`Install ${next} of “${server}” again` : t`Replace ${version} of “${server}” by ${next}`
