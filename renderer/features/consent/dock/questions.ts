// What waits for the person, as questions. Alike calls are one, and first starts of servers are one. What has something to warn of, is too
// long for a row or was edited is a question by itself.
import type { ConsentRequest, LaunchRequest, ToolCallRequest } from '#app/consent/request.ts'
import { crosses } from '#app/consent/taint/taint.ts'
import { isJsonObject } from '#app/json.ts'
import type { RequestDraft } from '#renderer/stores/request-drafts.ts'
import type { McpAppRequest } from '#renderer/stores/view-state.ts'
import { anyHidden } from '#renderer/ui/visible-text.tsx'
import { isPlainStart } from '../launch/launch-card.tsx'
import { oneOfEachForm } from '../request/use-review.ts'

export type DockRequest = ConsentRequest | McpAppRequest

export type Question = { readonly key: string } & (
  | { readonly kind: 'one'; readonly requests: readonly [DockRequest] }
  | { readonly kind: 'calls'; readonly requests: readonly ToolCallRequest[] }
  | { readonly kind: 'starts'; readonly requests: readonly LaunchRequest[] }
)

type Drafts = Readonly<Record<string, RequestDraft>>

/** Characters of the arguments that a row shows. */
const WHOLE_UP_TO = 160

/** Two names of which the first becomes the second. */
export const becomes = (names: readonly string[]): boolean =>
  names.length === 2 && /^(?:from|old|source|src)/i.test(names[0] ?? '') && /^(?:to|new|dest|target)/i.test(names[1] ?? '')

/** The arguments as one line. `whole`: nothing is left out, and nothing in them reads like another argument. */
export function briefArguments({ arguments: args }: Pick<ToolCallRequest, 'arguments'>) {
  const values = Object.values(args).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const names = Object.keys(args)
  const text = becomes(names) ? values.join(' → ') : names.map((name, index) => `${name}: ${values[index]}`).join('  ')
  const plain = Object.values(args).every(
    (value) => !isJsonObject(value) && !(typeof value === 'string' && /[\r\n\t]| {2}|: | → /.test(value)),
  )
  return text.length <= WHOLE_UP_TO ? { text, whole: plain } : { text: `${text.slice(0, WHOLE_UP_TO)}…`, whole: false }
}

/** Whether a call may be answered together with others like it. */
export function isAlikeCall(request: ToolCallRequest, draft: RequestDraft | undefined): boolean {
  const { why, previous, server, privateFlow, view, expiresAt, arguments: args } = request
  const warned = !['no-rule', 'ask-rule', 'mode-asks'].includes(why.kind) || previous !== undefined || privateFlow !== undefined
  const touched = draft?.edited !== undefined || draft?.text !== undefined
  const apart = view !== undefined || expiresAt !== undefined || anyHidden(args) || crosses(request.flows, server)
  return !(warned || touched || apart) && briefArguments(request).whole
}

function keyOf(request: DockRequest, draft: RequestDraft | undefined): string {
  if (request.kind === 'tool-call' && isAlikeCall(request, draft))
    return JSON.stringify([
      request.conversationId,
      request.answerOf,
      request.server,
      request.tool,
      request.fingerprint,
      request.why,
      request.agent,
    ])
  return request.kind === 'launch' && isPlainStart(request, draft?.sandbox) ? 'starts' : request.id
}

/**
 * The questions, starts first, then as they came; a group stands where its oldest request does. `apart`: keys of groups that are read one
 * by one.
 */
export function questionsOf(requests: readonly DockRequest[], drafts: Drafts, apart: ReadonlySet<string> = new Set()): readonly Question[] {
  const shown = requests.find(({ id }) => drafts[id]?.shown)?.id
  const groups = Map.groupBy(oneOfEachForm(requests, shown), (request) => {
    const key = keyOf(request, drafts[request.id])
    return apart.has(key) ? request.id : key
  })
  const questions = [...groups].map(([key, members]): Question => {
    const [first] = members as [DockRequest, ...DockRequest[]]
    if (members.length === 1) return { key: first.id, kind: 'one', requests: [first] }
    return first.kind === 'launch'
      ? { key, kind: 'starts', requests: members as LaunchRequest[] }
      : { key, kind: 'calls', requests: members as ToolCallRequest[] }
  })
  const rank = ({ requests: [first] }: Question): number => (first?.kind === 'launch' ? 0 : 1)
  return questions.toSorted((a, b) => rank(a) - rank(b))
}

/** Key of the group that a request would belong to, if it were not read by itself. */
export const groupKeyOf = (request: DockRequest, drafts: Drafts): string => keyOf(request, drafts[request.id])
