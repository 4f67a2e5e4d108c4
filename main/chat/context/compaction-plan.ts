// The cut of a conversation whose older part becomes a summary, and the limit at which that happens. Pure. A message is never split,
// a call's result stands in the message of the call, and the newest message always stays.
import type { ModelInfo } from '#app/models/models.ts'
import type { GatheredContext } from './build-context.ts'

const USUAL_ANSWER = 8192
const MOST_RESERVED = 32_000

/** Tokens that are kept free for the answer. `asked`: limit of the conversation's own parameters. */
export function reservedTokens(info: Pick<ModelInfo, 'contextTokens' | 'maxOutputTokens'> | undefined, asked?: number): number {
  const answer = asked ?? Math.min(info?.maxOutputTokens ?? USUAL_ANSWER, MOST_RESERVED)
  return info?.contextTokens === undefined ? answer : Math.min(answer, Math.floor(info.contextTokens / 4))
}

/** Tokens of a request beyond which it is compacted; `undefined`: not known, or not wanted. `compactAt`: percent of the context; 0: never. */
export function roomLimit({ info, messages, conversation }: GatheredContext, compactAt: number): number | undefined {
  const asked = conversation.parameters?.maxTokens
  if (info?.contextTokens === undefined || compactAt === 0) return undefined
  const most = Math.min(info.contextTokens - reservedTokens(info, asked), info.maxInputTokens ?? info.contextTokens)
  // A person who undid the last summary wants the whole history to be read for as long as possible.
  const last = messages.findLast((message) => message.role === 'summary' && message.state === 'done')
  if (last?.role === 'summary' && last.undone) return most
  return Math.min(most, Math.floor((info.contextTokens * compactAt) / 100))
}

export interface PlanItem {
  readonly id: string
  readonly role: 'user' | 'assistant'
  /** Estimated tokens in a request, with its calls' results. */
  readonly tokens: number
}

interface PlanFacts {
  /** Messages that the model still reads whole, oldest first. */
  readonly items: readonly PlanItem[]
  /** Tokens of the newest that stay as they are. */
  readonly keep: number
  /** Tokens that one summary can be made of; default: any number. */
  readonly mostCovered?: number | undefined
}

export type CompactionPlan =
  /** Too little stands before the part that stays. */
  | { readonly kind: 'nothing' }
  /** `count` items up to `until` become a summary, `kept` tokens stay. */
  | { readonly kind: 'summarise'; readonly until: string; readonly count: number; readonly kept: number }

/** Tokens below which a summary would save nothing. */
export const LEAST_COVERED = 400

export function planCompaction({ items, keep, mostCovered = Number.POSITIVE_INFINITY }: PlanFacts): CompactionPlan {
  const start = Math.min(startOf(items, keep), reachOf(items, mostCovered))
  const until = items[start - 1]
  const covered = sum(items.slice(0, start))
  if (!until || covered < LEAST_COVERED) return { kind: 'nothing' }
  return { kind: 'summarise', until: until.id, count: start, kept: sum(items) - covered }
}

/** First item that stays: as far back as there is room, at a message of the person where one is near. */
function startOf(items: readonly PlanItem[], keep: number): number {
  let start = Math.max(0, items.length - 1)
  let kept = items.at(-1)?.tokens ?? 0
  let turn: number | undefined
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index]
    if (!item) break
    if (index < items.length - 1) kept += item.tokens
    if (kept > keep && index < items.length - 1) break
    start = index
    if (item.role === 'user' && kept >= keep / 3) turn = index
  }
  return turn ?? start
}

/** Number of items that one summary can cover; at least one, even if that is too long. */
function reachOf(items: readonly PlanItem[], most: number): number {
  let covered = 0
  for (const [index, { tokens }] of items.entries()) {
    covered += tokens
    if (covered > most) return Math.max(1, index)
  }
  return items.length
}

const sum = (items: readonly PlanItem[]): number => items.reduce((total, { tokens }) => total + tokens, 0)

/** Tokens of the note that replaces a result. */
const NOTE_TOKENS = 60

/** Returns the calls whose results to leave out, oldest first, so that `tokens` are saved; all worth it where that is not enough. */
export function planLeaveOut(
  results: readonly { readonly call: { readonly id: string }; readonly tokens: number }[],
  tokens: number,
): string[] {
  const ids: string[] = []
  let saved = 0
  for (const result of results) {
    if (saved >= tokens) break
    if (result.tokens < 4 * NOTE_TOKENS) continue
    ids.push(result.call.id)
    saved += result.tokens - NOTE_TOKENS
  }
  return ids
}
