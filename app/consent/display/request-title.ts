// One-line title of a request, with the person's name for the server. Never server text: a tool's title and description are quoted
// on the card.
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import type { RequestAgent } from '../../gate.ts'
import type { AskReason, ConsentRequest, LaunchRequest } from '../request.ts'
import { code, joinPieces, serverPieces, toolNamePiece, tp, type WordPiece } from '../rules/rule-labels.ts'

/** Title as plain text: “demo” wants to use “rename_invoice”. */
export const consentSentence = (request: ConsentRequest): string => joinPieces(consentPieces(request))

/** Title in pieces; names and addresses are set off, so that none reads as Assent's words. */
export function consentPieces(request: ConsentRequest): readonly WordPiece[] {
  const server = serverPieces(request.server, request.account?.name)
  switch (request.kind) {
    case 'tool-call': {
      const tool = toolNamePiece(request.tool)
      const { agent } = request
      return agent ? tp`${agentPieces(agent)} wants to use ${[...server, { text: ' ' }, tool]}` : tp`${server} wants to use ${[tool]}`
    }
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
      return tp`Import servers from ${server}`
    default:
      return assertNever(request)
  }
}

/** Name of an agent's entry, and the folder that it runs in where the system says so. */
const agentPieces = ({ name, folder, verified }: RequestAgent): readonly WordPiece[] =>
  folder !== undefined && verified ? tp`${serverPieces(name)} in ${[code(folder)]}` : serverPieces(name)

function launchPieces({ target, previous, changedValues, why }: LaunchRequest, server: readonly WordPiece[]): readonly WordPiece[] {
  if (why.kind === 'package-update') return tp`A newer version of ${server} can be used`
  if (why.kind === 'launch-sandbox') return tp`${server} can run in a sandbox now`
  if (target.transport === 'stdio' || (changedValues && !previous)) return tp`Start ${server}?`
  return tp`${server} wants to connect to ${[code(hostOf(target.url))]}`
}

const whySentences = (): Readonly<Record<Exclude<AskReason['kind'], 'skill'>, string>> => ({
  'no-rule': t`No rule covers this.`,
  'ask-rule': t`A rule says to ask each time.`,
  'unsure-rule': t`A rule may apply: an argument is ambiguous.`,
  'mode-asks': t`This chat asks for every call.`,
  'tool-changed': t`The tool has changed.`,
  'account-changed': t`The account has changed.`,
  flow: t`Private data could leave this chat.`,
  'first-launch': t`First start.`,
  'launch-changed': t`The start has changed.`,
  'launch-values': t`The values have changed.`,
  'launch-sandbox': t`Until now without a sandbox.`,
  'package-known': t`Its version is now known.`,
  'package-update': t`A newer version fits.`,
  'own-folder': t`This may change Assent’s own data.`,
  'server-asks': t`The server asks for this.`,
  'sampling-budget': t`The limit for today is reached.`,
  'sampling-limit': t`The limit for today is reached.`,
  'sampling-untrusted': t`The rule needs a trusted server.`,
  'sampling-tools': t`The answer asks the server to run a tool.`,
  'sign-in-needed': t`The server requires a sign-in.`,
  'sign-in-expired': t`Your sign-in has expired.`,
  'more-scopes': t`The server needs more scopes.`,
  'person-asks': t`You asked for it.`,
  'view-asks': t`The app in the chat asks for this.`,
})

export const whySentence = (why: AskReason): string =>
  why.kind === 'skill' ? t`A skill of “${why.servers.join(', ')}” may want this.` : whySentences()[why.kind]

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
