// Changes between two texts, line by line. Every line of both texts is in the result, in order, so nothing that would be sent is left
// out. Only line feeds end a line: one more at the end makes one more line.
export interface DiffLine {
  readonly kind: 'same' | 'out' | 'in'
  readonly text: string
  /** Part of a changed line that differs from its counterpart: start and end, in UTF-16 units. */
  readonly mark?: readonly [from: number, to: number]
}

/** Limit of comparisons; above it, the changed lines are all removed and all added. */
const maxComparisons = 1_000_000

export const diffLines = (before: string, after: string): DiffLine[] => diffSequences(...linesOf(before, after))

/** Compares two lists of texts. */
export function diffSequences(old: readonly string[], now: readonly string[]): DiffLine[] {
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const same = (text: string): DiffLine => ({ kind: 'same', text })
  return [
    ...old.slice(0, start).map(same),
    ...withMarks(changed(old.slice(start, old.length - end), now.slice(start, now.length - end))),
    ...old.slice(old.length - end).map(same),
  ]
}

/** Returns the lines of a text. Carriage returns are left out where every line ends with CR LF. */
export const newLines = (text: string): readonly string[] => linesOf(text, text)[1]

/** Whether lines of a change end differently, which is shown by a mark at each carriage return. `before`: undefined for new text. */
export const mixesLineEnds = (before: string | undefined, after: string): boolean =>
  linesOf(before ?? after, after).some((lines) => lines.some((line) => line.endsWith('\r')))

/** Splits both texts into lines. Carriage returns are left out where both texts end every line with CR LF. */
function linesOf(before: string, after: string): readonly [readonly string[], readonly string[]] {
  const split = [before.split('\n'), after.split('\n')] as const
  const ended = split.flatMap((lines) => lines.slice(0, -1))
  const plain = ended.length > 0 && ended.every((line) => line.endsWith('\r'))
  const strip = (lines: readonly string[]): readonly string[] =>
    plain ? lines.map((line, index) => (index < lines.length - 1 ? line.slice(0, -1) : line)) : lines
  return [strip(split[0]), strip(split[1])]
}

/** Compares lines by their longest common subsequence. */
function changed(old: readonly string[], now: readonly string[]): DiffLine[] {
  const out = (text: string): DiffLine => ({ kind: 'out', text })
  const into = (text: string): DiffLine => ({ kind: 'in', text })
  if (old.length * now.length > maxComparisons) return [...old.map(out), ...now.map(into)]
  const width = now.length + 1
  const common = new Uint32Array((old.length + 1) * width)
  const at = (i: number, j: number): number => common[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < now.length) {
    const [from, to] = [old[i], now[j]]
    if (from !== undefined && from === to) {
      lines.push({ kind: 'same', text: from })
      i += 1
      j += 1
    } else if (from !== undefined && (to === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(out(from))
      i += 1
    } else if (to !== undefined) {
      lines.push(into(to))
      j += 1
    }
  }
  return lines
}

/** Marks the differences where as many lines are added as were removed right before. */
function withMarks(lines: readonly DiffLine[]): DiffLine[] {
  const marked = [...lines]
  for (let start = 0; start < lines.length; start++) {
    if (lines[start]?.kind !== 'out') continue
    let outs = 0
    while (lines[start + outs]?.kind === 'out') outs += 1
    let ins = 0
    while (lines[start + outs + ins]?.kind === 'in') ins += 1
    for (let n = 0; ins === outs && n < outs; n++) {
      const [from, to] = [lines[start + n], lines[start + outs + n]]
      const marks = from && to && differenceOf(from.text, to.text)
      if (!marks) continue
      marked[start + n] = { ...from, mark: marks[0] }
      marked[start + outs + n] = { ...to, mark: marks[1] }
    }
    start += outs + ins - 1
  }
  return marked
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}\p{M}\p{Cs}_]/u.test(character)

/** The whole words between the common start and end of two lines; undefined where the lines share nothing. */
function differenceOf(a: string, b: string): readonly [readonly [number, number], readonly [number, number]] | undefined {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start += 1
  while (start > 0 && isWord(a[start - 1]) && (isWord(a[start]) || isWord(b[start]))) start -= 1
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  while (end > 0 && isWord(a.at(-end)) && (isWord(a.at(-1 - end)) || isWord(b.at(-1 - end)))) end -= 1
  const kept = a.slice(0, start) + a.slice(a.length - end)
  if (kept.trim() === '') return undefined
  return [
    [start, a.length - end],
    [start, b.length - end],
  ]
}
