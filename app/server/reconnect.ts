// When a server that runs elsewhere is connected to again. Pure: chance is handed in. Half of each delay is left to it, so
// that hosts which lost the same server at the same moment do not come back at the same moment.

export const longestDelayMs = 60_000
/** After so many attempts in a row, some four minutes, it rests until somebody needs it or the network changes. */
export const mostAttempts = 8

/** `attempt` counts from 1; `random` is from 0 up to 1. Milliseconds; undefined: not by itself. */
export function reconnectMs(attempt: number, random: number): number | undefined {
  if (attempt > mostAttempts) return undefined
  const whole = Math.min(1000 * 2 ** (Math.max(attempt, 1) - 1), longestDelayMs)
  return Math.round(whole / 2 + (whole / 2) * Math.min(Math.max(random, 0), 1))
}
