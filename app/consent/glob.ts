// `*` for any characters, `?` for one, everything else for itself; the whole text. In steps of at most the lengths'
// product, which are both limited: no expression of ours or theirs can take long.
export const LONGEST_MATCHED = 10_000

/** False also for text that is longer than is looked at: ask `LONGEST_MATCHED` first where that matters. */
export function matchesGlob(pattern: string, text: string): boolean {
  if (text.length > LONGEST_MATCHED) return false
  const want = [...pattern]
  const have = [...text]
  let [at, here] = [0, 0]
  // Where the last star was, and how much it has taken so far.
  let [star, taken] = [-1, 0]
  while (here < have.length) {
    if (want[at] === '*') {
      star = at++
      taken = here
    } else if (at < want.length && (want[at] === '?' || want[at] === have[here])) {
      at++
      here++
    } else if (star >= 0) {
      at = star + 1
      here = ++taken
    } else return false
  }
  while (want[at] === '*') at++
  return at === want.length
}
