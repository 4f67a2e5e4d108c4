// Which tools are sent when not all can be, as a pure step from what was sent before. Names are only ever added at the end,
// so that the provider's cached beginning stays as it was; when they outgrow the budget, many go at once, and rarely.
import type { Message, ToolCall } from '#app/chat/message.ts'
import { isCallEnded } from '#app/chat/next-call-state.ts'
import { FIND_TOOLS } from '#app/chat/tools/tool-names.ts'
import { isJsonObject } from '#app/json.ts'

/** The person's words named it, the model's search found it, or the model called it. Later ones count more. */
type SendReason = 'picked' | 'found' | 'used'

export interface SentTools {
  /** In the order of sending. */
  readonly reasons: ReadonlyMap<string, SendReason>
  /** Those of them that a search brought. */
  readonly deferred: ReadonlySet<string>
  /** Messages that have nothing more to add, by id. */
  readonly seen: ReadonlySet<string>
}

export const nothingSent: SentTools = { reasons: new Map(), deferred: new Set(), seen: new Set() }

export interface SendingFacts {
  /** The path that the model reads. */
  readonly messages: readonly Message[]
  /** Names of the tools that a text is about, the best first, as many as are sent for one. */
  readonly pick: (text: string) => readonly string[]
  /** Tokens of a tool that may be sent; undefined: there is none of that name, or it is off. */
  readonly tokens: (name: string) => number | undefined
  readonly budget: number
}

/** After a restart, only so many of the last messages of the person are looked at anew. */
const MOST_MESSAGES = 12
/** What is left of the budget's worth when some have to go: then the next time is far. */
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
      const calls = message.parts.flatMap((part) => (part.kind === 'tool-call' ? [part.call] : []))
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

/** What a search of the model found, by the names that it can call. */
export function foundBy({ state }: Pick<ToolCall, 'state'>): readonly string[] {
  if (state.kind !== 'done' || !isJsonObject(state.result.structuredContent)) return []
  const { found } = state.result.structuredContent
  return Array.isArray(found) ? found.filter((name) => typeof name === 'string') : []
}

/** Those with the least reason go first, of these the oldest; what has only just come stays. */
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
