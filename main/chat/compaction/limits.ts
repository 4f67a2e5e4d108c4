// How much of a model's context a request may fill before its older part is summarised. Pure.
import type { Message } from '#app/chat/message.ts'
import type { ModelInfo } from '#app/chat/models.ts'

const USUAL_ANSWER = 8192
const MOST_RESERVED = 32_000

/** Tokens that are kept free for the answer. `asked`: the most that the conversation lets it have. */
export function reservedTokens(info: Pick<ModelInfo, 'contextTokens' | 'maxOutputTokens'> | undefined, asked?: number): number {
  const answer = asked ?? Math.min(info?.maxOutputTokens ?? USUAL_ANSWER, MOST_RESERVED)
  return info?.contextTokens === undefined ? answer : Math.min(answer, Math.floor(info.contextTokens / 4))
}

export interface LimitFacts {
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
