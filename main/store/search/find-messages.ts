// One search in steps: hits are walked from the latest back, and between two steps the caller may cancel it. Deleted messages are
// passed over here rather than in the index, so that they are found again as soon as they are restored.
import type { Message } from '#app/chat/message.ts'
import { foldText } from '#app/chat/search/fold-words.ts'
import { parseSearch, type SearchQuery } from '#app/chat/search/search-query.ts'
import {
  mostHitsAConversation,
  type SearchCounts,
  type SearchFound,
  type SearchHit,
  type SearchWhere,
  searchCountLimit,
} from '#app/chat/search/search-result.ts'
import { type Matcher, markedSpans, matcherOf, snippetOf } from '#app/chat/search/search-snippet.ts'
import { searchableParts } from '#app/chat/search/searchable-text.ts'
import { isJsonObject } from '#app/json.ts'
import { defined, parseJson } from '#app/or-else.ts'
import type { Database, Row } from '../database/database.ts'
import { texts } from '../rows.ts'
import { firstPlace, matchOf } from './fts-query.ts'

/** Conversations of a search that names a folder or the archive. `few`: the index filters them. `many`: each hit is checked. */
type SearchScope =
  | { readonly kind: 'few'; readonly ids: readonly string[] }
  | { readonly kind: 'many'; readonly has: (conversation: Row) => boolean }

const FEW = 100

/** Undefined: the search is not limited to some conversations. */
function searchScopeOf(database: Database, query: SearchQuery): SearchScope | undefined {
  const { folder, inArchive } = query
  if (folder === undefined && !inArchive) return undefined
  const folders = folder === undefined ? undefined : foldersNamed(database, folder)
  if (folders?.length === 0) return { kind: 'few', ids: [] }
  const where = [
    'deleted_at IS NULL',
    ...(inArchive ? ["shelf = 'archived'"] : []),
    ...(folders ? [`folder IN (${folders.map(() => '?').join(', ')})`] : []),
  ].join(' AND ')
  const ids = texts(database.all(`SELECT id FROM conversations WHERE ${where} LIMIT ${FEW + 1}`, ...(folders ?? [])))
  if (ids.length <= FEW) return { kind: 'few', ids }
  return {
    kind: 'many',
    has: (conversation) =>
      (!inArchive || conversation['shelf'] === 'archived') && (!folders || folders.includes(String(conversation['folder']))),
  }
}

/** Ids of chat folders with a name, or else of those whose names begin so. */
function foldersNamed(database: Database, name: string): readonly string[] {
  const wanted = foldText(name)
  const named = database
    .all("SELECT id, body ->> '$.name' AS name FROM chat_folders")
    .map((row) => ({ id: String(row['id']), name: foldText(String(row['name'])) }))
  const exact = named.filter((one) => one.name === wanted)
  return (exact.length > 0 ? exact : named.filter((one) => one.name.startsWith(wanted))).map(({ id }) => id)
}

export interface SearchParams {
  readonly text: string
  readonly where: SearchWhere
  readonly conversationId?: string | undefined
  readonly before?: number | undefined
}

const PAGE = 40
const STEP = 50
/** Milliseconds from the start of a search after which a full page stops counting: common words can make it walk half of a profile. */
const COUNT_MS = 12

/** Returns a page of hits; undefined: the search is not wanted any more. */
export function find(database: Database, params: SearchParams, isWanted: () => boolean, countMs = COUNT_MS): SearchFound | undefined {
  const started = performance.now()
  const mayCount = (): boolean => performance.now() - started < countMs
  const query = parseSearch(params.text)
  const among = searchScopeOf(database, query)
  const titles = createTitles(database, among)
  const conversationIds = among?.kind === 'few' ? among.ids : undefined
  const walk = (where: SearchWhere) => walkHits(database, query, { ...params, where, conversationIds }, titles)
  const first = params.before === undefined

  const tally = createTally()
  const page = createPage(params.conversationId !== undefined)
  const inOne = first && params.where === 'all'
  if (!walkThrough(walk(params.where), { page, tally: inOne ? tally : undefined, isWanted, mayCount })) return undefined
  if (first && !inOne && !walkThrough(walk('all'), { page: undefined, tally, isWanted, mayCount })) return undefined
  const matcher = matcherOf(query.wanted)
  return {
    hits: page.rows.map((row) => toHit(database, row, titles, matcher)),
    more: page.more(),
    next: page.next(),
    ...(first ? { counts: tally.counts() } : {}),
  }
}

interface Walk {
  readonly page: ReturnType<typeof createPage> | undefined
  readonly tally: ReturnType<typeof createTally> | undefined
  readonly isWanted: () => boolean
  readonly mayCount: () => boolean
}

/** Walks until page and tally have enough. Returns false when the search is not wanted any more. */
function walkThrough(walk: Iterable<FoundRow | undefined>, { page, tally, isWanted, mayCount }: Walk): boolean {
  let left = { page, tally }
  for (const row of walk) {
    if (!isWanted()) return false
    if (row) left = { page: left.page?.take(row) ? page : undefined, tally: left.tally?.take(row) ? tally : undefined }
    else if (!left.page && !mayCount()) {
      left.tally?.cut()
      return true
    }
    if (!left.page && !left.tally) return true
  }
  return true
}

interface FoundRow {
  readonly place: number
  readonly message: number | null
  readonly piece: number
  readonly conversationId: string
  readonly kind: 'title' | 'message' | 'call'
}

type WalkParams = SearchParams & { readonly conversationIds: readonly string[] | undefined }

