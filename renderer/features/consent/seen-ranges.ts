// Which part of a height was in view, as ranges of pixels. Pure.

export type Range = readonly [from: number, to: number]

/** Less is rounding. */
const LEAST_GAP = 3

/** With another range: in order, those that touch as one. */
export function withRange(ranges: readonly Range[], range: Range): readonly Range[] {
  if (range[1] <= range[0]) return ranges
  const merged: Range[] = []
  for (const next of [...ranges, range].sort(([a], [b]) => a - b)) {
    const last = merged.at(-1)
    if (last && next[0] <= last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], next[1])]
    else merged.push(next)
  }
  return merged
}

/** What of the height is in none of them, in order. */
export function gapsIn(height: number, ranges: readonly Range[]): readonly Range[] {
  const gaps: Range[] = []
  let end = 0
  for (const [from, to] of [...ranges, [height, height] as const]) {
    if (from - end >= LEAST_GAP) gaps.push([end, Math.min(from, height)])
    end = Math.max(end, to)
  }
  return gaps
}
