// The audit log. Rows are only appended: triggers refuse any other change through SQL, and the chain of hashes shows changes made
// outside of SQL. The head shows that rows at the end were cut, unless it was rewritten too: see audit-anchor.ts.
// Filters and words are looked up in indexes; the rows themselves come from the chain's own table, only as many as are wanted.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalToolJson } from '#app/canonical-json.ts'
import { type AuditFault, type AuditFilter, type AuditRow, auditCountLimit, auditRow } from '#app/consent/audit-row.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import { type Database, openDatabase, type Row, type Value } from '#main/store/database/database.ts'
import { peekVersion, readSchemaVersion, refuseNewer } from '#main/store/database/migrate.ts'
import { schemaVersion } from '#main/store/database/schema.ts'
import { insert, texts } from '#main/store/rows.ts'

const COLUMNS = 'seq, time, kind, server, tool, decision, by, conversation_id, detail, previous, hash'
const longestSearch = 20

const FILTERS = `f.seq > ?1 AND f.seq < ?2
  AND (?3 IS NULL OR f.server = ?3)
  AND (?4 IS NULL OR f.kind IN (SELECT value FROM json_each(?4)))
  AND (?5 IS NULL OR f.decision IN (SELECT value FROM json_each(?5)))
  AND (?6 IS NULL OR f.by IN (SELECT value FROM json_each(?6)))
  AND f.time >= ?7 AND f.time < ?8`
const BY_FILTER = `SELECT f.seq FROM audit f INDEXED BY audit_facts WHERE ${FILTERS}`
const BY_WORDS = `SELECT f.seq FROM audit_words w CROSS JOIN audit f INDEXED BY audit_facts ON f.seq = w.rowid
  WHERE audit_words MATCH ?9 AND w.rowid > ?1 AND w.rowid < ?2 AND ${FILTERS}`

const statements = (found: string, order: string, limit: string) => ({
  newest: `SELECT ${COLUMNS} FROM audit WHERE seq IN (${found} ORDER BY ${order} DESC LIMIT ${limit}) ORDER BY seq DESC`,
  oldest: `SELECT ${COLUMNS} FROM audit WHERE seq IN (${found} ORDER BY ${order} LIMIT ${limit}) ORDER BY seq`,
  count: `SELECT count(*) AS found FROM (${found} LIMIT ${limit})`,
})
const byFilter = statements(BY_FILTER, 'f.seq', '?9')
const byWords = statements(BY_WORDS, 'w.rowid', '?10')

/** Statements without a filter need no index, so the log of a profile that was not migrated can be read. */
const unfiltered = {
  newest: `SELECT ${COLUMNS} FROM audit WHERE seq > ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3`,
  oldest: `SELECT ${COLUMNS} FROM audit WHERE seq > ?1 AND seq < ?2 ORDER BY seq LIMIT ?3`,
  count: 'SELECT count(*) AS found FROM (SELECT seq FROM audit WHERE seq > ?1 AND seq < ?2 LIMIT ?3)',
}

function searchRows(database: Database, filter: AuditFilter) {
  const { server = null, since = Number.MIN_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER } = filter
  // Ids are words of the row, as its details are.
  const matches = [matchOf(database, filter.text ?? ''), filter.agent === undefined ? undefined : quoted(filter.agent)]
  const match = matches.every((one) => one === undefined) ? undefined : matches.filter((one) => one !== undefined).join(' AND ')
  const filtered = Object.entries(filter).some(([name, value]) => name !== 'text' && name !== 'agent' && value !== undefined)
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
    rows: (order: 'newest' | 'oldest', { after = 0, before = Number.MAX_SAFE_INTEGER }, limit: number): Row[] =>
      database.all(find[order], ...values(after, before, limit)),
    count: (): number => Number(database.get(find.count, ...values(0, Number.MAX_SAFE_INTEGER, auditCountLimit + 1))?.['found'] ?? 0),
  }
}

const requestIds = ['callId', 'requestId', 'exchangeId'] as const
const RELATED = `SELECT ${COLUMNS} FROM audit WHERE seq IN
  (SELECT rowid FROM audit_words WHERE audit_words MATCH ? ORDER BY rowid DESC LIMIT 1000) ORDER BY seq DESC`

const listed = (values: readonly string[] | undefined): string | null => (values === undefined ? null : JSON.stringify(values))

/** Returns an FTS5 query of the words, each quoted, so that none is an operator; undefined without words. */
function matchOf(database: Database, text: string): string | undefined {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  if (words.length === 0) return undefined
  return words
    .slice(0, longestSearch)
    .map((word) => `(${[`${quoted(word)}*`, ...conversationsTitled(database, word).map(quoted)].join(' OR ')})`)
    .join(' AND ')
}

const quoted = (text: string): string => `"${text.replaceAll('"', ' ').replaceAll('\0', ' ')}"`

