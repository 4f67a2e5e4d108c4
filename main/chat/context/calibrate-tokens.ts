// How far the host's own count of tokens is off, by what the provider counted for the last request of the conversation.
import type { Message } from '#app/chat/message.ts'
import type { Usage } from '#app/models/usage.ts'

/** Beyond these something else was counted than was estimated. */
const LEAST = 0.4
const MOST = 3

/** All that the model read, from the provider's cache or not. */
export const inputTokens = ({ inputTokens: fresh, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number =>
  fresh + cacheReadTokens + cacheWriteTokens

/** To multiply an estimate with; undefined: this model has not counted any request of the path yet. */
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
 * What the provider counted of all that stands in the conversation now: its last request and the answer to it. Undefined: it has
 * changed since, or another model answered. `lastTokens`: what was measured of the last message.
 */
export function countedNow(path: readonly Message[], model: string, measuredTotal: number, lastTokens: number): number | undefined {
  const last = path.at(-1)
  if (last?.role !== 'assistant' || last.model !== model || !last.usage || last.estimate !== measuredTotal - lastTokens) return undefined
  return inputTokens(last.usage) + last.usage.outputTokens
}