/** Yields undefined after each step, so that the caller can stop. */
function* walkHits(database: Database, query: SearchQuery, params: WalkParams, titles: Titles): Generator<FoundRow | undefined> {
  const match = matchOf(database, query, params)
  if (match === undefined) return
  const from = query.after === undefined ? 0 : firstPlace(query.after)
  const before = Math.min(
    params.before ?? Number.MAX_SAFE_INTEGER,
    query.before === undefined ? Number.MAX_SAFE_INTEGER : firstPlace(query.before),
  )
  let walked = 0
  for (const row of database.walk(FOUND, match, before, from)) {
    const found = toFound(row)
    if (found && titles.get(found.conversationId)) yield found
    walked += 1
    if (walked % STEP === 0) yield undefined
  }
}

// One statement for all steps: FTS5 would have to find its place again for each.
const FOUND = `SELECT p.place, p.message, p.piece, coalesce(p.conversation_id, m.conversation_id) AS conversation, m.deleted_at
  FROM search_words AS w
  CROSS JOIN search_pieces AS p ON p.place = w.rowid
  LEFT JOIN messages AS m ON m.place = p.message
  WHERE w.search_words MATCH ?1 AND w.rowid < ?2 AND w.rowid >= ?3
  ORDER BY w.rowid DESC`

function toFound(row: Row): FoundRow | undefined {
  if (typeof row['conversation'] !== 'string' || row['deleted_at'] !== null) return undefined
  const message = row['message'] === null ? null : Number(row['message'])
  const piece = Number(row['piece'])
  return {
    place: Number(row['place']),
    message,
    piece,
    conversationId: row['conversation'],
    kind: message === null ? 'title' : piece === 0 ? 'message' : 'call',
  }
}

function createPage(oneConversation: boolean) {
  const rows: FoundRow[] = []
  const seen = new Map<string, number>()
  let looked = 0
  let last: number | null = null
  let full = false
  return {
    rows,
    take(row: FoundRow): boolean {
      full = rows.length >= PAGE || looked >= searchCountLimit
      if (full) return false
      looked += 1
      last = row.place
      const count = (seen.get(row.conversationId) ?? 0) + 1
      seen.set(row.conversationId, count)
      if (oneConversation || count <= mostHitsAConversation) rows.push(row)
      return true
    },
    more: (): Record<string, number> =>
      oneConversation
        ? {}
        : Object.fromEntries(
            [...seen].flatMap(([id, count]) => (count > mostHitsAConversation ? [[id, count - mostHitsAConversation]] : [])),
          ),
    next: (): number | null => (full ? last : null),
  }
}

function createTally() {
  const counts = { title: 0, message: 0, call: 0 }
  let all = 0
  let capped = false
  return {
    take({ kind }: FoundRow): boolean {
      capped = all >= searchCountLimit
      if (capped) return false
      all += 1
      counts[kind] += 1
      return true
    },
    cut(): void {
      capped = true
    },
    counts: (): SearchCounts => ({ all, messages: counts.message, results: counts.call, titles: counts.title, capped }),
  }
}

type Titles = ReturnType<typeof createTitles>

function createTitles(database: Database, among: SearchScope | undefined) {
  const read = (id: string) => {
    const row = database.get('SELECT title, updated_at, shelf, folder FROM conversations WHERE id = ? AND deleted_at IS NULL', id)
    if (row && among?.kind === 'many' && !among.has(row)) return undefined
    return row && { title: String(row['title']), updatedAt: Number(row['updated_at']) }
  }
  const known = new Map<string, ReturnType<typeof read>>()
  const marked = new Map<string, SearchHit['title']>()
  /** Undefined: the conversation is deleted, or outside of the search. */
  const get = (id: string) => {
    if (!known.has(id)) known.set(id, read(id))
    return known.get(id)
  }
  return {
    get,
    marked(id: string, matcher: Matcher): SearchHit['title'] {
      const spans = marked.get(id) ?? markedSpans(get(id)?.title ?? '', matcher)
      marked.set(id, spans)
      return spans
    },
  }
}

function toHit(database: Database, row: FoundRow, titles: Titles, matcher: Matcher): SearchHit {
  const { place, conversationId } = row
  const about = titles.get(conversationId)
  const base = { place, conversationId, title: titles.marked(conversationId, matcher) }
  if (row.message === null) return { ...base, kind: 'title', at: about?.updatedAt ?? 0 }
  const message = readMessage(database, row.message)
  const piece = message && searchableParts(message).find(({ index }) => index === row.piece)
  if (!message || !piece) return { ...base, kind: row.kind === 'call' ? 'call' : 'answer', at: about?.updatedAt ?? 0 }
  const { kind, callId, server, tool, texts: words } = piece
  return {
    ...base,
    kind,
    messageId: message.id,
    ...defined({ callId, server, tool }),
    at: message.createdAt,
    snippet: mutable(snippetOf(kind === 'call' ? words.slice(1) : words, matcher)),
  }
}

const mutable = (snippet: ReturnType<typeof snippetOf>): NonNullable<SearchHit['snippet']> => ({
  form: snippet.form,
  cut: snippet.cut,
  spans: [...snippet.spans],
})

/** Reads a message without its schema, which it passed when it was stored. A damaged one has no snippet. */
function readMessage(database: Database, place: number): Message | undefined {
  const value = parseJson(String(database.get('SELECT body FROM messages WHERE place = ?', place)?.['body']))
  return isJsonObject(value) ? (value as unknown as Message) : undefined
}