const TITLED = `SELECT id FROM conversations WHERE instr(lower(body ->> '$.title'), lower(?)) > 0 ORDER BY updated_at DESC LIMIT 50`
const conversationsTitled = (database: Database, word: string): string[] => texts(database.all(TITLED, word))

const PAGE = 500

const reasons = (): Readonly<Record<ChainFault | 'unreadable', string>> => ({
  'not-kept': t`its hash does not match`,
  missing: t`rows before it are missing or out of order`,
  'not-linked': t`rows before it are missing or out of order`,
  altered: t`its hash does not match`,
  cut: t`rows after it are missing`,
  unreadable: t`it cannot be read`,
})

const readHead = (database: Database): ChainEnd | undefined => {
  const row = database.get('SELECT seq, hash FROM audit_head')
  return row && { seq: Number(row['seq']), hash: String(row['hash']) }
}

/**
 * Returns the end that the next row follows. Where the head was removed or points behind the last row, the next row comes after all
 * rows: a host that cannot append could run no tool. Its `previous` is the head's hash or `CHAIN_LOST`, so it does not follow from
 * the last row, and `verify` reports that from then on.
 */
function endToAppendTo(database: Database): ChainEnd {
  const head = readHead(database)
  const last = Number(database.get('SELECT max(seq) AS seq FROM audit')?.['seq'] ?? 0)
  if (head && head.seq >= last) return head
  const end: ChainEnd = { seq: last, hash: head?.hash ?? CHAIN_LOST }
  if (head) database.run('UPDATE audit_head SET seq = ?', end.seq)
  else database.run('INSERT INTO audit_head VALUES (1, ?, ?)', end.seq, end.hash)
  return end
}

export type AuditEntry = Pick<AuditRow, 'kind'> &
  Partial<Pick<AuditRow, 'server' | 'tool' | 'decision' | 'by' | 'conversationId' | 'detail'>>

export type AuditStore = ReturnType<typeof createAuditStore>

export function createAuditStore(database: Database, clock: Clock, log: Log) {
  return {
    ...createAuditReader(database, log),
    append: (entry: AuditEntry): AuditRow =>
      database.transaction(() => {
        const end = endToAppendTo(database)
        const fields = {
          seq: end.seq + 1,
          time: clock.now(),
          kind: entry.kind,
          server: column(entry.server),
          tool: column(entry.tool),
          decision: column(entry.decision),
          by: column(entry.by),
          conversationId: column(entry.conversationId),
          // Parsed from its text, so that what is hashed is what will be read.
          detail: JSON.parse(canonicalToolJson(entry.detail ?? {})) as JsonObject,
          previous: end.hash,
        }
        const row: AuditRow = { ...fields, hash: hashRow(fields) }
        const { conversationId, ...columns } = row
        insert(database, 'audit', { ...columns, conversation_id: conversationId, detail: canonicalToolJson(row.detail) })
        return row
      }),
  }
}

interface AuditPage {
  readonly before?: number
  readonly limit: number
  readonly filter?: AuditFilter
}

export type AuditReader = ReturnType<typeof createAuditReader>

function createAuditReader(database: Database, log: Log) {
  function* pages(filter: AuditFilter): Iterable<Row[]> {
    const search = searchRows(database, filter)
    for (let after = 0; ; ) {
      const rows = search.rows('oldest', { after }, PAGE)
      yield rows
      if (rows.length < PAGE) return
      after = Number(rows.at(-1)?.['seq'])
    }
  }
  const readOrSkip = (row: Row): AuditRow[] => {
    const value = readRow(row)
    if (!value) log.warn(`row ${String(row['seq'])} of the audit log cannot be read and was skipped`)
    return value ? [value] : []
  }

  const reader = {
    /** Newest first. */
    list: ({ before, limit, filter = {} }: AuditPage): AuditRow[] =>
      searchRows(database, filter)
        .rows('newest', before === undefined ? {} : { before }, limit)
        .flatMap(readOrSkip),
    count: (filter: AuditFilter): number => searchRows(database, filter).count(),
    /** Other rows of the same calls, requests and exchanges as these, at most 1,000, newest first. */
    related(rows: readonly AuditRow[]): AuditRow[] {
      const known = new Set(rows.map(({ seq }) => seq))
      const ids = new Set(rows.flatMap(({ detail }) => requestIds.map((name) => detail[name])))
      const words = [...ids].filter((id) => typeof id === 'string').map(quoted)
      if (words.length === 0) return []
      return database
        .all(RELATED, words.join(' OR '))
        .flatMap(readOrSkip)
        .filter(({ seq }) => !known.has(seq))
    },
    /** Oldest first, one at a time. */
    *all(filter: AuditFilter = {}): Iterable<AuditRow> {
      for (const rows of pages(filter)) for (const row of rows) yield* readOrSkip(row)
    },
    row: (seq: number): AuditRow | undefined => database.all(`SELECT ${COLUMNS} FROM audit WHERE seq = ?`, seq).flatMap(readOrSkip)[0],
    head: (): ChainEnd | undefined => readHead(database),
    /** Verifies in steps of some hundred rows, so that the caller can yield to the event loop. */
    *check(kept?: ChainEnd): Generator<void, AuditFault | undefined> {
      let end: ChainEnd = { seq: 0, hash: CHAIN_START }
      // Rows with numbers below the first are checked too.
      for (let after = Number.MIN_SAFE_INTEGER; ; ) {
        const rows = database.all(`SELECT ${COLUMNS} FROM audit WHERE seq > ? ORDER BY seq LIMIT ${PAGE}`, after)
        for (const raw of rows) {
          const row = readRow(raw)
          const fault = row ? checkRow(end, row, kept) : 'unreadable'
          if (!row || fault) return { seq: Number(raw['seq']), reason: reasons()[fault ?? 'unreadable'] }
          end = row
        }
        // The last page and the head are read without a yield between them: a row that is added moves both.
        if (rows.length < PAGE) break
        after = end.seq
        yield
      }
      const fault = checkEnd(end, readHead(database), kept)
      return fault && { seq: end.seq, reason: reasons()[fault] }
    },
    verify(kept?: ChainEnd): AuditFault | undefined {
      const steps = reader.check(kept)
      for (;;) {
        const step = steps.next()
        if (step.done) return step.value
      }
    },
  }
  return reader
}

