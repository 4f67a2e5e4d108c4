// Queries for FTS5. They hold only folded terms of letters and digits, each quoted, so that nothing typed is an operator. Prefixes of
// words, servers and tools are looked up among the known terms, the oldest first, which are the commonest: an OR of some hundred terms
// is walked lazily, where FTS5's own prefix search would merge them all.
import { foldedTerms, foldedWords, foldText, isUnspaced } from '#app/chat/search/fold-words.ts'
import type { SearchQuery, SearchTerm } from '#app/chat/search/search-query.ts'
import type { SearchWhere } from '#app/chat/search/search-result.ts'
import type { Database } from '../database/database.ts'
import { texts } from '../rows.ts'

/** Pieces of one second that get numbers of their own; the gaps between numbers cost room in the index. */
const PLACES_A_SECOND = 8
const LATEST = 8_640_000_000_000_000

/** First place of a piece at or after a time in milliseconds. */
export const firstPlace = (ms: number): number => Math.floor(Math.min(LATEST, Math.max(0, ms || 0)) / 1000) * PLACES_A_SECOND

/** Terms of the column `facts`, in letters that the tokenizer leaves whole. */
export const factTerms = {
  kind: (kind: string): string => `k${kind}`,
  server: (name: string): string => `s${hex(name)}`,
  tool: (name: string): string => `t${hex(name)}`,
  conversation: (id: string): string => `c${hex(id)}`,
}
/** Marks a fact among the known terms, since words have no colon. */
export const knownFact = (fact: string): string => `:${fact}`
const hex = (text: string): string => Buffer.from(foldText(text).slice(0, 200), 'utf8').toString('hex')

const kindsOf: Readonly<Record<SearchWhere, readonly string[]>> = {
  all: ['title', 'you', 'answer', 'call'],
  messages: ['you', 'answer'],
  results: ['call'],
  titles: ['title'],
}

interface MatchScope {
  readonly where: SearchWhere
  readonly conversationId?: string | undefined
  /** Conversations to search; an empty list finds nothing. */
  readonly conversationIds?: readonly string[] | undefined
}

/** Returns the query; undefined: nothing can match. */
export function matchOf(database: Database, query: SearchQuery, scope: MatchScope): string | undefined {
  const wanted = query.wanted.map((term) => expressionOf(database, term))
  if (wanted.includes(undefined)) return undefined // A word that is in no text.
  if (scope.conversationIds?.length === 0) return undefined
  const limits = limitsOf(database, query, scope)
  if (limits.includes(undefined)) return undefined // A server or a tool that was never used.
  if (wanted.length === 0 && limits.length === 0 && !narrowed(query)) return undefined
  const all = [
    ...wanted,
    ...(wanted.length + limits.length === 0
      ? [`facts : (${kindsOf.all.map((kind) => quoted(factTerms.kind(kind))).join(' OR ')})`]
      : limits),
  ]
  const unwanted = query.unwanted.map((term) => expressionOf(database, term)).filter((one) => one !== undefined)
  const positive = all.join(' AND ')
  return unwanted.length === 0 ? positive : `(${positive}) NOT (${unwanted.join(' OR ')})`
}

/** Whether the query has filters beside the index. */
const narrowed = ({ after, before, folder, inArchive }: SearchQuery): boolean =>
  after !== undefined || before !== undefined || folder !== undefined || inArchive === true

/** Conditions of the filters; an undefined one matches nothing. */
function limitsOf(database: Database, query: SearchQuery, { where, conversationId, conversationIds }: MatchScope): (string | undefined)[] {
  const limits: (string | undefined)[] = []
  const kinds = query.inTitle ? kindsOf.titles : kindsOf[where]
  if (where !== 'all' || query.inTitle) limits.push(`facts : (${kinds.map((kind) => quoted(factTerms.kind(kind))).join(' OR ')})`)
  if (query.server !== undefined) limits.push(beginningOf(database, factTerms.server(query.server)))
  if (query.tool !== undefined) limits.push(beginningOf(database, factTerms.tool(query.tool)))
  if (conversationId !== undefined) limits.push(`facts : ${quoted(factTerms.conversation(conversationId))}`)
  if (conversationIds) limits.push(`facts : (${conversationIds.map((id) => quoted(factTerms.conversation(id))).join(' OR ')})`)
  return limits
}

function beginningOf(database: Database, fact: string): string | undefined {
  const known = knownTerms(database, knownFact(fact)).map((term) => term.slice(1))
  return known.length === 0 ? undefined : `facts : (${known.map(quoted).join(' OR ')})`
}

const quoted = (term: string): string => `"${term}"`

function expressionOf(database: Database, { text, open }: SearchTerm): string | undefined {
  const words = [...foldedWords(text)]
  const terms = words.flatMap(({ start, end }, index) => foldedTerms(foldText(text.slice(start, end)), index === words.length - 1))
  const last = terms.at(-1)
  if (last === undefined) return undefined
  const before = terms.slice(0, -1)
  // A single character of a script without spaces begins the pairs that it stands in.
  const begins = isUnspaced(last) ? [...last].length === 1 : open && last.length > 1
  const ends = begins ? knownTerms(database, last) : [last]
  if (ends.length === 0) return undefined
  return `words : (${ends.map((end) => quoted([...before, end].join(' '))).join(' OR ')})`
}

const EXPANDED = `SELECT term FROM search_terms WHERE term >= ?1 AND term < ?1 || char(1114111) ORDER BY term <> ?1, seen LIMIT 100`

const knownTerms = (database: Database, begin: string): string[] => texts(database.all(EXPANDED, begin), 'term')
