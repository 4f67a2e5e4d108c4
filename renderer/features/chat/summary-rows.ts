// Where summaries stand among the messages that are shown. Pure. The one in force stands in place of what it covers, which
// opens above it; every other stands where it was made.
import { cutOf, type PathStep } from '#app/chat/summary.ts'

/** `opened`: summaries whose messages the person wants to see. */
export function shownIds(path: readonly PathStep[], opened: ReadonlySet<string>): readonly string[] {
  const cut = cutOf(path)
  if (!cut) return path.map(({ id }) => id)
  const own = cut.summary.id
  const before = opened.has(own) ? path.slice(0, cut.index) : []
  return [...before, cut.summary, ...path.slice(cut.index).filter(({ id }) => id !== own)].map(({ id }) => id)
}
