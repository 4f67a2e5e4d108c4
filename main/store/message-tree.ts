// How messages hang together, in SQL: the tree of a conversation, where its path ends, what of it is deleted. What follows
// from that is decided in `app/chat/tree.ts`.
import type { Message } from '#app/chat/message.ts'
import { type MessageTree, wholePath } from '#app/chat/tree.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Database } from './database.ts'
import type { ConversationStore } from './types.ts'

export type MessageTreeStore = Pick<ConversationStore, 'tree' | 'setLeaf' | 'deleteMessages' | 'restoreMessages' | 'lastDeleted'> & {
  /** As the child of the path's last message; the path ends with it. */
  append(message: Message, state: string): void
}

export function createMessageTree(database: Database, clock: Clock): MessageTreeStore {
  const leafOf = (conversationId: string): string | null =>
    textOrNull(database.get('SELECT leaf FROM conversations WHERE id = ?', conversationId)?.['leaf'])

  const mark = (ids: readonly string[], deletedAt: number | null): void => {
    database.run('UPDATE messages SET deleted_at = ? WHERE id IN (SELECT value FROM json_each(?))', deletedAt, JSON.stringify(ids))
  }

  const store: MessageTreeStore = {
    tree: (conversationId) => ({
      nodes: database
        .all('SELECT id, parent, deleted_at FROM messages WHERE conversation_id = ? ORDER BY place', conversationId)
        .map((row) => ({ id: String(row['id']), parent: textOrNull(row['parent']), deleted: row['deleted_at'] !== null })),
      leaf: leafOf(conversationId),
      shown: Object.fromEntries(
        database
          .all('SELECT parent, child FROM branches_shown WHERE conversation_id = ?', conversationId)
          .map((row) => [String(row['parent']), String(row['child'])]),
      ),
    }),
    append(message, state) {
      database.transaction(() => {
        const parent = leafOf(message.conversationId)
        database.run(
          'INSERT INTO messages (id, conversation_id, state, body, parent) VALUES (?, ?, ?, ?, ?)',
          message.id,
          message.conversationId,
          state,
          JSON.stringify(message),
          parent,
        )
        database.run('UPDATE conversations SET leaf = ? WHERE id = ?', message.id, message.conversationId)
        if (parent !== null) database.run('DELETE FROM branches_shown WHERE parent = ?', parent)
      })
    },
    setLeaf(conversationId, leaf) {
      database.transaction(() => {
        database.run('UPDATE conversations SET leaf = ? WHERE id = ?', leaf, conversationId)
        for (const [parent, child] of newlyShown({ ...store.tree(conversationId), leaf }))
          database.run(
            `INSERT INTO branches_shown (parent, child, conversation_id) VALUES (?, ?, ?)
             ON CONFLICT (parent) DO UPDATE SET child = excluded.child`,
            parent,
            child,
            conversationId,
          )
      })
    },
    deleteMessages: (ids) => mark(ids, clock.now()),
    restoreMessages: (ids) => mark(ids, null),
    lastDeleted: (conversationId) =>
      database
        .all(
          `SELECT id FROM messages WHERE conversation_id = ?1 AND deleted_at =
             (SELECT max(deleted_at) FROM messages WHERE conversation_id = ?1 AND deleted_at IS NOT NULL AND ${NOT_WITHDRAWN})
             AND ${NOT_WITHDRAWN} ORDER BY place`,
          conversationId,
        )
        .map((row) => String(row['id'])),
  }
  return store
}

/** What was taken back before the model read it went into the composer again. */
const NOT_WITHDRAWN = "json_extract(body, '$.steered') IS NOT 'waiting'"

/** Steps of the path that the tree would not take by itself. */
function newlyShown(tree: MessageTree): [string, string][] {
  const path = wholePath(tree)
  const children = new Map<string, string>()
  for (const { id, parent } of tree.nodes) if (parent !== null) children.set(parent, id)
  return path.flatMap(({ id, parent }): [string, string][] =>
    parent === null || (tree.shown[parent] ?? children.get(parent)) === id ? [] : [[parent, id]],
  )
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
