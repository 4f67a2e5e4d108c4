// A conversation as it goes into a file: all its branches, without what was deleted, and the bytes that its messages refer
// to. No key, no setting and no rule of the profile is in it.
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import type { ExportedBlob, ExportedConversation } from '#app/chat/export.ts'
import { toMarkdown } from '#app/chat/to-markdown.ts'
import type { MessageTree } from '#app/chat/tree.ts'
import { escapeHiddenInJson } from '#app/consent/reveal.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Store } from '#main/store/types.ts'

export type ExportedStore = Pick<Store, 'conversations' | 'blobs' | 'chatFolders'>

const sharedOf = ({ name, systemPrompt }: ChatFolder): ExportedConversation['folder'] => ({
  name,
  ...(systemPrompt === undefined ? {} : { systemPrompt }),
})

const BLOB_NAME = /"sha256":"([0-9a-f]{64})"/g

/** Whatever shows the file later, nothing in it is a terminal's code. Bytes, which are long, hold nothing to look at twice. */
const plain = (json: string): string => (/[^ -~]/.test(json) ? escapeHiddenInJson(json) : json)

/** Items of our own format as JSON, the conversation first. Throws `chat.unknown-conversation`. */
export function* exportItems(store: ExportedStore, id: string): Generator<string> {
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
export function exportMarkdown({ conversations }: Pick<Store, 'conversations'>, id: string): string {
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
