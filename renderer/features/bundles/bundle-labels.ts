// Labels for the review of a bundle: its signature, its compatibility, its concerns, and what an update changes.

import { dayWithYear } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import type { SignatureSummary } from '#app/server/bundle/bundle-signature.ts'
import type { BundleChange, BundleFacts, BundleUpdate } from '#app/server/bundle/bundle-summary.ts'
import type { Concern } from '#app/server/bundle/command-warnings.ts'
import type { FitCheck } from '#app/server/bundle/compatibility.ts'

interface BundleLabel {
  readonly title: string
  readonly more: string
}

export function signatureLabel(signature: SignatureSummary): BundleLabel & { readonly tone: 'plain' | 'warn' | 'bad' } {
  switch (signature.kind) {
    case 'none':
      return {
        tone: 'plain',
        title: t`Not signed.`,
        more: t`Nobody says who made it, nor that it is as they made it. Most bundles are not.`,
      }
    case 'trusted':
      return {
        tone: 'plain',
        title: t`Signed by ${signature.signer.name}.`,
        more: t`${signature.signer.issuer} vouches for that name, and nothing was changed since. It does not say that what it does is harmless.`,
      }
    case 'self-signed':
      return {
        tone: 'plain',
        title: t`Signed by somebody who calls themselves ${signature.signer.name}.`,
        more: t`Nothing was changed since, but nobody vouches for the name. A later version by the same key can be told from others.`,
      }
    case 'untrusted':
      return { tone: 'warn', title: t`Signed by ${signature.signer.name}, whom this computer does not trust.`, more: untrusted(signature) }
    case 'changed':
      return {
        tone: 'bad',
        title: t`Changed after it was signed.`,
        more: t`The signature is of other bytes than these. Get it again from whoever made it; do not install this one.`,
      }
    case 'unreadable':
      return { tone: 'bad', title: t`Its signature cannot be read.`, more: t`It proves nothing: take it for one that was tampered with.` }
    default:
      return assertNever(signature)
  }
}

function untrusted({ why, signer }: Extract<SignatureSummary, { kind: 'untrusted' }>): string {
  switch (why) {
    case 'unknown-authority':
      return t`${signer.issuer} vouches for the name, and this computer does not know ${signer.issuer}. Nothing was changed since.`
    case 'expired':
      return t`The certificate ended on ${dayWithYear(signer.validTo)}. Nothing was changed since it was signed, but when that was nobody can say.`
    case 'not-yet-valid':
      return t`The certificate begins on ${dayWithYear(signer.validFrom)} only. Is the clock of this computer right?`
    case 'not-for-code':
      return t`The certificate was not given for signing programs. Nothing was changed since.`
    default:
      return assertNever(why)
  }
}

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

export function concernLabel(concern: Concern): BundleLabel {
  switch (concern.kind) {
    case 'other-program':
      return {
        title: t`It runs ${concern.command}, which is not in the bundle.`,
        more: t`A program of this computer does what the bundle tells it.`,
      }
    case 'shell':
      return {
        title: t`It runs a shell: ${concern.command}.`,
        more: t`Its arguments are a script, and what you enter below becomes part of it.`,
      }
    case 'fetches-code':
      return {
        title: t`It fetches code with ${concern.command}.`,
        more: t`What runs then is not in the bundle, so nobody has signed or seen it, and it may change each time.`,
      }
    case 'code-in-arguments':
      return { title: t`Code stands in its arguments: ${concern.argument}.`, more: t`Read the command below before you go on.` }
    case 'path-outside':
      return { title: t`An argument leads out of the bundle: ${concern.argument}.`, more: t`It reaches for a file that it did not bring.` }
    case 'variable':
      return { title: t`It sets ${concern.name} to ${concern.value}.`, more: t`That is worth a look: ${variableWhy[concern.why]}.` }
    case 'entry-missing':
      return { title: t`${concern.entry} is not in the bundle.`, more: t`It says that this is where it begins, so it will hardly start.` }
    case 'unknown-variable':
      return { title: t`${concern.text} stands for nothing here.`, more: t`The server gets it as it is written.` }
    case 'newer-manifest':
      return {
        title: t`Its manifest is of version ${concern.version}.`,
        more: t`Assent knows 0.1 to 0.4 and reads it as the latest of these.`,
      }
    case 'words-refused':
      return { title: t`Its words in your language cannot be read: ${concern.file}.`, more: t`Those of its manifest are shown.` }
    case 'icon-refused':
      return { title: t`Its icon is not shown: ${concern.file}.`, more: t`It is no PNG of at most 1,024 by 1,024 pixels and 256 KB.` }
    case 'hidden-characters':
      return {
        title: t`Its ${concern.field.replace('_', ' ')} holds characters that cannot be seen.`,
        more: t`They are named where they stand.`,
      }
    case 'look-alike':
      return {
        title: t`“${concern.name}” looks like “${concern.like}”, a server that you have.`,
        more: t`It is another one. Give it a name that you will not mistake.`,
      }
    default:
      return assertNever(concern)
  }
}

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

export function bundleUpdateLabel({ server, version, order }: BundleUpdate, next: string): string {
  switch (order) {
    case 'newer':
      return t`Update “${server}” from ${version} to ${next}`
    case 'older':
      return t`Put the older ${next} in the place of ${version} of “${server}”`
    case 'same':
      return t`Install ${next} of “${server}” anew`
    case 'unknown':
      return t`Put ${next} in the place of ${version} of “${server}”`
    default:
      return assertNever(order)
  }
}
