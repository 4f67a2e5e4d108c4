// Compaction before a request that is too long, and after one that was refused for it: the older part becomes a summary, or else the oldest
// results are left out, and the transcript says so. All of it stays in the store, and the person can undo it.
import type { AssistantMessage, SummaryMessage } from '#app/chat/message.ts'
import { defined } from '#app/or-else.ts'
import { newId } from '#main/base/ids.ts'
import { type ChatContext, putMessages } from '../chat-context.ts'
import { callsIn, mapCalls } from '../message-calls.ts'
import { type GatheredContext, gatherContext } from './build-context.ts'
import { type CompactionPlan, planCompaction, planLeaveOut, roomLimit } from './compaction-plan.ts'
import { calibrationOf, type Measured, measureContext } from './measure-tokens.ts'
import { SUMMARY_TOKENS, type SummariseContext, summarise } from './summarise.ts'

/** Share that the newest messages keep of what a request may hold beside system prompt and tools. */
const KEPT_SHARE = 0.4
/** Share of a refused request that is tried next. */
const AFTER_REFUSAL = 0.6
const MOST_ROUNDS = 4

/**
 * Returns the context to send in place of `gathered`; the same where there is room, or none can be made.
 * Messages that the person adds meanwhile go with a first request, but not with the repeat of a refused one: the message that answers it
 * stands before them already.
 * @throws {HostError} when it was stopped
 */
export async function makeRoom(context: SummariseContext, gathered: GatheredContext, by: 'length' | 'refused'): Promise<GatheredContext> {
  const { chat } = context
  // A refusal may have told the size of the context.
  const info = chat.models.find(gathered.conversation.model) ?? gathered.info
  if (info?.ai === false || chat.settings().compactAt === 0) return gathered
  const factor = calibrationOf(gathered.messages, gathered.conversation.model) ?? 1
  let current = gathered
  let measured = measureContext(current)
  const room = roomLimit({ ...gathered, info }, chat.settings().compactAt)
  const wanted = by === 'refused' ? Math.min(measured.total * factor * AFTER_REFUSAL, room ?? Number.POSITIVE_INFINITY) : room
  if (wanted === undefined) return gathered
  const limit = wanted / factor
  let summary: SummaryMessage | undefined
  const again = (): GatheredContext => gatherContext(chat, gathered.conversation, { unread: by === 'length' })
  for (let round = 0; round < MOST_ROUNDS && measured.total > limit; round += 1) {
    const plan = hasFailed(current, context.turnId)
      ? { kind: 'nothing' as const }
      : planFor(current, measured, limit, by === 'refused' ? limit + SUMMARY_TOKENS : undefined)
    if (plan.kind === 'nothing') break
    summary = await summarise(context, { gathered: current, plan, by, factor })
    current = again()
    const before = measured.total
    measured = measureContext(current)
    if (summary.state !== 'done') break
    summary = tellSizes(chat, summary, before * factor, measured.total * factor)
    current = again()
  }
  if (measured.total <= limit) return current
  const failed = summary?.state === 'failed' ? summary : undefined
  return leaveOut(context, current, measured, measured.total - limit, by, failed) ? again() : current
}

/** Whether a summary failed in this turn: it is not tried again, since each try costs as much as an answer. */
const hasFailed = ({ messages }: GatheredContext, turnId: string): boolean =>
  messages.some((message) => message.role === 'summary' && message.turnId === turnId && message.state === 'failed')

/** `limit`: tokens of the request by the host's own estimate. `size`: of the context, where the model's is not known. */
export function planFor({ info }: GatheredContext, measured: Measured, limit: number, size?: number): CompactionPlan {
  const contextTokens = info?.contextTokens ?? size
  const fixed = measured.system + measured.tools
  const keep = Math.max(0, (limit - fixed - SUMMARY_TOKENS / 4) * KEPT_SHARE)
  const mostCovered = contextTokens === undefined ? undefined : Math.max(1000, contextTokens - fixed - SUMMARY_TOKENS)
  return planCompaction({ items: measured.messages, keep, mostCovered })
}

/** Stores on the summary the estimated tokens of a request before and after it. */
export function tellSizes({ store, emit }: ChatContext, summary: SummaryMessage, before: number, after: number): SummaryMessage {
  const message = { ...summary, tokens: { before: Math.round(before), after: Math.round(after) } }
  store.conversations.putMessage(message)
  emit('message.changed', { message })
  return message
}

/** Leaves the oldest results out to save `tokens`. Returns whether there were any. `failed`: the failed summary, which then names them. */
function leaveOut(
  { chat, turnId }: SummariseContext,
  { conversation }: GatheredContext,
  measured: Measured,
  tokens: number,
  by: SummaryMessage['by'],
  failed: SummaryMessage | undefined,
): boolean {
  const { store, clock } = chat
  const results = measured.messages.flatMap((message) => message.results.filter(({ call }) => !call.leftOut && call.state.kind === 'done'))
  const ids = planLeaveOut(results, tokens)
  if (ids.length === 0) return false
  const note: SummaryMessage = {
    ...(failed ?? {
      role: 'summary',
      id: newId(),
      conversationId: conversation.id,
      turnId,
      createdAt: clock.now(),
      model: conversation.model,
      by,
      covers: { until: measured.messages[0]?.id ?? '', messages: 0 },
      text: '',
      state: 'failed',
    }),
    leftOut: ids,
  }
  // Read anew: a late result may have been added since.
  const changed = markLeftOut(answersIn(store, conversation.id), new Set(ids), 'host')
  putMessages(chat, [...changed, note])
  return true
}

export const answersIn = ({ conversations }: Pick<ChatContext['store'], 'conversations'>, conversationId: string): AssistantMessage[] =>
  conversations.messages(conversationId).filter((message) => message.role === 'assistant')

/** Marks the results of these calls as left out, or as read again (`by` undefined). Returns the messages that change. */
export function markLeftOut(
  messages: readonly AssistantMessage[],
  ids: ReadonlySet<string>,
  by: 'person' | 'host' | undefined,
): AssistantMessage[] {
  return messages.flatMap((message) => {
    if (!callsIn(message).some((call) => ids.has(call.id) && call.leftOut !== by)) return []
    const parts = mapCalls(message.parts, ({ leftOut, ...call }) => ({ ...call, ...defined({ leftOut: ids.has(call.id) ? by : leftOut }) }))
    return [{ ...message, parts }]
  })
}
