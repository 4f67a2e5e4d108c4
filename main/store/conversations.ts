import { type Conversation, conversation } from '#app/chat/conversation.ts'
import { type DraftExtras, draftExtras, hasExtras } from '#app/chat/drafts.ts'
import { type Message, message, type UserMessage } from '#app/chat/message.ts'
import { type MessageTree, pathIds, wholePath } from '#app/chat/message-tree.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Database } from './database/database.ts'
import { insert, parseRows, texts, upsert } from './rows.ts'
import type { SearchIndex } from './search/search-index.ts'

export type ConversationStore = ReturnType<typeof createConversationStore>

/** The tree of messages in SQL: parents, the path's last message, deletions. `app/chat/message-tree.ts` decides by it. */
function createMessageTree(database: Database, clock: Clock) {
  const leafOf = (conversationId: string): string | null =>
    textOrNull(database.get('SELECT leaf FROM conversations WHERE id = ?', conversationId)?.['leaf'])

  const mark = (ids: readonly string[], deletedAt: number | null): void => {
    database.run('UPDATE messages SET deleted_at = ? WHERE id IN (SELECT value FROM json_each(?))', deletedAt, JSON.stringify(ids))
  }

  const store = {
    /** Tree of all messages, deleted ones too, without their content. */
    tree: (conversationId: string): MessageTree => ({
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
    /** `after`: parent in place of the path's end, which then stays. */
    append(message: Message, state: string, after?: string): void {
      database.transaction(() => {
        const { id, conversationId } = message
        const leaf = leafOf(conversationId)
        const parent = after ?? leaf
        insert(database, 'messages', { id, conversation_id: conversationId, state, body: JSON.stringify(message), parent })
        if (after !== undefined) return store.setLeaf(conversationId, leaf)
        database.run('UPDATE conversations SET leaf = ? WHERE id = ?', id, conversationId)
        if (parent !== null) database.run('DELETE FROM branches_shown WHERE parent = ?', parent)
      })
    },
    setLeaf(conversationId: string, leaf: string | null): void {
      database.transaction(() => {
        database.run('UPDATE conversations SET leaf = ? WHERE id = ?', leaf, conversationId)
        for (const [parent, child] of newlyShown({ ...store.tree(conversationId), leaf }))
          upsert(database, 'branches_shown', { parent }, { child, conversation_id: conversationId })
      })
    },
    /** Hides messages until they are restored, or purged after 30 days. The end of the path stays. */
    deleteMessages: (ids: readonly string[]): void => mark(ids, clock.now()),
    restoreMessages: (ids: readonly string[]): void => mark(ids, null),
    /** Ids of the messages that were last deleted together, without withdrawn steering messages. */
    lastDeleted(conversationId: string): string[] {
      const rows = database.all(
        `SELECT id FROM messages WHERE conversation_id = ?1 AND deleted_at =
           (SELECT max(deleted_at) FROM messages WHERE conversation_id = ?1 AND deleted_at IS NOT NULL AND ${NOT_WITHDRAWN})
           AND ${NOT_WITHDRAWN} ORDER BY place`,
        conversationId,
      )
      return texts(rows)
    },
  }
  return store
}

/** Condition that leaves out steering messages that were withdrawn: their text went back into the composer. */
const NOT_WITHDRAWN = "json_extract(body, '$.steered') IS NOT 'waiting'"

const ASKED = `SELECT id, body FROM messages WHERE conversation_id = ? AND deleted_at IS NULL
  AND body ->> '$.role' = 'user' AND body ->> '$.createdAt' <= ? ORDER BY place DESC LIMIT 200`

/** Steps of the path, as parent and child, that are not the tree's default. */
function newlyShown(tree: MessageTree): [string, string][] {
  const path = wholePath(tree)
  const children = new Map<string, string>()
  for (const { id, parent } of tree.nodes) if (parent !== null) children.set(parent, id)
  return path.flatMap(({ id, parent }): [string, string][] =>
    parent === null || (tree.shown[parent] ?? children.get(parent)) === id ? [] : [[parent, id]],
  )
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const isOpen = ({ kind }: Conversation['activity']): boolean => kind === 'working' || kind === 'waiting'

export function createConversationStore(database: Database, clock: Clock, log: Log, search: SearchIndex) {
  const conversations = (sql: string, ...values: string[]): Conversation[] =>
    parseRows(conversation, database.all(sql, ...values), 'conversation', log)
  const messages = (sql: string, ...values: (string | number)[]): Message[] =>
    parseRows(message, database.all(sql, ...values), 'message', log)

  const { append, ...tree } = createMessageTree(database, clock)

  const store = {
    ...tree,
    list: (): Conversation[] =>
      conversations('SELECT id, body FROM conversations WHERE deleted_at IS NULL ORDER BY updated_at DESC, id DESC'),
    get: (id: string): Conversation | undefined =>
      conversations('SELECT id, body FROM conversations WHERE id = ? AND deleted_at IS NULL', id)[0],
    put(value: Conversation): void {
      database.transaction(() => {
        const { id, updatedAt } = value
        const title = database.get("SELECT body ->> '$.title' AS title FROM conversations WHERE id = ?", id)?.['title']
        const columns = {
          updated_at: updatedAt,
          activity: isOpen(value.activity) ? value.activity.kind : (value.beside ?? value).activity.kind,
          body: JSON.stringify(value),
        }
        upsert(database, 'conversations', { id }, columns)
        if (value.title !== title) search.title(value, updatedAt)
      })
    },
    /** Messages of the current path, which the model reads too. `whole`: the tree, when it was just read. */
    messages(id: string, whole = tree.tree(id)): Message[] {
      const path = pathIds(whole)
      // Most conversations are one path: a walk in the order of insertion is quicker than a lookup of each message.
      return path.length === whole.nodes.length
        ? messages('SELECT id, body FROM messages WHERE conversation_id = ? ORDER BY place', id)
        : store.messagesOf(path)
    },
    /** Messages of the second answer. */
    besideMessages({ id, beside }: Conversation): Message[] {
      if (!beside) return []
      const path = pathIds({ ...tree.tree(id), leaf: beside.leaf })
      return store.messagesOf(path.slice(path.indexOf(beside.after) + 1))
    },
    messagesOf: (ids: readonly string[]): Message[] =>
      messages(
        'SELECT messages.id, body FROM json_each(?) AS step JOIN messages ON messages.id = step.value ORDER BY step.key',
        JSON.stringify(ids),
      ),
    /** Replaces a message in its place, or adds it to the end of the path, or after another message. Its conversation has to exist. */
    putMessage(value: Message, after?: string): void {
      database.transaction(() => {
        const state = value.role === 'assistant' ? value.state : 'done'
        const replaced = database.run('UPDATE messages SET state = ?, body = ? WHERE id = ?', state, JSON.stringify(value), value.id)
        if (replaced === 0) append(value, state, after)
        search.message(value)
      })
    },
    /** Messages of the person that were sent until `until`, oldest first: those since `since` and the one before, at most 200. */
    askedIn(id: string, since: number, until: number): UserMessage[] {
      const sent = messages(ASKED, id, until).filter((one) => one.role === 'user')
      const before = sent.findIndex(({ createdAt }) => createdAt < since)
      return sent.slice(0, before < 0 ? sent.length : before + 1).reverse()
    },
    message: (id: string): Message | undefined => messages('SELECT id, body FROM messages WHERE id = ?', id)[0],
    /** Lists what a crash cut off: messages still `streaming`, conversations still working or waiting. */
    unfinished: () => ({
      conversations: conversations("SELECT id, body FROM conversations WHERE activity IN ('working', 'waiting') ORDER BY id"),
      messages: messages("SELECT id, body FROM messages WHERE state = 'streaming' ORDER BY place"),
    }),
    /** `id`: the key of a draft, see `app/chat/drafts.ts`. */
    draft: (id: string): string => String(database.get('SELECT text FROM drafts WHERE conversation_id = ?', id)?.['text'] ?? ''),
    setDraft(id: string, text: string): void {
      if (text === '') database.run('DELETE FROM drafts WHERE conversation_id = ?', id)
      else upsert(database, 'drafts', { conversation_id: id }, { text })
    },
    /** Attachments and the like in composers, by conversation. */
    draftExtras: (): Record<string, DraftExtras> =>
      Object.fromEntries(
        database.all('SELECT conversation_id, body FROM draft_extras').flatMap((row) => {
          const parsed = draftExtras.safeParse(JSON.parse(String(row['body'])))
          return parsed.success ? [[String(row['conversation_id']), parsed.data]] : []
        }),
      ),
    setDraftExtras(id: string, extras: DraftExtras): void {
      if (hasExtras(extras) || extras.servers) upsert(database, 'draft_extras', { conversation_id: id }, { body: JSON.stringify(extras) })
      else database.run('DELETE FROM draft_extras WHERE conversation_id = ?', id)
    },
    drafts: (): Record<string, string> =>
      Object.fromEntries(
        database.all('SELECT conversation_id, text FROM drafts').map((row) => [String(row['conversation_id']), String(row['text'])]),
      ),
  }
  return store
}
