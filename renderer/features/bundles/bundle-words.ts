// What is found in a bundle, in words: what its signature says and does not say, whether it fits, what is worth reading.
import { assertNever } from '#app/json.ts'
import type { BundleChange } from '#app/server/bundle/compare.ts'
import type { Concern } from '#app/server/bundle/concerns.ts'
import type { FitCheck } from '#app/server/bundle/fit.ts'
import type { SignatureView } from '#app/server/bundle/signature.ts'
import type { BundleFacts, BundleUpdate } from '#app/server/bundle/view.ts'

export interface Words {
  readonly title: string
  readonly more: string
}

const day = (time: number): string => new Date(time).toISOString().slice(0, 10)

export function signatureWords(signature: SignatureView): Words & { readonly tone: 'plain' | 'warn' | 'bad' } {
  switch (signature.kind) {
    case 'none':
      return { tone: 'plain', title: 'Not signed.', more: 'Nobody says who made it, nor that it is as they made it. Most bundles are not.' }
    case 'trusted':
      return {
        tone: 'plain',
        title: `Signed by ${signature.signer.name}.`,
        more: `${signature.signer.issuer} vouches for that name, and nothing was changed since. It does not say that what it does is harmless.`,
      }
    case 'self-signed':
      return {
        tone: 'plain',
        title: `Signed by somebody who calls themselves ${signature.signer.name}.`,
        more: 'Nothing was changed since, but nobody vouches for the name. A later version by the same key can be told from others.',
      }
    case 'untrusted':
      return { tone: 'warn', title: `Signed by ${signature.signer.name}, whom this computer does not trust.`, more: untrusted(signature) }
    case 'changed':
      return {
        tone: 'bad',
        title: 'Changed after it was signed.',
        more: 'The signature is of other bytes than these. Get it again from whoever made it; do not install this one.',
      }
    case 'unreadable':
      return { tone: 'bad', title: 'Its signature cannot be read.', more: 'It proves nothing: take it for one that was tampered with.' }
    default:
      return assertNever(signature)
  }
}

function untrusted({ why, signer }: Extract<SignatureView, { kind: 'untrusted' }>): string {
  switch (why) {
    case 'unknown-authority':
      return `${signer.issuer} vouches for the name, and this computer does not know ${signer.issuer}. Nothing was changed since.`
    case 'expired':
      return `The certificate ended on ${day(signer.validTo)}. Nothing was changed since it was signed, but when that was nobody can say.`
    case 'not-yet-valid':
      return `The certificate begins on ${day(signer.validFrom)} only. Is the clock of this computer right?`
    case 'not-for-code':
      return 'The certificate was not given for signing programs. Nothing was changed since.'
    default:
      return assertNever(why)
  }
}

const systems: Readonly<Record<string, string>> = { darwin: 'macOS', win32: 'Windows', linux: 'Linux' }
const systemNames = (list: string): string =>
  list
    .split(', ')
    .map((one) => systems[one] ?? one)
    .join(', ')
const programs = { node: 'Node.js', python: 'Python', uv: 'uv' } as const
const remedies = {
  node: 'Install it from nodejs.org; Assent’s own cannot run other programs.',
  python: 'Install it from python.org.',
  uv: 'Install it from docs.astral.sh/uv.',
} as const

export function fitWords({ what, name = '', fits, wants, has }: FitCheck): string {
  switch (what) {
    case 'system':
      return fits === 'yes'
        ? `Made for ${systemNames(has ?? '')}.`
        : `Made for ${systemNames(wants ?? '')}; this computer runs ${systemNames(has ?? '')}.`
    case 'node':
    case 'python':
    case 'uv': {
      const program = programs[what]
      if (fits === 'yes') return `Runs with ${program}${has ? ` ${has}` : ''}, which is here${wants ? ` (it asks for ${wants})` : ''}.`
      if (fits === 'no' && has === undefined)
        return `Needs ${program}${wants ? ` ${wants}` : ''}, which is not on this computer. ${remedies[what]}`
      if (fits === 'no') return `Needs ${program} ${wants}; here is ${has}. ${remedies[what]}`
      return `Asks for ${program} ${wants}; whether ${has ?? 'the one here'} is within that cannot be told.`
    }
    case 'runtime':
      return `Asks for ${name} ${wants}. Assent cannot tell whether that is here.`
    case 'assent':
      return fits === 'yes' ? `Made for this version of Assent (${wants}).` : `Asks for Assent ${wants}; this is ${has}.`
    case 'client':
      return `Names ${name} ${wants}; that says nothing of Assent.`
    default:
      return assertNever(what)
  }
}

