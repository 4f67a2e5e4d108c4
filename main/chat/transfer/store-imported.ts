// Imported conversations under new ids, with their times. The mode is that of a new chat, and open calls are ended.
import type { Conversation } from '#app/chat/conversation.ts'
import type { ExportedConversation } from '#app/chat/export-format.ts'
import type { ImportedConversation, ImportSource } from '#app/chat/import/imported-conversation.ts'
import type { Message, ToolCall } from '#app/chat/message.ts'
import { isJsonObject, type Json } from '#app/json.ts'
import { newId } from '#main/base/ids.ts'
import { callsIn, mapCalls } from '#main/chat/message-calls.ts'
import { settleInterrupted } from '#main/chat/recover-interrupted.ts'
import type { PlacedMessage } from '#main/store/put-conversation.ts'
import type { Store } from '#main/store/store-api.ts'

export interface ReadWhole {
  readonly conversation: Conversation
  readonly messages: readonly PlacedMessage[]
  readonly leaf: string | null
}

/** Converts a conversation of another application. `model`: its model from now on. */
export function foreignConversation(imported: ImportedConversation, { now, model }: { now: number; model: string }): ReadWhole {
  const id = newId()
  const ids = imported.messages.map(() => newId())
  const turns: string[] = []
  const placed = imported.messages.map(({ parent, ...message }, index): PlacedMessage => {
    const begun = parent === null ? undefined : turns[parent]
    const turnId = message.role === 'user' || begun === undefined ? newId() : begun
    turns.push(turnId)
    const base = { id: ids[index] ?? newId(), conversationId: id, turnId, createdAt: message.createdAt }
    const above = parent === null ? null : (ids[parent] ?? null)
    return message.role === 'user'
      ? { parent: above, message: { ...base, role: 'user', text: message.text } }
      : {
          parent: above,
          message: { ...base, role: 'assistant', model: message.model, parts: mapCalls(message.parts, withNewId), state: 'done' },
        }
  })
  const conversation: Conversation = {
    id,
    title: imported.title,
    titledBy: 'person',
    model,
    createdAt: imported.createdAt,
    updatedAt: imported.updatedAt,
    activity: { kind: 'idle' },
    ...(imported.pinned ? { pinned: true } : {}),
    ...(imported.archived ? { archivedAt: now } : {}),
    importedFrom: { source: imported.source, id: sourceKey(imported), at: now },
  }
  return { conversation, messages: placed, leaf: imported.leaf === null ? null : (ids[imported.leaf] ?? null) }
}

/** The providers' ids stay. */
const withNewId = (call: ToolCall): ToolCall => ({ ...call, id: newId() })

/** Converts a conversation of Assent's own format. */
export function ownConversation({ conversation, leaf, messages }: ExportedConversation, now: number): ReadWhole {
  const ids = newIds(conversation, messages)
  const {
    consentMode: _mode,
    roots: _roots,
    folderId: _folder,
    contextTokens: _tokens,
    unread: _unread,
    beside: _beside,
    ...kept
  } = conversation
  const placed = messages.map(({ parent, message }): PlacedMessage => {
    const copy = replaced(message as unknown as Json, ids) as unknown as Message
    return {
      parent: parent === null ? null : (ids.get(parent) ?? null),
      message: copy.role === 'assistant' ? settleInterrupted(copy) : copy,
    }
  })
  const copy: Conversation = {
    ...kept,
    id: ids.get(conversation.id) ?? newId(),
    activity: { kind: 'idle' },
    importedFrom: conversation.importedFrom ?? { source: 'assent', id: conversation.id, at: now },
  }
  return { conversation: copy, messages: placed, leaf: leaf === null ? null : (ids.get(leaf) ?? null) }
}

/** New ids of the conversation, its messages, turns and calls, by the old ones. */
function newIds({ id }: Conversation, messages: ExportedConversation['messages']): Map<string, string> {
  const ids = new Map([[id, newId()]])
  for (const { message } of messages) {
    ids.set(message.id, newId())
    if (!ids.has(message.turnId)) ids.set(message.turnId, newId())
    for (const call of callsIn(message)) ids.set(call.id, newId())
  }
  return ids
}

function replaced(value: Json, ids: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return ids.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => replaced(item, ids))
  if (isJsonObject(value)) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, ids)]))
  return value
}

/** Key of a conversation within its application; an old export without ids gets one from time and title. */
export const sourceKey = ({ sourceId, title, createdAt }: Pick<ImportedConversation, 'sourceId' | 'title' | 'createdAt'>): string =>
  sourceId || `${createdAt} ${title}`

/** Source marks of the conversations in the profile. */
export function knownSources({ conversations }: Pick<Store, 'conversations'>): Set<string> {
  return new Set(
    conversations.list().flatMap(({ id, importedFrom }) => {
      const own = sourceMark('assent', id)
      return importedFrom ? [own, sourceMark(importedFrom.source, importedFrom.id)] : [own]
    }),
  )
}
export const sourceMark = (source: ImportSource, id: string): string => `${source} ${id}`
