// The figures that we promise (SAFETY, "Faults"). A full run fails a row that misses one of them; the quick half, in which all
// is done side by side on whatever machine it is, only shows them.
import { percentile } from '../../bench/statistics.ts'
import type { Row } from './row.ts'

export const promised = {
  /** Until a fault is noticed; of a hang: after the time that it was given. */
  noticedMs: 1000,
  /** Until every process is gone once a person has quit. */
  quitMs: 5000,
  /** What calls of other servers take meanwhile. */
  peersP99Ms: 100,
  /** By how much the host grows. */
  grownBytes: 64 * 2 ** 20,
} as const

/** The figures of a row that are over what is promised, in words. */
export function missed({ detected, withinMs, peers, grown }: Row): string[] {
  const longest = Math.max(0, ...detected)
  const p99 = peers && peers.length > 0 ? percentile(peers, 0.99) : 0
  return [
    ...(withinMs !== undefined && longest > withinMs ? [`seen only after ${Math.round(longest)} ms; promised: ${withinMs} ms`] : []),
    ...(p99 > promised.peersP99Ms ? [`p99 of other servers' calls ${Math.round(p99)} ms; promised: ${promised.peersP99Ms} ms`] : []),
    ...((grown ?? 0) > promised.grownBytes
      ? [`the host grew by ${Math.round((grown ?? 0) / 2 ** 20)} MB; promised: ${promised.grownBytes / 2 ** 20} MB`]
      : []),
  ]
}
