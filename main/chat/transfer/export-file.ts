// Export of conversations into one file, piece by piece, readable by its owner only. It holds all branches without deleted messages,
// and the bytes that they refer to; no key, setting or rule of the profile. Secrets that a server said back are masked, in text files too.
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { type ExportedBlob, type ExportedConversation, exportHead, exportTail } from '#app/chat/export-format.ts'
import type { MessageTree } from '#app/chat/message-tree.ts'
import { toMarkdown } from '#app/chat/to-markdown.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { escapeHiddenInJson } from '#app/text/hidden-characters.ts'
import { maskTexts } from '#main/base/redact-secrets.ts'
import { classifyFileError } from '#main/store/database/sqlite-errors.ts'
import type { Store } from '#main/store/store-api.ts'

type ExportedStore = Pick<Store, 'conversations' | 'blobs' | 'chatFolders'>

const BLOB_NAME = /"sha256":"([0-9a-f]{64})"/g

/** Escapes hidden characters, so that the file holds no terminal codes. Base64, which is long, passes the quick test. */
const plain = (json: string): string => (/[^ -~]/.test(json) ? escapeHiddenInJson(json) : json)

/** Items of Assent's own format as JSON, the conversation first. @throws {HostError} `chat.unknown-conversation` */
function* exportItems({ store, mask }: ExportSource, id: string): Generator<string> {
  const conversation = find(store, id)
  const folder = conversation.folderId === undefined ? undefined : store.chatFolders.get(conversation.folderId)
  const tree = store.conversations.tree(id)
  const seen = seenAbove(tree)
  const messages = tree.nodes.flatMap((node) => {
    const message = node.deleted ? undefined : store.conversations.message(node.id)
    return message ? [{ parent: seen(node.parent), message }] : []
  })
  const shared = folder && { name: folder.name, ...defined({ systemPrompt: folder.systemPrompt }) }
  const exported: ExportedConversation = { conversation, leaf: seen(tree.leaf), messages, ...defined({ folder: shared }) }
  const names = new Set([...JSON.stringify(exported).matchAll(BLOB_NAME)].map(([, sha256]) => sha256 ?? ''))
  const renamed = new Map<string, string>()
  for (const name of names) {
    const blob = store.blobs.get(name)
    const bytes = blob && maskedBytes(blob, mask)
    if (bytes && bytes !== blob.bytes) renamed.set(name, createHash('sha256').update(bytes).digest('hex'))
  }
  const text = JSON.stringify(maskTexts(mask, exported))
  yield plain(text.replace(BLOB_NAME, (member, name: string) => member.replace(name, renamed.get(name) ?? name)))
  for (const name of names) {
    const blob = store.blobs.get(name)
    if (!blob) continue
    const base64 = Buffer.from(maskedBytes(blob, mask)).toString('base64')
    const item: ExportedBlob = { blob: { sha256: renamed.get(name) ?? name, mimeType: blob.mimeType, base64 } }
    yield plain(JSON.stringify(item))
  }
}

interface ExportSource {
  readonly store: ExportedStore
  /** Masks the secrets that this run has met. */
  readonly mask: (text: string) => string
}

/** Returns the same bytes where nothing is masked, and of what is no text (UTF-8). */
function maskedBytes({ bytes }: { readonly bytes: Uint8Array }, mask: ExportSource['mask']): Uint8Array {
  if (!isUtf8(bytes)) return bytes
  const text = Buffer.from(bytes).toString()
  const masked = mask(text)
  return masked === text ? bytes : Buffer.from(masked)
}

function find({ conversations }: Pick<Store, 'conversations'>, id: string) {
  const conversation = conversations.get(id)
  if (!conversation) throw new HostError('chat.unknown-conversation', t`This chat was deleted.`, { data: { conversationId: id } })
  return conversation
}

/** Finds for a message the nearest one that is not deleted: itself, or one above it. */
function seenAbove({ nodes }: MessageTree): (id: string | null) => string | null {
  const above = new Map<string, string | null>()
  for (const { id, parent, deleted } of nodes) above.set(id, deleted ? (parent === null ? null : (above.get(parent) ?? null)) : id)
  return (id) => (id === null ? null : (above.get(id) ?? null))
}

interface ExportPlan {
  readonly ids: readonly string[]
  readonly format: 'json' | 'markdown'
  readonly now: number
  readonly mask: ExportSource['mask']
}

/** The text of the file, in pieces. A conversation that was deleted meanwhile is left out. */
export function* exportPieces(store: ExportedStore, { ids, format, now, mask }: ExportPlan): Generator<string> {
  const there = ids.filter((id) => store.conversations.get(id) !== undefined)
  if (format === 'markdown') {
    for (const [index, id] of there.entries()) {
      const conversation = { title: find(store, id).title, messages: store.conversations.messages(id) }
      yield `${index === 0 ? '' : '\n---\n\n'}${mask(toMarkdown(conversation, { calls: true }))}`
    }
    return
  }
  yield exportHead(new Date(now).toISOString())
  let first = true
  for (const id of there) {
    for (const item of exportItems({ store, mask }, id)) {
      yield `${first ? '' : ',\n'}${item}`
      first = false
    }
  }
  yield exportTail
}

/** Writes a new file; leaves nothing of it on failure. @throws {HostError} `disk.full` or `profile.unwritable` */
export async function writeExport(path: string, pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const piece of pieces) {
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
    throw new HostError(code, t`${path} could not be written.`, { data: { path }, cause })
  }
}
