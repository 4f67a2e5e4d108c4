import { type Conversation, conversation } from '#app/chat/conversation.ts'
import { draftExtras, hasExtras } from '#app/chat/drafts.ts'
import { type Message, message } from '#app/chat/message.ts'
import { type MessageTree, pathIds, wholePath } from '#app/chat/message-tree.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Database } from './database/database.ts'
import { parseRows } from './rows.ts'
import type { SearchIndex } from './search/search-index.ts'
import type { ConversationStore } from './store-api.ts'

// How messages hang together, in SQL: the tree of a conversation, where its path ends, what of it is deleted. What follows
// from that is decided in `app/chat/message-tree.ts`.

type MessageTreeStore = Pick<ConversationStore, 'tree' | 'setLeaf' | 'deleteMessages' | 'restoreMessages' | 'lastDeleted'> & {
  /** As the child of the path's last message; the path ends with it. */
  append(message: Message, state: string): void
}

function createMessageTree(database: Database, clock: Clock): MessageTreeStore {
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

export function createConversationStore(database: Database, clock: Clock, log: Log, search: SearchIndex): ConversationStore {
  const conversations = (sql: string, ...values: string[]): Conversation[] =>
    parseRows(conversation, database.all(sql, ...values), 'conversation', log)
  const messages = (sql: string, ...values: string[]): Message[] => parseRows(message, database.all(sql, ...values), 'message', log)

  const { append, ...tree } = createMessageTree(database, clock)

  const store: ConversationStore = {
    ...tree,
    list: () => conversations('SELECT id, body FROM conversations WHERE deleted_at IS NULL ORDER BY updated_at DESC, id DESC'),
    get: (id) => conversations('SELECT id, body FROM conversations WHERE id = ? AND deleted_at IS NULL', id)[0],
    put(value) {
      database.transaction(() => {
        const title = database.get("SELECT body ->> '$.title' AS title FROM conversations WHERE id = ?", value.id)?.['title']
        database.run(
          `INSERT INTO conversations (id, updated_at, activity, body) VALUES (?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at, activity = excluded.activity, body = excluded.body`,
          value.id,
          value.updatedAt,
          value.activity.kind,
          JSON.stringify(value),
        )
        if (value.title !== title) search.title(value, value.updatedAt)
      })
    },
    messages(id, whole = tree.tree(id)) {
      const path = pathIds(whole)
      // Mostly there is nothing but the path, and one walk in the order of making is quicker than to look for each.
      return path.length === whole.nodes.length
        ? messages('SELECT id, body FROM messages WHERE conversation_id = ? ORDER BY place', id)
        : store.messagesOf(path)
    },
    messagesOf: (ids) =>
      messages(
        'SELECT messages.id, body FROM json_each(?) AS step JOIN messages ON messages.id = step.value ORDER BY step.key',
        JSON.stringify(ids),
      ),
    putMessage(value) {
      database.transaction(() => {
        const state = value.role === 'assistant' ? value.state : 'done'
        const replaced = database.run('UPDATE messages SET state = ?, body = ? WHERE id = ?', state, JSON.stringify(value), value.id)
        if (replaced === 0) append(value, state)
        search.message(value)
      })
    },
    message: (id) => messages('SELECT id, body FROM messages WHERE id = ?', id)[0],
    unfinished: () => ({
      conversations: conversations("SELECT id, body FROM conversations WHERE activity IN ('working', 'waiting') ORDER BY id"),
      messages: messages("SELECT id, body FROM messages WHERE state = 'streaming' ORDER BY place"),
    }),
    draft: (id) => String(database.get('SELECT text FROM drafts WHERE conversation_id = ?', id)?.['text'] ?? ''),
    setDraft(id, text) {
      if (text === '') database.run('DELETE FROM drafts WHERE conversation_id = ?', id)
      else
        database.run(
          'INSERT INTO drafts (conversation_id, text) VALUES (?, ?) ON CONFLICT (conversation_id) DO UPDATE SET text = excluded.text',
          id,
          text,
        )
    },
    draftExtras: () =>
      Object.fromEntries(
        database.all('SELECT conversation_id, body FROM draft_extras').flatMap((row) => {
          const parsed = draftExtras.safeParse(JSON.parse(String(row['body'])))
          return parsed.success ? [[String(row['conversation_id']), parsed.data]] : []
        }),
      ),
    setDraftExtras(id, extras) {
      if (hasExtras(extras))
        database.run(
          'INSERT INTO draft_extras (conversation_id, body) VALUES (?, ?) ON CONFLICT (conversation_id) DO UPDATE SET body = excluded.body',
          id,
          JSON.stringify(extras),
        )
      else database.run('DELETE FROM draft_extras WHERE conversation_id = ?', id)
    },
    drafts: () =>
      Object.fromEntries(
        database.all('SELECT conversation_id, text FROM drafts').map((row) => [String(row['conversation_id']), String(row['text'])]),
      ),
  }
  return store
}
