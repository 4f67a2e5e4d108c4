// Backoff between automatic attempts to restart or reconnect a server. Pure; `next-server-state.ts` counts the attempts.

export const longestDelayMs = 60_000
/** Attempts in a row, some four minutes, before it waits for a need or a network change. */
export const mostAttempts = 8

/**
 * Milliseconds before attempt `attempt` (from 1) to reconnect; undefined: no automatic one. Half of the delay is random, so that
 * hosts do not return at the same moment. `random`: 0 to 1.
 */
export function reconnectMs(attempt: number, random: number): number | undefined {
  if (attempt > mostAttempts) return undefined
  const whole = Math.min(1000 * 2 ** (Math.max(attempt, 1) - 1), longestDelayMs)
  return Math.round(whole / 2 + (whole / 2) * Math.min(Math.max(random, 0), 1))
}
