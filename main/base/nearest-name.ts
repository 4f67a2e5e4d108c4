/** Returns the candidate that `name` may be a typing error of, or that has a version number more (`python3` for `python`). */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const most = name.length < 3 ? 0 : name.length < 6 ? 1 : 2
  let best: { readonly candidate: string; readonly distance: number } | undefined
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > most) continue
    const distance = editDistance(name, candidate)
    if (distance <= most && (!best || distance < best.distance)) best = { candidate, distance }
  }
  return best?.candidate
}

/** Counts insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (beforeLast[j - 2] ?? 0) + 1 : replaced
      row.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
