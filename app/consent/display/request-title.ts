// One-line title of a request, with the person's name for the server. Never server text: a tool's title and description are quoted
// on the card.
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import type { AskReason, ConsentRequest, LaunchRequest } from '../request.ts'
import { code, joinPieces, serverNamePiece, toolNamePiece, tp, type WordPiece } from '../rules/rule-labels.ts'

/** Title as plain text: “demo” wants to rename invoice. */
export const consentSentence = (request: ConsentRequest): string => joinPieces(consentPieces(request))

/** Title in pieces; names and addresses are set off, so that none reads as Assent's words. */
export function consentPieces(request: ConsentRequest): readonly WordPiece[] {
  const server = [serverNamePiece(request.server)]
  switch (request.kind) {
    case 'tool-call':
      return tp`${server} wants to ${toolPieces(request.tool)}`
    case 'launch':
      return launchPieces(request, server)
    case 'elicitation-form':
      return tp`${server} asks you for an answer`
    case 'elicitation-url':
      return tp`${server} wants to open a page of ${[code(hostOf(request.url))]}`
    case 'sign-in':
      return request.why.kind === 'more-scopes'
        ? tp`${server} wants more scopes at ${[code(hostOf(request.issuer))]}`
        : tp`${server} wants you to sign in at ${[code(hostOf(request.issuer))]}`
    case 'sampling':
      return tp`${server} wants an answer from your model`
    case 'sampling-result':
      return tp`${server} wants to read your model’s answer`
    case 'roots':
      return tp`${server} wants to know your folders`
    case 'tool-changed':
      return tp`${server} changed the tool ${[toolNamePiece(request.tool)]}`
    case 'config-import':
      return request.servers.length === 1
        ? tp`Import 1 server from ${server}`
        : tp`Import ${[{ text: String(request.servers.length) }]} servers from ${server}`
    default:
      return assertNever(request)
  }
}

function launchPieces({ target, previous, changedValues, why }: LaunchRequest, server: readonly WordPiece[]): readonly WordPiece[] {
  if (why.kind === 'package-update') return tp`A newer version of ${server} can be used`
  if (why.kind === 'launch-sandbox') return tp`${server} can run in a sandbox now`
  const program = target.transport === 'stdio'
  if (changedValues && !previous) {
    return tp`${server} wants to start with changed values`
  }
  if (!program) return tp`${server} wants to connect to ${[code(hostOf(target.url))]}`
  return previous ? tp`${server} wants to start a changed program` : tp`${server} wants to start a program`
}

const whySentences = (): Readonly<Record<AskReason['kind'], string>> => ({
  'no-rule': t`No rule covers this.`,
  'ask-rule': t`A rule says to ask each time.`,
  'unsure-rule': t`A rule may apply: an argument is ambiguous.`,
  'mode-asks': t`This chat asks for every call.`,
  'tool-changed': t`The tool has changed.`,
  flow: t`Private data could leave this chat.`,
  'first-launch': t`First start.`,
  'launch-changed': t`The start has changed.`,
  'launch-values': t`The values have changed.`,
  'launch-sandbox': t`Until now without a sandbox.`,
  'package-known': t`Its version is now known.`,
  'package-update': t`A newer version fits.`,
  'own-folder': t`Assent’s own data may be meant.`,
  'server-asks': t`The server asks for this.`,
  'sampling-budget': t`The limit for today is reached.`,
  'sampling-limit': t`The limit for today is reached.`,
  'sampling-untrusted': t`The rule needs a trusted server.`,
  'sampling-tools': t`The answer asks the server to run something.`,
  'sign-in-needed': t`The server requires a sign-in.`,
  'sign-in-expired': t`Your sign-in has expired.`,
  'more-scopes': t`The server needs more scopes.`,
  'person-asks': t`You asked for it.`,
  'view-asks': t`The app in the chat asks for this.`,
})

export const whySentence = ({ kind }: AskReason): string => whySentences()[kind]

/** Verbs that tool names begin with, in English. */
const VERBS = new Set(
  (
    'add analyze analyse append apply approve archive ask assign attach book build calculate call cancel change check choose clear click close ' +
    'comment commit compare compile compress compute connect convert copy count create crop decode delete deploy describe disable ' +
    'download draft draw drop duplicate edit enable encode erase evaluate execute export extract fetch fill filter find fix follow format ' +
    'forward generate get give grant grep import index insert inspect install invite join kill label launch like list load lock log look ' +
    'make mark measure merge modify mount move mute navigate notify open order overwrite parse patch pause pay pin ping place play post ' +
    'preview print publish pull push put query read rebase record refresh register reject release remove rename render reopen replace ' +
    'reply report request reserve reset resize resolve restart restore resume retrieve revert review revoke rotate run save scan schedule ' +
    'scrape search select send set share show sign sort split start stop store submit subscribe sum summarize summarise switch sync tag take ' +
    'test total track transfer transform translate trash trigger type undo uninstall unlock unsubscribe update upgrade upload validate verify view ' +
    'visit wait watch write'
  ).split(' '),
)

/** Phrase for a tool: `rename_invoice` → "rename invoice"; without a plain verb "run" and its name. */
export const toolPhrase = (tool: string): string => joinPieces(toolPieces(tool))

function toolPieces(tool: string): readonly WordPiece[] {
  if (/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(tool)) {
    const words = tool
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
      .split(/[\s_.-]+/)
      .filter(Boolean)
      .map((word) => (/^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()))
    if (VERBS.has(words[0]?.toLowerCase() ?? '')) return [{ text: [words[0]?.toLowerCase(), ...words.slice(1)].join(' ') }]
  }
  return tp`run ${[toolNamePiece(tool)]}`
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
