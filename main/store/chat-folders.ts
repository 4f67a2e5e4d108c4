import { type ChatFolder, chatFolder } from '#app/chat/chat-folder.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Database } from './database/database.ts'
import { parseRows, upsert } from './rows.ts'

export function createChatFolderStore(database: Database, log: Log) {
  const folders = (sql: string, ...values: string[]) => parseRows(chatFolder, database.all(sql, ...values), 'folder of chats', log)
  const store = {
    list: (): ChatFolder[] => folders('SELECT id, body FROM chat_folders ORDER BY id'),
    get: (id: string): ChatFolder | undefined => folders('SELECT id, body FROM chat_folders WHERE id = ?', id)[0],
    put: (folder: ChatFolder): void => void upsert(database, 'chat_folders', { id: folder.id }, { body: JSON.stringify(folder) }),
    remove: (id: string): void => void database.run('DELETE FROM chat_folders WHERE id = ?', id),
    renameServer(from: string, to: string): void {
      for (const folder of store.list())
        if (folder.servers?.includes(from))
          store.put({ ...folder, servers: [...new Set(folder.servers.map((name) => (name === from ? to : name)))] })
    },
  }
  return store
}
