// Passage of a text that shows a search hit, with matches marked. Line breaks become spaces.
import { foldedTerms, foldedWords, foldText, isUnspaced } from './fold-words.ts'
import type { SearchTerm } from './search-query.ts'
import type { SearchHit } from './search-result.ts'
import type { SearchableText } from './searchable-text.ts'

export type SearchSnippet = NonNullable<SearchHit['snippet']>
type SnippetSpan = SearchSnippet['spans'][number]

/** Lengths in UTF-16 units: before the first mark, and in all. */
const LEAD = 48
const LENGTH = 200
/** Distance after which no better passage is searched. */
const FURTHEST = 20_000

interface Mark {
  readonly start: number
  readonly end: number
  readonly term: string
}

export type Matcher = ReturnType<typeof matcherOf>

/** Matches terms of a text against the query. `of`: the query term that a term matches. `count`: number of query terms. */
export function matcherOf(wanted: readonly SearchTerm[]) {
  const whole = new Set<string>()
  const begun: string[] = []
  for (const { text, open } of wanted) {
    const words = [...foldedWords(text)]
    for (const [index, { start, end, terms }] of words.entries()) {
      const last = index === words.length - 1
      const folded = foldText(text.slice(start, end))
      const known = isUnspaced(folded) ? foldedTerms(folded, true) : terms
      for (const [at, term] of known.entries()) {
        if (isUnspaced(term) ? [...term].length === 1 : open && last && at === known.length - 1) begun.push(term)
        else whole.add(term)
      }
    }
  }
  const of = (term: string): string | undefined => (whole.has(term) ? term : begun.find((begin) => term.startsWith(begin)))
  return { of, count: whole.size + begun.length }
}

/** Selects the passage with the most query terms; the beginning when there is none. */
export function snippetOf(texts: readonly SearchableText[], matcher: Matcher): SearchSnippet {
  let best: { readonly text: SearchableText; readonly marks: readonly Mark[]; readonly passage: Passage } | undefined
  for (const text of texts) {
    const marks = marksOf(text.text, matcher)
    const passage = densest(marks, matcher.count)
    if (!best || passage.count > best.passage.count) best = { text, marks, passage }
    if (passage.count === matcher.count) break
  }
  return best ? cutOut(best.text, best.marks, best.passage.from) : { form: 'prose', spans: [], cut: { before: false, after: false } }
}

/** Marks matches in a whole text, such as a title. */
export const markedSpans = (text: string, matcher: Matcher): SnippetSpan[] => spansOf(text, marksOf(text, matcher), 0, text.length)

/** Matches up to the first passage with all terms, or a bounded distance. */
function marksOf(text: string, matcher: Matcher): Mark[] {
  const marks: Mark[] = []
  const lastAt = new Map<string, number>()
  let enough = Number.POSITIVE_INFINITY
  for (const { start, end, terms } of foldedWords(text)) {
    if (start > enough) break
    const before = marks.length
    if (isUnspaced(text.slice(start, end))) marks.push(...pairMarks(text, start, end, matcher))
    else {
      const found = terms.map(matcher.of).find((term) => term !== undefined)
      if (found !== undefined) marks.push({ start, end, term: found })
    }
    for (const mark of marks.slice(before)) lastAt.set(mark.term, mark.start)
    if (marks.length === before || enough < (marks[0]?.start ?? 0) + FURTHEST) continue
    const together = lastAt.size === matcher.count && [...lastAt.values()].every((at) => at > end - (LENGTH - LEAD))
    enough = together ? end + LENGTH : (marks[0]?.start ?? 0) + FURTHEST
  }
  return marks
}

/** Matches within a run without spaces: only the characters searched for. */
function pairMarks(text: string, start: number, end: number, matcher: Matcher): Mark[] {
  const marks: Mark[] = []
  const characters = [...text.slice(start, end)]
  let at = start
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1] ?? ''
    const found = matcher.of(foldText(character + next)) ?? matcher.of(foldText(character))
    if (found !== undefined) {
      const both = found.length > foldText(character).length
      marks.push({ start: at, end: at + character.length + (both ? next.length : 0), term: found })
    }
    at += character.length
  }
  return marks
}

interface Passage {
  readonly from: number
  readonly count: number
}

function densest(marks: readonly Mark[], most: number): Passage {
  let best = { from: 0, count: 0 }
  for (const [index, { start }] of marks.entries()) {
    const near = new Set<string>()
    for (let at = index; at < marks.length && at < index + 40; at += 1) {
      const mark = marks[at]
      if (!mark || mark.end > start + LENGTH - LEAD) break
      near.add(mark.term)
    }
    if (near.size > best.count) best = { from: start, count: near.size }
    if (best.count === most) break
  }
  return best
}

function cutOut({ form, text }: SearchableText, marks: readonly Mark[], from: number): SearchSnippet {
  const start = from <= LEAD ? 0 : wordBoundary(text, from - LEAD, 1)
  const end = Math.min(text.length, start + LENGTH)
  const whole = end === text.length ? end : wordBoundary(text, end, 0)
  return { form, spans: spansOf(text, marks, start, whole), cut: { before: start > 0, after: whole < text.length } }
}

/** Moves an offset to a word boundary nearby, never within a surrogate pair. */
function wordBoundary(text: string, at: number, behind: 0 | 1): number {
  const space = text.slice(at, at + 20).search(/\s/)
  if (space >= 0) return at + space + behind
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at + 1 : at
}

function spansOf(text: string, marks: readonly Mark[], start: number, end: number): SnippetSpan[] {
  const spans: SnippetSpan[] = []
  const add = (from: number, to: number, hit: boolean): void => {
    if (to <= from) return
    const piece = text.slice(from, to).replace(/\s+/g, ' ')
    const last = spans.at(-1)
    if (last && last.hit === hit) spans[spans.length - 1] = { text: last.text + piece, hit }
    else spans.push({ text: piece, hit })
  }
  let at = start
  for (const mark of marks) {
    if (mark.start < start || mark.start >= end) continue
    add(at, mark.start, false)
    add(Math.max(at, mark.start), Math.min(mark.end, end), true)
    at = Math.max(at, Math.min(mark.end, end))
  }
  add(at, end, false)
  return spans
}
