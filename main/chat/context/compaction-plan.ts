// Where a conversation is cut when its older part is to become a summary. Pure. A message is never split, and a call's result
// stands in the message of the call, so the two are never parted; the newest message always stays. How much of a model's
// context a request may fill before its older part is summarised. Pure.
import type { Message } from '#app/chat/message.ts'
import type { ModelInfo } from '#app/models/models.ts'

const USUAL_ANSWER = 8192
const MOST_RESERVED = 32_000

/** Tokens that are kept free for the answer. `asked`: the most that the conversation lets it have. */
export function reservedTokens(info: Pick<ModelInfo, 'contextTokens' | 'maxOutputTokens'> | undefined, asked?: number): number {
  const answer = asked ?? Math.min(info?.maxOutputTokens ?? USUAL_ANSWER, MOST_RESERVED)
  return info?.contextTokens === undefined ? answer : Math.min(answer, Math.floor(info.contextTokens / 4))
}

interface LimitFacts {
  readonly info: Pick<ModelInfo, 'contextTokens' | 'maxOutputTokens'> | undefined
  readonly path: readonly Message[]
  /** Percent; 0: never by itself. */
  readonly compactAt: number
  readonly asked?: number | undefined
}

/** Tokens of a request beyond which room is made; undefined: not known, or not wanted. */
export function roomLimit({ info, path, compactAt, asked }: LimitFacts): number | undefined {
  if (info?.contextTokens === undefined || compactAt === 0) return undefined
  const most = info.contextTokens - reservedTokens(info, asked)
  // Whoever undid the last summary wants the whole history to be read for as long as it can be.
  const last = path.findLast((message) => message.role === 'summary' && message.state === 'done')
  if (last?.role === 'summary' && last.undone) return most
  return Math.min(most, Math.floor((info.contextTokens * compactAt) / 100))
}

export interface PlanItem {
  readonly id: string
  readonly role: 'user' | 'assistant'
  /** About what it takes in a request, its calls' results included. */
  readonly tokens: number
}

interface PlanFacts {
  /** What the model still reads whole, oldest first. */
  readonly items: readonly PlanItem[]
  /** Tokens of the newest that stay as they are. */
  readonly keep: number
  /** Tokens that one summary can be made of; default: any number. */
  readonly mostCovered?: number
}

export type CompactionPlan =
  /** There is too little before what stays. */
  | { readonly kind: 'nothing' }
  /** `count` items up to `until` become a summary, `kept` tokens stay. */
  | { readonly kind: 'summarise'; readonly until: string; readonly count: number; readonly kept: number }

/** Less than this is hardly longer than its summary. */
export const LEAST_COVERED = 400

export function planCompaction({ items, keep, mostCovered = Number.POSITIVE_INFINITY }: PlanFacts): CompactionPlan {
  const start = Math.min(startOf(items, keep), reachOf(items, mostCovered))
  const until = items[start - 1]
  const covered = sum(items.slice(0, start))
  if (!until || covered < LEAST_COVERED) return { kind: 'nothing' }
  return { kind: 'summarise', until: until.id, count: start, kept: sum(items) - covered }
}

/** The first item that stays: as far back as there is room, rather with what the person said than amid an answer to it. */
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

/** One item at least, be it too long: whoever summarises says so. */
function reachOf(items: readonly PlanItem[], most: number): number {
  let covered = 0
  for (const [index, { tokens }] of items.entries()) {
    covered += tokens
    if (covered > most) return Math.max(1, index)
  }
  return items.length
}

const sum = (items: readonly PlanItem[]): number => items.reduce((total, { tokens }) => total + tokens, 0)

interface ResultSize {
  readonly callId: string
  readonly tokens: number
}

/** What is left of a result is a note. */
const NOTE_TOKENS = 60

/** Which results to leave out, oldest first, so that `tokens` are saved; all that are worth it where that is not enough. */
export function planLeaveOut(results: readonly ResultSize[], tokens: number): string[] {
  const ids: string[] = []
  let saved = 0
  for (const result of results) {
    if (saved >= tokens) break
    if (result.tokens < 4 * NOTE_TOKENS) continue
    ids.push(result.callId)
    saved += result.tokens - NOTE_TOKENS
  }
  return ids
}
