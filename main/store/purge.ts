// Purging: conversations with their messages and drafts, single messages, and the blobs that nothing else shows are removed for
// good 30 days after their deletion, or sooner when the person asks; conversations that never came in whole, at once.
import { editKey } from '#app/chat/drafts.ts'
import type { Database } from './database/database.ts'
import { texts } from './rows.ts'

/** Time of deletion of a conversation that is not stored whole yet. */
export const NOT_WHOLE = 0
const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000
const BLOB_NAME = /"sha256":"([0-9a-f]{64})"/g

/** Purges what expired. Returns how many conversations, and messages of other conversations, were removed. */
export function purgeDeleted(database: Database, now: number): number {
  const expired = (table: 'conversations' | 'messages'): string[] => texts(database.all(EXPIRED[table], now - KEPT_FOR_MS))
  const conversations = expired('conversations')
  if (conversations.length === 0 && expired('messages').length === 0) return 0
  return purge(database, conversations, () => expired('messages'))
}

/** Purges those of the conversations that are deleted. Returns how many were removed. */
export function purgeConversations(database: Database, ids: readonly string[]): number {
  const deleted = 'SELECT id FROM conversations WHERE deleted_at IS NOT NULL AND id IN (SELECT value FROM json_each(?))'
  const found = texts(database.all(deleted, JSON.stringify(ids)))
  return found.length === 0 ? 0 : purge(database, found, () => [])
}

function purge(database: Database, conversations: readonly string[], alone: () => readonly string[]): number {
  return database.transaction(() => {
    const orphans = new Set<string>()
    for (const id of conversations) {
      for (const row of database.all('SELECT id, body FROM messages WHERE conversation_id = ?', id)) {
        for (const sha256 of blobNames(row['body'])) orphans.add(sha256)
        dropEdit(database, String(row['id']))
      }
      database.run('DELETE FROM conversations WHERE id = ?', id)
      database.run('DELETE FROM drafts WHERE conversation_id = ?', id)
      for (const sha256 of blobNames(database.get('SELECT body FROM draft_extras WHERE conversation_id = ?', id)?.['body']))
        orphans.add(sha256)
      database.run('DELETE FROM draft_extras WHERE conversation_id = ?', id)
      database.run('DELETE FROM told_folders WHERE conversation = ?', id)
    }
    const messages = alone()
    for (const id of messages) {
      for (const sha256 of blobNames(database.get('SELECT body FROM messages WHERE id = ?', id)?.['body'])) orphans.add(sha256)
      dropEdit(database, id)
      takeOut(database, id)
    }
    dropBlobs(database, orphans)
    return conversations.length + messages.length
  })
}

const EXPIRED = {
  conversations: `SELECT id FROM conversations WHERE deleted_at IS NOT NULL AND (deleted_at < ? OR deleted_at = ${NOT_WHOLE})`,
  messages: 'SELECT id FROM messages WHERE deleted_at IS NOT NULL AND deleted_at < ?',
}

const dropEdit = (database: Database, message: string): void =>
  void database.run('DELETE FROM drafts WHERE conversation_id = ?', editKey(message))

function takeOut(database: Database, id: string): void {
  database.run(
    'UPDATE messages SET parent = (SELECT parent FROM messages WHERE id = ?1) WHERE parent = ?1 AND conversation_id = (SELECT conversation_id FROM messages WHERE id = ?1)',
    id,
  )
  database.run('UPDATE conversations SET leaf = (SELECT parent FROM messages WHERE id = ?1) WHERE leaf = ?1', id)
  database.run('DELETE FROM branches_shown WHERE child = ?', id)
  database.run('DELETE FROM messages WHERE id = ?', id)
}

/** Drops those of the blobs that nothing shows any more. */
export function dropBlobs(database: Database, names: ReadonlySet<string>): void {
  const orphans = new Set(names)
  if (orphans.size) for (const sha256 of stillShown(database)) orphans.delete(sha256)
  for (const sha256 of orphans) database.run('DELETE FROM blobs WHERE sha256 = ?', sha256)
}

function* stillShown(database: Database): Iterable<string> {
  for (const row of database.all('SELECT body FROM draft_extras')) yield* blobNames(row['body'])
  for (const row of database.all('SELECT body FROM hand_runs')) yield* blobNames(row['body'])
  const next = 'SELECT place, body FROM messages WHERE place > ? AND body LIKE \'%"sha256":"%\' ORDER BY place LIMIT 200'
  for (let place = 0; ; ) {
    const rows = database.all(next, place)
    for (const row of rows) yield* blobNames(row['body'])
    if (rows.length === 0) return
    place = Number(rows.at(-1)?.['place'])
  }
}

export function* blobNames(body: unknown): Iterable<string> {
  for (const [, sha256] of String(body).matchAll(BLOB_NAME)) if (sha256) yield sha256
}
