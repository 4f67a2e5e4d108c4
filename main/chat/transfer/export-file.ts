// Conversations into one file, a piece at a time, for its owner alone; a file that is there stays as it is. A conversation as
// it goes into a file: all its branches, without what was deleted, and the bytes that its messages refer to. No key, no setting
// and no rule of the profile is in it.

import { open, rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import { type ExportedBlob, type ExportedConversation, exportHead, exportTail } from '#app/chat/export-format.ts'
import type { MessageTree } from '#app/chat/message-tree.ts'
import { toMarkdown } from '#app/chat/to-markdown.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { escapeHiddenInJson } from '#app/text/hidden-characters.ts'
import { classifyFileError } from '#main/store/database/sqlite-errors.ts'
import type { Store } from '#main/store/store-api.ts'

type ExportedStore = Pick<Store, 'conversations' | 'blobs' | 'chatFolders'>

const sharedOf = ({ name, systemPrompt }: ChatFolder): ExportedConversation['folder'] => ({
  name,
  ...(systemPrompt === undefined ? {} : { systemPrompt }),
})

const BLOB_NAME = /"sha256":"([0-9a-f]{64})"/g

/** Whatever shows the file later, nothing in it is a terminal's code. Bytes, which are long, hold nothing to look at twice. */
const plain = (json: string): string => (/[^ -~]/.test(json) ? escapeHiddenInJson(json) : json)

/** Items of our own format as JSON, the conversation first. Throws `chat.unknown-conversation`. */
function* exportItems(store: ExportedStore, id: string): Generator<string> {
  const conversation = find(store, id)
  const folder = conversation.folderId === undefined ? undefined : store.chatFolders.get(conversation.folderId)
  const tree = store.conversations.tree(id)
  const seen = seenAbove(tree)
  const messages = tree.nodes.flatMap((node) => {
    const message = node.deleted ? undefined : store.conversations.message(node.id)
    return message ? [{ parent: seen(node.parent), message }] : []
  })
  const exported: ExportedConversation = { conversation, leaf: seen(tree.leaf), messages, ...(folder ? { folder: sharedOf(folder) } : {}) }
  const text = JSON.stringify(exported)
  yield plain(text)
  const names = new Set([...text.matchAll(BLOB_NAME)].map(([, sha256]) => sha256 ?? ''))
  for (const sha256 of names) {
    const blob = store.blobs.get(sha256)
    if (!blob) continue
    const item: ExportedBlob = { blob: { sha256, mimeType: blob.mimeType, base64: Buffer.from(blob.bytes).toString('base64') } }
    yield plain(JSON.stringify(item))
  }
}

/** The path that is shown, with what tools were given and gave back. */
function exportMarkdown({ conversations }: Pick<Store, 'conversations'>, id: string): string {
  const { title } = find({ conversations }, id)
  return toMarkdown({ title, messages: conversations.messages(id) }, { calls: true })
}

function find({ conversations }: Pick<Store, 'conversations'>, id: string) {
  const conversation = conversations.get(id)
  if (!conversation) throw new HostError('chat.unknown-conversation', t`This chat is not there any more.`, { data: { conversationId: id } })
  return conversation
}

/** The message itself, or the nearest above it that is not deleted. */
function seenAbove({ nodes }: MessageTree): (id: string | null) => string | null {
  const above = new Map<string, string | null>()
  for (const { id, parent, deleted } of nodes) above.set(id, deleted ? (parent === null ? null : (above.get(parent) ?? null)) : id)
  return (id) => (id === null ? null : (above.get(id) ?? null))
}

type ExportFormat = 'json' | 'markdown'

interface ExportPlan {
  readonly ids: readonly string[]
  readonly format: ExportFormat
  readonly now: number
}

/** The text of the file, in pieces. A conversation that went meanwhile is left out. */
export function* exportPieces(store: ExportedStore, { ids, format, now }: ExportPlan): Generator<string> {
  const there = ids.filter((id) => store.conversations.get(id) !== undefined)
  if (format === 'markdown') {
    for (const [index, id] of there.entries()) yield `${index === 0 ? '' : '\n---\n\n'}${exportMarkdown(store, id)}`
    return
  }
  yield exportHead(new Date(now).toISOString())
  let first = true
  for (const id of there) {
    for (const item of exportItems(store, id)) {
      yield `${first ? '' : ',\n'}${item}`
      first = false
    }
  }
  yield exportTail
}

/** Throws `disk.full` or `profile.unwritable`; then nothing is left of the file. */
export async function exportTo(path: string, store: ExportedStore, plan: ExportPlan): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      for (const piece of exportPieces(store, plan)) {
        await file.writeFile(piece)
        await setImmediate()
      }
      await file.sync()
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await file.close()
    }
  } catch (cause) {
    if (cause instanceof HostError) throw cause
    const code = classifyFileError(String((cause as NodeJS.ErrnoException).code))
    throw new HostError(code, t`The chats could not be written to ${path}.`, { data: { path }, cause })
  }
}
