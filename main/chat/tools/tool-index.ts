// Which tools a text is about: BM25 over what a tool says of itself, each field with a weight of its own (BM25F). Made once
// for a list of tools and asked often; no network, no model. What a server writes only ever ranks its own tools: a
// description that repeats itself gains next to nothing, since terms saturate and long fields count less.
import type { OfferedTool } from '#main/servers/types.ts'
import { hintsOf } from './hints.ts'
import { synonymsOf } from './synonyms.ts'
import { type ToolTerms, toolTerms } from './tool-terms.ts'
import { termsOf } from './words.ts'

export interface Ranked {
  readonly offered: OfferedTool
  readonly score: number
}

export interface ToolIndex {
  readonly size: number
  /** The best first, none without a match; equals in the order of the list. */
  rank(text: string, limit: number): Ranked[]
}

const SATURATION = 1.2
/** What a word counts that means the same. */
const SYNONYM = 0.35
/** Of a long text, so many different terms at most: those that are rarest among the tools. */
const MOST_TERMS = 40
/** How much it adds when the text names all of a tool's name. */
const NAME_BONUS = 0.6

export function createToolIndex(tools: readonly OfferedTool[]): ToolIndex {
  const documents = tools.map((offered) => toolTerms(offered))
  const postings = postingsOf(documents)
  const rarity = (term: string): number => {
    const found = postings.get(term)?.documents.length ?? 0
    return found === 0 ? 0 : Math.log(1 + (documents.length - found + 0.5) / (found + 0.5))
  }

  function rank(text: string, limit: number): Ranked[] {
    const asked = rarest([...new Set(termsOf(text))], rarity)
    const hinted = hintsOf(text).filter((term) => !asked.includes(term))
    const scores = new Float64Array(documents.length)
    const best = new Float64Array(documents.length)
    const matched: number[] = []
    for (const meant of [...asked.map(meanings), ...hinted.map(onlyHinted)]) {
      const touched: number[] = []
      for (const [other, worth] of meant) {
        const posting = postings.get(other)
        if (!posting) continue
        const weight = worth * rarity(other)
        for (const [at, document] of posting.documents.entries()) {
          const frequency = posting.frequencies[at] ?? 0
          const score = (weight * frequency * (SATURATION + 1)) / (frequency + SATURATION)
          if (best[document] === 0) touched.push(document)
          if (score > (best[document] ?? 0)) best[document] = score
        }
      }
      for (const document of touched) {
        if (scores[document] === 0) matched.push(document)
        scores[document] = (scores[document] ?? 0) + (best[document] ?? 0)
        best[document] = 0
      }
    }
    const terms = new Set(asked)
    return matched
      .map((document) => ({ document, score: (scores[document] ?? 0) * (1 + NAME_BONUS * nameCover(documents[document], terms)) }))
      .sort((a, b) => b.score - a.score || a.document - b.document)
      .slice(0, limit)
      .flatMap(({ document, score }) => {
        const offered = tools[document]
        return offered ? [{ offered, score }] : []
      })
  }
  return { size: documents.length, rank }
}

const meanings = (term: string): readonly (readonly [string, number])[] => [
  [term, 1],
  ...[...synonymsOf(term)].map((other) => [other, SYNONYM] as const),
]

const onlyHinted = (term: string): readonly (readonly [string, number])[] => [[term, SYNONYM]]

function rarest(terms: readonly string[], rarity: (term: string) => number): readonly string[] {
  if (terms.length <= MOST_TERMS) return terms
  const worth = (term: string): number => Math.max(...meanings(term).map(([other, weight]) => weight * rarity(other)))
  return terms
    .map((term) => ({ term, worth: worth(term) }))
    .sort((a, b) => b.worth - a.worth)
    .slice(0, MOST_TERMS)
    .map(({ term }) => term)
}

/** How much of the tool's name is in the text, 0–1, synonyms for half. */
function nameCover(document: ToolTerms | undefined, asked: ReadonlySet<string>): number {
  if (!document || document.name.length === 0) return 0
  const hits = document.name.map((term) => (asked.has(term) ? 1 : [...synonymsOf(term)].some((other) => asked.has(other)) ? 0.5 : 0))
  return hits.reduce<number>((sum, hit) => sum + hit, 0) / hits.length
}

interface Posting {
  readonly documents: number[]
  readonly frequencies: number[]
}

function postingsOf(documents: readonly ToolTerms[]): ReadonlyMap<string, Posting> {
  const postings = new Map<string, Posting>()
  for (const [index, { frequencies }] of documents.entries()) {
    for (const [term, frequency] of frequencies) {
      const posting = postings.get(term)
      if (posting) {
        posting.documents.push(index)
        posting.frequencies.push(frequency)
      } else postings.set(term, { documents: [index], frequencies: [frequency] })
    }
  }
  return postings
}
