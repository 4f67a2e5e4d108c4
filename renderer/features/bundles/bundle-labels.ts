// Labels for the review of a bundle: its signature, its compatibility, its concerns, and what an update changes.

import { dayWithYear } from '#app/i18n/format-values.ts'
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
  none: () => ['plain', t`Not signed.`, t`Nobody says who made it, nor that it is as they made it. Most bundles are not.`],
  trusted: ({ signer: { name, issuer } }) => [
    'plain',
    t`Signed by ${name}.`,
    t`${issuer} vouches for that name, and nothing was changed since. It does not say that what it does is harmless.`,
  ],
  'self-signed': ({ signer: { name } }) => [
    'plain',
    t`Signed by somebody who calls themselves ${name}.`,
    t`Nothing was changed since, but nobody vouches for the name. A later version by the same key can be told from others.`,
  ],
  untrusted: ({ why, signer }) => ['warn', t`Signed by ${signer.name}, whom this computer does not trust.`, untrusted[why](signer)],
  changed: () => [
    'bad',
    t`Changed after it was signed.`,
    t`The signature is of other bytes than these. Get it again from whoever made it; do not install this one.`,
  ],
  unreadable: () => ['bad', t`Its signature cannot be read.`, t`It proves nothing: take it for one that was tampered with.`],
}

type Untrusted = Extract<SignatureSummary, { kind: 'untrusted' }>
const untrusted: Readonly<Record<Untrusted['why'], (signer: Untrusted['signer']) => string>> = {
  'unknown-authority': ({ issuer }) =>
    t`${issuer} vouches for the name, and this computer does not know ${issuer}. Nothing was changed since.`,
  expired: ({ validTo }) =>
    t`The certificate ended on ${dayWithYear(validTo)}. Nothing was changed since it was signed, but when that was nobody can say.`,
  'not-yet-valid': ({ validFrom }) => t`The certificate begins on ${dayWithYear(validFrom)} only. Is the clock of this computer right?`,
  'not-for-code': () => t`The certificate was not given for signing programs. Nothing was changed since.`,
}

export const signatureLabel = (signature: SignatureSummary): SignatureLabel => labelOf(signatures, signature)

const systems: Readonly<Record<string, string>> = { darwin: 'macOS', win32: t`Windows`, linux: t`Linux` }
const systemNames = (list = ''): string => list.replaceAll(/darwin|win32|linux/g, (system) => systems[system] ?? system)
const programs = { node: t`Node.js`, python: t`Python`, uv: 'uv' } as const
const remedies = {
  node: t`Install it from nodejs.org; Assent’s own cannot run other programs.`,
  python: t`Install it from python.org.`,
  uv: t`Install it from docs.astral.sh/uv.`,
} as const

export function fitLabel({ what, name = '', fits, wants, has }: FitCheck): string {
  switch (what) {
    case 'system':
      return fits === 'yes' ? t`Made for ${systemNames(has)}.` : t`Made for ${systemNames(wants)}; this computer runs ${systemNames(has)}.`
    case 'node':
    case 'python':
    case 'uv': {
      const program = programs[what]
      const [here, wanted] = [has ? `${program} ${has}` : program, wants ? `${program} ${wants}` : program]
      if (fits === 'yes') return wants ? t`Runs with ${here}, which is here (it asks for ${wants}).` : t`Runs with ${here}, which is here.`
      if (fits === 'no' && has === undefined) return t`Needs ${wanted}, which is not on this computer. ${remedies[what]}`
      if (fits === 'no') return t`Needs ${program} ${wants}; here is ${has}. ${remedies[what]}`
      return t`Asks for ${program} ${wants}; whether ${has ?? t`the one here`} is within that cannot be told.`
    }
    case 'runtime':
      return t`Asks for ${name} ${wants}. Assent cannot tell whether that is here.`
    case 'assent':
      return fits === 'yes' ? t`Made for this version of Assent (${wants}).` : t`Asks for Assent ${wants}; this is ${has}.`
    case 'client':
      return t`Names ${name} ${wants}; that says nothing of Assent.`
    default:
      return assertNever(what)
  }
}

