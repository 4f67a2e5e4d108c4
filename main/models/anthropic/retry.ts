import type { HostError, HostErrorCode } from '#app/errors.ts'

/** Tries in all, and the longest wait that is worth sitting through; beyond it the person decides. */
export const MAX_TRIES = 3
const LONGEST_WAIT_MS = 60_000
const passing: ReadonlySet<HostErrorCode> = new Set(['model.rate-limited', 'model.overloaded', 'model.server-error', 'model.offline'])

/**
 * How long to wait before try number `tries + 1`, in milliseconds; undefined: give up. What the API asks for comes
 * first, else one second doubled each time, with up to a quarter more by `chance` (0–1).
 */
export function retryDelay(error: HostError, tries: number, chance: number): number | undefined {
  if (!passing.has(error.code) || tries >= MAX_TRIES) return undefined
  const asked = error.data['retryAfterMs']
  if (typeof asked === 'number') return asked <= LONGEST_WAIT_MS ? asked : undefined
  return Math.round(1000 * 2 ** (tries - 1) * (1 + chance / 4))
}
