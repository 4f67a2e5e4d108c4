// Folders of chats, and what the person keeps for their chats: saved prompts, assistants, facts of the memory.
import type { z } from 'zod'
import { type ChatFolder, chatFolder } from '#app/chat/chat-folder.ts'
import { assistant, memoryFact, type PersonalLists, savedPrompt } from '#app/chat/personal.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Database } from './database/database.ts'
import { parseRows, upsert } from './rows.ts'

const named = (servers: readonly string[], from: string, to: string): string[] => [
  ...new Set(servers.map((name) => (name === from ? to : name))),
]

export function createChatFolderStore(database: Database, log: Log) {
  const folders = (sql: string, ...values: string[]) => parseRows(chatFolder, database.all(sql, ...values), 'folder of chats', log)
  const store = {
    list: (): ChatFolder[] => folders('SELECT id, body FROM chat_folders ORDER BY id'),
    get: (id: string): ChatFolder | undefined => folders('SELECT id, body FROM chat_folders WHERE id = ?', id)[0],
    put: (folder: ChatFolder): void => void upsert(database, 'chat_folders', { id: folder.id }, { body: JSON.stringify(folder) }),
    remove: (id: string): void => void database.run('DELETE FROM chat_folders WHERE id = ?', id),
    renameServer(from: string, to: string): void {
      for (const folder of store.list())
        if (folder.servers?.includes(from)) store.put({ ...folder, servers: named(folder.servers, from, to) })
    },
  }
  return store
}

const schemas = { prompt: savedPrompt, assistant, fact: memoryFact }
type PersonalKind = keyof typeof schemas
type PersonalRow<K extends PersonalKind> = z.infer<(typeof schemas)[K]>

/** Rows by kind, in the order in which they were added. */
export function createPersonalStore(database: Database, log: Log) {
  function list<K extends PersonalKind>(kind: K): PersonalRow<K>[] {
    const rows = database.all('SELECT id, body FROM personal WHERE kind = ? ORDER BY rowid', kind)
    // The table pairs each kind with its schema, which an index by a generic name loses.
    return parseRows(schemas[kind] as unknown as z.ZodType<PersonalRow<K>>, rows, kind, log)
  }
  const store = {
    list,
    lists: (): PersonalLists => ({ prompts: list('prompt'), assistants: list('assistant'), facts: list('fact') }),
    put: <K extends PersonalKind>(kind: K, row: PersonalRow<K>): void =>
      void upsert(database, 'personal', { id: row.id }, { kind, body: JSON.stringify(row) }),
    remove: (kind: PersonalKind, ids: readonly string[]): void =>
      void database.run('DELETE FROM personal WHERE kind = ? AND id IN (SELECT value FROM json_each(?))', kind, JSON.stringify(ids)),
    renameServer(from: string, to: string): void {
      for (const row of list('assistant'))
        if (row.servers?.includes(from)) store.put('assistant', { ...row, servers: named(row.servers, from, to) })
    },
  }
  return store
}
