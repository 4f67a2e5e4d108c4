// Calibration of the host's token estimates by what the provider counted for the last request of the conversation.
import type { Message } from '#app/chat/message.ts'
import type { Usage } from '#app/models/usage.ts'

/** Limits of a plausible factor. */
const LEAST = 0.4
const MOST = 3

/** Tokens that the model read, from the provider's cache or not. */
export const inputTokens = ({ inputTokens: fresh, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number =>
  fresh + cacheReadTokens + cacheWriteTokens

/** Returns the factor for estimates; `undefined` when this model has not counted any request of the path yet. */
export function calibrationOf(path: readonly Message[], model: string): number | undefined {
  for (const message of path.toReversed()) {
    if (message.role !== 'assistant' || !message.usage || !message.estimate) continue
    if (message.model !== model) return undefined
    const counted = inputTokens(message.usage)
    return counted > 0 ? Math.min(MOST, Math.max(LEAST, counted / message.estimate)) : undefined
  }
  return undefined
}

/**
 * Returns the provider's count of the last request and its answer; `undefined` when the conversation has changed since, or another
 * model answered. `lastTokens`: estimate of the last message.
 */
export function countedNow(path: readonly Message[], model: string, measuredTotal: number, lastTokens: number): number | undefined {
  const last = path.at(-1)
  if (last?.role !== 'assistant' || last.model !== model || !last.usage || last.estimate !== measuredTotal - lastTokens) return undefined
  return inputTokens(last.usage) + last.usage.outputTokens
}