/** Replaces lone surrogates, which a server may send and SQLite does not give back. */
const column = (text: string | null | undefined): string | null => text?.toWellFormed() ?? null

/** Undefined: it does not fit; the caller names the row. */
function readRow(row: Row): AuditRow | undefined {
  const { conversation_id: conversationId, detail, ...rest } = row
  return auditRow.safeParse({ ...rest, conversationId, detail: parseJson(String(detail)) }).data
}

// The hash chain of the audit log: each row's hash is SHA-256 over the canonical JSON of all its fields, the previous row's hash
// among them. Whoever changes, removes or reorders rows has to recompute all later rows and the head.
export type ChainEnd = Pick<AuditRow, 'seq' | 'hash'>

/** `previous` of the first row, and the head's hash while there is none. */
const CHAIN_START = ''
/** `previous` of a row that was appended when there was no head: it follows from nothing. */
const CHAIN_LOST = 'lost'

export function hashRow({ hash: _, ...fields }: Omit<AuditRow, 'hash'> & Partial<AuditRow>): string {
  return createHash('sha256').update(canonicalToolJson(fields)).digest('hex')
}

type ChainFault = 'missing' | 'not-linked' | 'altered' | 'cut' | 'not-kept'

/** Returns the fault of a row that follows `end`, or undefined. `kept`: an earlier end of the chain, stored elsewhere. */
function checkRow(end: ChainEnd, row: AuditRow, kept?: ChainEnd): ChainFault | undefined {
  if (row.seq !== end.seq + 1) return 'missing'
  if (row.previous !== end.hash) return 'not-linked'
  if (hashRow(row) !== row.hash) return 'altered'
  return row.seq === kept?.seq && row.hash !== kept.hash ? 'not-kept' : undefined
}

/** Returns `cut` unless the walk ended at the head, and not before `kept`. Without a head the end is unknown, so it is `cut`. */
const checkEnd = (end: ChainEnd, head: ChainEnd | undefined, kept?: ChainEnd): ChainFault | undefined =>
  head && end.seq === head.seq && end.hash === head.hash && end.seq >= (kept?.seq ?? 0) ? undefined : 'cut'

/**
 * Opens the audit log of a profile read-only, also while Assent runs on it: no lock, no migration. It is read in one transaction,
 * so later rows are not seen.
 * @throws {HostError} `profile.newer`, `profile.corrupt`, or `profile.unwritable` when there is no profile.
 */
export function openAudit({ dataDir, log }: { readonly dataDir: string; readonly log: Log }): AuditReader & { close(): void } {
  const path = join(dataDir, 'assent.db')
  if (!existsSync(path)) throw noProfile(dataDir)
  refuseNewer(path, peekVersion(path), schemaVersion)
  const database = openDatabase(path, { readOnly: true })
  try {
    database.exec('BEGIN')
    // The first read begins the transaction's view. A newer version may stand in the write-ahead log alone.
    const version = readSchemaVersion(database)
    refuseNewer(path, version, schemaVersion)
    if (version === 0) throw noProfile(dataDir)
    return { ...createAuditReader(database, log), close: () => database.close() }
  } catch (error) {
    database.close()
    throw error
  }
}

const noProfile = (dataDir: string): HostError =>
  new HostError('profile.missing', t`There is no profile in ${dataDir}.`, { data: { path: dataDir } })
