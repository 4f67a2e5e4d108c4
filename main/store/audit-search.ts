// Finding rows of the record: filters walk an index of short columns, words an index of words. Both say which rows; the
// rows themselves are read from the chain's own table, and only as many as are asked for.
import { type AuditFilter, auditCountLimit } from '#app/consent/audit.ts'
import type { Database, Row, Value } from './database.ts'

const COLUMNS = 'seq, time, kind, server, tool, decision, by, conversation_id, detail, previous, hash'
const longestSearch = 20
const mostConversations = 50

const FILTERS = `f.seq > ?1 AND f.seq < ?2
  AND (?3 IS NULL OR f.server = ?3)
  AND (?4 IS NULL OR f.kind IN (SELECT value FROM json_each(?4)))
  AND (?5 IS NULL OR f.decision IN (SELECT value FROM json_each(?5)))
  AND (?6 IS NULL OR f.by IN (SELECT value FROM json_each(?6)))
  AND f.time >= ?7 AND f.time < ?8`
const BY_FILTER = `SELECT f.seq FROM audit f INDEXED BY audit_facts WHERE ${FILTERS}`
const BY_WORDS = `SELECT f.seq FROM audit_words w CROSS JOIN audit f INDEXED BY audit_facts ON f.seq = w.rowid
  WHERE audit_words MATCH ?9 AND w.rowid > ?1 AND w.rowid < ?2 AND ${FILTERS}`

const newest = (found: string, order: string, limit: string): string =>
  `SELECT ${COLUMNS} FROM audit WHERE seq IN (${found} ORDER BY ${order} DESC LIMIT ${limit}) ORDER BY seq DESC`
const oldest = (found: string, order: string, limit: string): string =>
  `SELECT ${COLUMNS} FROM audit WHERE seq IN (${found} ORDER BY ${order} LIMIT ${limit}) ORDER BY seq`
const counted = (found: string, limit: string): string => `SELECT count(*) AS found FROM (${found} LIMIT ${limit})`

const byFilter = {
  newest: newest(BY_FILTER, 'f.seq', '?9'),
  oldest: oldest(BY_FILTER, 'f.seq', '?9'),
  count: counted(BY_FILTER, '?9'),
}
const byWords = {
  newest: newest(BY_WORDS, 'w.rowid', '?10'),
  oldest: oldest(BY_WORDS, 'w.rowid', '?10'),
  count: counted(BY_WORDS, '?10'),
}

/** All of them: needs no index, so that the record of a profile that was not brought up to this version can be read. */
const unfiltered = {
  newest: `SELECT ${COLUMNS} FROM audit WHERE seq > ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3`,
  oldest: `SELECT ${COLUMNS} FROM audit WHERE seq > ?1 AND seq < ?2 ORDER BY seq LIMIT ?3`,
  count: 'SELECT count(*) AS found FROM (SELECT seq FROM audit WHERE seq > ?1 AND seq < ?2 LIMIT ?3)',
}

export interface RowSearch {
  /** Rows between these two, both left out. */
  rows(order: 'newest' | 'oldest', between: { readonly after?: number; readonly before?: number }, limit: number): Row[]
  /** Up to one more than the limit of counting. */
  count(): number
}

export function searchRows(database: Database, filter: AuditFilter): RowSearch {
  const { server = null, since = Number.MIN_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER } = filter
  const match = matchOf(database, filter.text ?? '')
  const filtered = Object.entries(filter).some(([name, value]) => name !== 'text' && value !== undefined)
  const find = match !== undefined ? byWords : filtered ? byFilter : unfiltered
  const facts: Value[] = [server, listed(filter.kinds), listed(filter.decisions), listed(filter.by), since, until]
  const values = (after: number, before: number, limit: number): Value[] => [
    after,
    before,
    ...(find === unfiltered ? [] : facts),
    ...(match === undefined ? [] : [match]),
    limit,
  ]
  return {
    rows: (order, { after = 0, before = Number.MAX_SAFE_INTEGER }, limit) => database.all(find[order], ...values(after, before, limit)),
    count: () => Number(database.get(find.count, ...values(0, Number.MAX_SAFE_INTEGER, auditCountLimit + 1))?.['found'] ?? 0),
  }
}

const listed = (values: readonly string[] | undefined): string | null => (values === undefined ? null : JSON.stringify(values))

/** In the words of FTS5, each quoted, so that nothing in it is an operator. Undefined: there is nothing to look for. */
function matchOf(database: Database, text: string): string | undefined {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  if (words.length === 0) return undefined
  return words
    .slice(0, longestSearch)
    .map((word) => `(${[`${quoted(word)}*`, ...conversationsTitled(database, word).map(quoted)].join(' OR ')})`)
    .join(' AND ')
}

const quoted = (text: string): string => `"${text.replaceAll('"', ' ').replaceAll('\0', ' ')}"`

const conversationsTitled = (database: Database, word: string): string[] =>
  database
    .all(
      `SELECT id FROM conversations WHERE instr(lower(body ->> '$.title'), lower(?)) > 0 ORDER BY updated_at DESC LIMIT ${mostConversations}`,
      word,
    )
    .map((row) => String(row['id']))