const variableWhy = {
  'loads-code': 'it decides what other code its program loads',
  'search-path': 'it decides where its program looks for others',
  network: 'it decides how its program reaches the network',
} as const

export function concernWords(concern: Concern): Words {
  switch (concern.kind) {
    case 'other-program':
      return {
        title: `It runs ${concern.command}, which is not in the bundle.`,
        more: 'A program of this computer does what the bundle tells it.',
      }
    case 'shell':
      return {
        title: `It runs a shell: ${concern.command}.`,
        more: 'Its arguments are a script, and what you enter below becomes part of it.',
      }
    case 'fetches-code':
      return {
        title: `It fetches code with ${concern.command}.`,
        more: 'What runs then is not in the bundle, so nobody has signed or seen it, and it may change each time.',
      }
    case 'code-in-arguments':
      return { title: `Code stands in its arguments: ${concern.argument}.`, more: 'Read the command below before you go on.' }
    case 'path-outside':
      return { title: `An argument leads out of the bundle: ${concern.argument}.`, more: 'It reaches for a file that it did not bring.' }
    case 'variable':
      return { title: `It sets ${concern.name} to ${concern.value}.`, more: `That is worth a look: ${variableWhy[concern.why]}.` }
    case 'entry-missing':
      return { title: `${concern.entry} is not in the bundle.`, more: 'It says that this is where it begins, so it will hardly start.' }
    case 'unknown-variable':
      return { title: `${concern.text} stands for nothing here.`, more: 'The server gets it as it is written.' }
    case 'newer-manifest':
      return {
        title: `Its manifest is of version ${concern.version}.`,
        more: 'Assent knows 0.1 to 0.4 and reads it as the latest of these.',
      }
    case 'words-refused':
      return { title: `Its words in your language cannot be read: ${concern.file}.`, more: 'Those of its manifest are shown.' }
    case 'icon-refused':
      return { title: `Its icon is not shown: ${concern.file}.`, more: 'It is no PNG of at most 1,024 by 1,024 pixels and 256 KB.' }
    case 'hidden-characters':
      return {
        title: `Its ${concern.field.replace('_', ' ')} holds characters that cannot be seen.`,
        more: 'They are named where they stand.',
      }
    case 'look-alike':
      return {
        title: `“${concern.name}” looks like “${concern.like}”, a server that you have.`,
        more: 'It is another one. Give it a name that you will not mistake.',
      }
    default:
      return assertNever(concern)
  }
}

export const typeWords: Readonly<Record<BundleFacts['type'], string>> = {
  node: 'Node.js program',
  python: 'Python program',
  binary: 'program of its own',
  uv: 'Python program, run by uv',
}

export const linkWords: Readonly<Record<BundleFacts['links'][number]['what'], string>> = {
  homepage: 'Home page',
  documentation: 'Documentation',
  support: 'Support',
  repository: 'Source',
  privacy: 'Privacy policy',
}

const changed: Readonly<Record<BundleChange['what'], string>> = {
  command: 'The program',
  argument: 'The arguments',
  variable: 'Variable',
  tool: 'Tool',
  prompt: 'Prompt',
  setting: 'Setting',
  author: 'The author',
  type: 'The kind',
  description: 'The description',
}
export function changeTitle({ what, name, before, after }: BundleChange): string {
  const subject = name === undefined ? changed[what] : `${changed[what]} ${name}`
  const verb = what === 'argument' ? 'are' : 'is'
  return `${subject} ${verb} ${before === undefined ? 'new' : after === undefined ? 'gone' : 'other than before'}`
}

export function updateWords({ server, version, order }: BundleUpdate, next: string): string {
  switch (order) {
    case 'newer':
      return `Update “${server}” from ${version} to ${next}`
    case 'older':
      return `Put the older ${next} in the place of ${version} of “${server}”`
    case 'same':
      return `Install ${next} of “${server}” anew`
    case 'unknown':
      return `Put ${next} in the place of ${version} of “${server}”`
    default:
      return assertNever(order)
  }
}
