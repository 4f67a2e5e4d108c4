// Fuzzy matching: letters in order. Runs, starts of words and the start of the text score higher.

interface FuzzyMatch {
  readonly score: number
  /** Positions of the letters in the text. */
  readonly at: readonly number[]
}

const RUN = 5
const WORD = 4
const START = 6
const WHOLE = 30

const isWordStart = (text: string, index: number): boolean =>
  index === 0 ||
  /[^\p{L}\p{N}]/u.test(text[index - 1] ?? '') ||
  (/\p{Ll}/u.test(text[index - 1] ?? '') && /\p{Lu}/u.test(text[index] ?? ''))

/** Matches regardless of case; undefined when it does not fit. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
  const wanted = query.toLowerCase()
  const lower = text.toLowerCase()
  if (wanted === '') return { score: 0, at: [] }
  // A few characters change their length with their case, which shifts positions.
  if (lower.length !== text.length) return undefined
  const whole = wholeAt(wanted, lower, text)
  if (whole !== undefined) {
    const at = Array.from(wanted, (_, index) => whole + index)
    return {
      score: WHOLE + wanted.length * RUN + (isWordStart(text, whole) ? WORD * 2 : 0) + (whole === 0 ? START : 0) - text.length / 100,
      at,
    }
  }
  const at: number[] = []
  let score = 0
  for (let from = 0, i = 0; i < wanted.length; i++) {
    const found = lower.indexOf(wanted[i] ?? '', from)
    if (found < 0) return undefined
    if (found === (at.at(-1) ?? -2) + 1) score += RUN
    else if (isWordStart(text, found)) score += WORD
    at.push(found)
    from = found + 1
  }
  return { score: score - text.length / 100, at }
}

/** First occurrence at the start of a word, else the first. */
function wholeAt(wanted: string, lower: string, text: string): number | undefined {
  const first = lower.indexOf(wanted)
  if (first < 0) return undefined
  for (let at = first, tries = 0; at >= 0 && tries < 20; at = lower.indexOf(wanted, at + 1), tries++) if (isWordStart(text, at)) return at
  return first
}
