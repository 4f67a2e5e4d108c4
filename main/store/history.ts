// Many conversations at a time. The pages of a list are told apart by the place of their last entry, never by a number
// of rows, so that what is added or moves meanwhile neither repeats nor hides one.
import type { ChatFilter } from '#app/chat/chat-filter.ts'
import { type Conversation, conversation } from '#app/chat/conversation.ts'
import type { Log } from '#main/base/log.ts'
import type { Database, Row, Value } from './database.ts'
import { purgeConversations } from './purge.ts'
import { NOT_WHOLE } from './put-whole.ts'
import { parseRows } from './rows.ts'
import type { HistoryStore, Standing } from './types.ts'

const AFTER = '(updated_at, id) < (?, ?)'
const ORDER = 'ORDER BY updated_at DESC, id DESC'
const THESE = 'id IN (SELECT value FROM json_each(?))'

/** Of a field in the body; a body that is no JSON stays as it is. */
const setField = (name: string, value: string): string =>
  `UPDATE conversations SET body = json_set(body, '$.${name}', ${value}) WHERE json_valid(body) AND ${THESE}`
const clearField = (name: string): string =>
  `UPDATE conversations SET body = json_remove(body, '$.${name}') WHERE json_valid(body) AND ${THESE}`

/** The part of WHERE that fits a filter, and its values. */
function fitting({ archived, text, folderId, model, since, until }: ChatFilter): readonly [string, readonly Value[]] {
  const parts: (readonly [string, ...Value[]])[] = [['deleted_at IS NULL'], [archived ? "shelf = 'archived'" : "shelf <> 'archived'"]]
  if (text !== undefined && text.trim() !== '')
    parts.push(["title LIKE ? ESCAPE '\\'", `%${text.trim().replace(/[\\%_]/g, (special) => `\\${special}`)}%`])
  if (folderId !== undefined) parts.push(folderId === null ? ['folder IS NULL'] : ['folder = ?', folderId])
  if (model !== undefined) parts.push(['model = ?', model])
  if (since !== undefined) parts.push(['updated_at >= ?', since])
  if (until !== undefined) parts.push(['updated_at < ?', until])
  return [parts.map(([sql]) => sql).join(' AND '), parts.flatMap(([, ...values]) => values)]
}

export function createHistoryStore(database: Database, log: Log): HistoryStore {
  const conversations = (sql: string, values: readonly Value[]): Conversation[] =>
    parseRows(conversation, database.all(sql, ...values), 'conversation', log)
  const page = (where: string, values: readonly Value[], { after, limit }: Parameters<HistoryStore['find']>[1]): Conversation[] =>
    conversations(`SELECT id, body FROM conversations WHERE ${where}${after ? ` AND ${AFTER}` : ''} ${ORDER} LIMIT ?`, [
      ...values,
      ...(after ? [after.updatedAt, after.id] : []),
      limit,
    ])

  return {
    shelf: (shelf, how) => page('deleted_at IS NULL AND shelf = ?', [shelf], how),
    find: (filter, how) => page(...fitting(filter), how),
    count(filter) {
      const [where, values] = fitting(filter)
      return Number(database.get(`SELECT count(*) AS found FROM conversations WHERE ${where}`, ...values)?.['found'])
    },
    ids(filter) {
      const [where, values] = fitting(filter)
      return database.all(`SELECT id FROM conversations WHERE ${where} ${ORDER}`, ...values).map((row) => String(row['id']))
    },
    inFolder: (folderId) => database.all('SELECT id FROM conversations WHERE folder = ?', folderId).map((row) => String(row['id'])),
    standings(ids) {
      const rows = database.all(
        `SELECT id, deleted_at, folder, json_extract(body, '$.pinned') AS pinned, json_extract(body, '$.archivedAt') AS archived
         FROM conversations WHERE json_valid(body) AND ${THESE}`,
        JSON.stringify(ids),
      )
      return new Map(rows.map((row) => [String(row['id']), standing(row)]))
    },
    set(ids, { folderId, pinned, archivedAt, deletedAt }) {
      const these = JSON.stringify(ids)
      const change = (name: string, value: string | number | null | undefined): void => {
        if (value === null) database.run(clearField(name), these)
        else if (value !== undefined) database.run(setField(name, '?'), value, these)
      }
      database.transaction(() => {
        change('folderId', folderId)
        change('archivedAt', archivedAt)
        if (pinned === null) change('pinned', null)
        else if (pinned) database.run(setField('pinned', "json('true')"), these)
        if (deletedAt !== undefined) database.run(`UPDATE conversations SET deleted_at = ? WHERE ${THESE}`, deletedAt, these)
      })
    },
    deleted({ after, limit }) {
      const rows = database.all(
        `SELECT id, deleted_at, body FROM conversations WHERE deleted_at > ${NOT_WHOLE}${after ? ' AND (deleted_at, id) < (?, ?)' : ''}
         ORDER BY deleted_at DESC, id DESC LIMIT ?`,
        ...(after ? [after.deletedAt, after.id] : []),
        limit,
      )
      const times = new Map(rows.map((row) => [String(row['id']), Number(row['deleted_at'])]))
      return parseRows(conversation, rows, 'conversation', log).map((one) => ({ conversation: one, deletedAt: times.get(one.id) ?? 0 }))
    },
    deletedIds: () => database.all(`SELECT id FROM conversations WHERE deleted_at > ${NOT_WHOLE}`).map((row) => String(row['id'])),
    purge: (ids) => purgeConversations(database, ids),
  }
}

const standing = (row: Row): Standing => ({
  folderId: row['folder'] === null ? null : String(row['folder']),
  pinned: row['pinned'] === 1 ? true : null,
  archivedAt: row['archived'] === null ? null : Number(row['archived']),
  deletedAt: row['deleted_at'] === null ? null : Number(row['deleted_at']),
})