const variableWhy = {
  'loads-code': t`it decides what other code its program loads`,
  'search-path': t`it decides where its program looks for others`,
  network: t`it decides how its program reaches the network`,
} as const

const concerns: Labels<Concern, readonly [title: string, more: string]> = {
  'other-program': ({ command }) => [
    t`It runs ${command}, which is not in the bundle.`,
    t`A program of this computer does what the bundle tells it.`,
  ],
  shell: ({ command }) => [t`It runs a shell: ${command}.`, t`Its arguments are a script, and what you enter below becomes part of it.`],
  'fetches-code': ({ command }) => [
    t`It fetches code with ${command}.`,
    t`What runs then is not in the bundle, so nobody has signed or seen it, and it may change each time.`,
  ],
  'code-in-arguments': ({ argument }) => [t`Code stands in its arguments: ${argument}.`, t`Read the command below before you go on.`],
  'path-outside': ({ argument }) => [t`An argument leads out of the bundle: ${argument}.`, t`It reaches for a file that it did not bring.`],
  variable: ({ name, value, why }) => [t`It sets ${name} to ${value}.`, t`That is worth a look: ${variableWhy[why]}.`],
  'entry-missing': ({ entry }) => [t`${entry} is not in the bundle.`, t`It says that this is where it begins, so it will hardly start.`],
  'unknown-variable': ({ text }) => [t`${text} stands for nothing here.`, t`The server gets it as it is written.`],
  'newer-manifest': ({ version }) => [
    t`Its manifest is of version ${version}.`,
    t`Assent knows 0.1 to 0.4 and reads it as the latest of these.`,
  ],
  'words-refused': ({ file }) => [t`Its words in your language cannot be read: ${file}.`, t`Those of its manifest are shown.`],
  'icon-refused': ({ file }) => [t`Its icon is not shown: ${file}.`, t`It is no PNG of at most 1,024 by 1,024 pixels and 256 KB.`],
  'hidden-characters': ({ field }) => [
    t`Its ${field.replace('_', ' ')} holds characters that cannot be seen.`,
    t`They are named where they stand.`,
  ],
  'look-alike': ({ name, like }) => [
    t`“${name}” looks like “${like}”, a server that you have.`,
    t`It is another one. Give it a name that you will not mistake.`,
  ],
}

export const concernLabel = (concern: Concern) => labelOf(concerns, concern)

export const bundleTypeLabels: Readonly<Record<BundleFacts['type'], string>> = {
  node: t`Node.js program`,
  python: t`Python program`,
  binary: t`program of its own`,
  uv: t`Python program, run by uv`,
}

export const linkLabels: Readonly<Record<BundleFacts['links'][number]['what'], string>> = {
  homepage: t`Home page`,
  documentation: t`Documentation`,
  support: t`Support`,
  repository: t`Source`,
  privacy: t`Privacy policy`,
}

const changed: Readonly<Record<BundleChange['what'], string>> = {
  command: t`The program`,
  argument: t`The arguments`,
  variable: t`Variable`,
  tool: t`Tool`,
  prompt: t`Prompt`,
  setting: t`Setting`,
  author: t`The author`,
  type: t`The kind`,
  description: t`The description`,
}
export function changeTitle({ what, name, before, after }: BundleChange): string {
  const subject = name === undefined ? changed[what] : `${changed[what]} ${name}`
  const verb = what === 'argument' ? 'are' : 'is'
  return `${subject} ${verb} ${before === undefined ? t`new` : after === undefined ? t`gone` : t`other than before`}`
}

const updates: Readonly<Record<BundleUpdate['order'], (server: string, version: string, next: string) => string>> = {
  newer: (server, version, next) => t`Update “${server}” from ${version} to ${next}`,
  older: (server, version, next) => t`Put the older ${next} in the place of ${version} of “${server}”`,
  same: (server, _, next) => t`Install ${next} of “${server}” anew`,
  unknown: (server, version, next) => t`Put ${next} in the place of ${version} of “${server}”`,
}
export const bundleUpdateLabel = ({ server, version, order }: BundleUpdate, next: string): string => updates[order](server, version, next)
