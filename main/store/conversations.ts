import { type Conversation, conversation } from '#app/chat/conversation.ts'
import { draftExtras, hasExtras } from '#app/chat/draft-extras.ts'
import { type Message, message } from '#app/chat/message.ts'
import { pathIds } from '#app/chat/tree.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/log.ts'
import type { Database } from './database.ts'
import { createMessageTree } from './message-tree.ts'
import { parseRows } from './rows.ts'
import type { SearchIndex } from './search/index.ts'
import type { ConversationStore } from './types.ts'

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
