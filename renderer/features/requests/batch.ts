// Which waiting calls may be allowed together, and what they have in common. Pure. Only what is wholly in sight: of one
// conversation, with nothing to warn of, and read. Whatever else waits is read one by one.
import { crosses } from '#app/consent/flow.ts'
import type { ConsentRequest, ToolCallRequest } from '#app/consent/request.ts'
import { isJsonObject } from '#app/json.ts'
import { listWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import type { RequestDraft } from '#renderer/stores/request-drafts.ts'
import { anyHidden } from '#renderer/ui/any-hidden.ts'

/** Characters of the arguments that a row shows. */
const wholeUpTo = 160

/** The arguments on one line, as JSON; `whole`: nothing of them is left out. */
export function briefArguments({ arguments: args }: Pick<ToolCallRequest, 'arguments'>): {
  readonly text: string
  readonly whole: boolean
} {
  const words = Object.entries(args).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const text = words.join('  ')
  const plain = Object.values(args).every((value) => !isJsonObject(value) && !(typeof value === 'string' && /[\r\n\t]| {2}|: /.test(value)))
  return text.length <= wholeUpTo ? { text, whole: plain } : { text: `${text.slice(0, wholeUpTo)}…`, whole: false }
}

export type Tick = { readonly kind: 'may' } | { readonly kind: 'unread' } | { readonly kind: 'alone' }

/** `read`: the whole of it was on the page. `alone`: something about it has to be read by itself. */
export function tickOf(request: ConsentRequest, read: boolean, draft: RequestDraft | undefined): Tick {
  if (request.kind !== 'tool-call') return { kind: 'alone' }
  const { why, previous, server } = request
  const warned = why.kind === 'tool-changed' || why.kind === 'unsure-rule' || why.kind === 'flow' || previous !== undefined
  const touched = draft?.edited !== undefined || draft?.text !== undefined
  if (warned || touched || crosses(request.flows, server) || anyHidden(request.arguments)) return { kind: 'alone' }
  return read || briefArguments(request).whole ? { kind: 'may' } : { kind: 'unread' }
}

/** What is ticked: the very text and definition that were in sight then. */
export type Ticked = Readonly<Record<string, string>>

export const shownAs = ({ argumentsText, fingerprint }: ToolCallRequest): string => `${fingerprint} ${argumentsText}`

/** Those of the ticked that still wait, in one conversation, as they were when they were ticked. */
export function chosenOf(requests: readonly ConsentRequest[], ticked: Ticked): ToolCallRequest[] {
  const chosen = requests.filter((one): one is ToolCallRequest => one.kind === 'tool-call' && ticked[one.id] === shownAs(one))
  return chosen.filter((one) => one.conversationId === chosen[0]?.conversationId)
}

/** same tool, “move_file” of “files”; 3 tools of “files” and “web”. */
export function sharedWords(chosen: readonly ToolCallRequest[]): string {
  const servers = listWords([...new Set(chosen.map(({ server }) => `“${server}”`))])
  const tools = new Set(chosen.map(({ server, tool }) => `${server} ${tool}`))
  return tools.size === 1 ? t`same tool, “${chosen[0]?.tool}” of ${servers}` : t`${tools.size} tools of ${servers}`
}
