// The tools to send when not all can be, as a pure step from what was sent before. Names are only added at the end, so that the
// provider's prompt cache hits; when they exceed the budget, many are removed at once, so that it happens rarely.
import type { Message, ToolCall } from '#app/chat/message.ts'
import { isCallEnded } from '#app/chat/next-call-state.ts'
import { FIND_TOOLS } from '#app/chat/tools/tool-names.ts'
import { isJsonObject } from '#app/json.ts'
import { callsIn } from '../message-calls.ts'

/** Why a tool is sent, in rising weight: the person's message is about it, the model's search found it, the model called it. */
type SendReason = 'picked' | 'found' | 'used'

export interface SentTools {
  /** Reasons by tool, in the order of sending. */
  readonly reasons: ReadonlyMap<string, SendReason>
  readonly deferred: ReadonlySet<string>
  /** Ids of the messages that were read to the end. */
  readonly seen: ReadonlySet<string>
}

export const nothingSent: SentTools = { reasons: new Map(), deferred: new Set(), seen: new Set() }

export interface SendingFacts {
  readonly messages: readonly Message[]
  /** Names of the tools that a text is about, the best first, as many as are sent for one. */
  readonly pick: (text: string) => readonly string[]
  /** Tokens of a tool that may be sent; `undefined`: it does not exist, or is switched off. */
  readonly tokens: (name: string) => number | undefined
  readonly budget: number
}

/** Number of the person's last messages that are read after a restart. */
const MOST_MESSAGES = 12
/** Share of the budget that stays when some tools are removed: the next removal is then far away. */
const KEPT = 0.6

export function nextSent(before: SentTools, { messages, pick, tokens, budget }: SendingFacts): SentTools {
  const reasons = new Map(before.reasons)
  const seen = new Set(before.seen)
  const deferred = new Set(before.deferred)
  const fresh = new Set<string>()
  const add = (name: string, reason: SendReason): void => {
    const known = reasons.get(name)
    if (known === undefined) fresh.add(name)
    if (known === undefined && reason === 'found') deferred.add(name)
    if (known === undefined || weight[reason] > weight[known]) reasons.set(name, reason)
  }
  const asked = messages.filter(({ role, id }) => role === 'user' && !seen.has(id))
  const stale = new Set(asked.slice(0, -MOST_MESSAGES))
  for (const message of messages) {
    if (seen.has(message.id)) continue
    if (message.role === 'user') {
      if (!stale.has(message)) for (const name of pick(message.text)) add(name, 'picked')
      seen.add(message.id)
    } else if (message.role === 'assistant') {
      const calls = callsIn(message)
      for (const call of calls) for (const [name, reason] of namesOf(call)) add(name, reason)
      if (message.state !== 'streaming' && calls.every((call) => isCallEnded(call.state))) seen.add(message.id)
    }
  }
  const kept = withinBudget(reasons, fresh, tokens, budget)
  return { reasons: kept, deferred: new Set([...deferred].filter((name) => kept.has(name))), seen }
}

const weight: Readonly<Record<SendReason, number>> = { picked: 0, found: 1, used: 2 }

function namesOf(call: ToolCall): readonly (readonly [string, SendReason])[] {
  if (!call.own) return [[call.modelName, 'used']]
  return call.modelName === FIND_TOOLS ? foundBy(call).map((name) => [name, 'found'] as const) : []
}

/** Names of the tools that a search of the model found. */
export function foundBy({ state }: Pick<ToolCall, 'state'>): readonly string[] {
  if (state.kind !== 'done' || !isJsonObject(state.result.structuredContent)) return []
  const { found } = state.result.structuredContent
  return Array.isArray(found) ? found.filter((name) => typeof name === 'string') : []
}

/** Removes the tools of the lowest weight, of these the oldest; tools that were only just added stay. */
function withinBudget(
  reasons: ReadonlyMap<string, SendReason>,
  fresh: ReadonlySet<string>,
  tokens: SendingFacts['tokens'],
  budget: number,
): ReadonlyMap<string, SendReason> {
  let sum = [...reasons.keys()].reduce((total, name) => total + (tokens(name) ?? 0), 0)
  if (sum <= budget) return reasons
  const kept = new Map(reasons)
  const order = [...reasons].filter(([name]) => !fresh.has(name)).sort(([, a], [, b]) => weight[a] - weight[b])
  for (const [name] of order) {
    if (sum <= budget * KEPT) break
    kept.delete(name)
    sum -= tokens(name) ?? 0
  }
  return kept
}
