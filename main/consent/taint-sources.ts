// What a conversation has read, as sources of taint: by where it is from, which decides (`reads`), and as text, which points at the words
// (`sources`: results of calls, and the resources and prompts that the person attached). Both are read from the store, so a restart
// forgets none. Each text is read once; those of a few conversations stay in memory.
import type { Attachment } from '#app/chat/attachments/attachment.ts'
import type { ResultBlock, ToolResult } from '#app/chat/content.ts'
import { readsIn } from '#app/chat/content-reads.ts'
import type { Message, ToolCall } from '#app/chat/message.ts'
import type { ContentRead } from '#app/consent/taint/private-flow.ts'
import type { TaintOrigin } from '#app/consent/taint/taint.ts'
import { MOST_TAINT_TEXT, readTaintSource, sizeOf, type TaintSource } from '#app/consent/taint/taint-match.ts'
import { isJsonObject, type Json } from '#app/json.ts'
import type { BlobStore, ConversationStore } from '#main/store/store-api.ts'

interface TaintSources {
  /** Sources, the latest first. */
  readonly sources: readonly TaintSource[]
  /** There is more text than is compared. */
  readonly unseen: boolean
  readonly reads: readonly ContentRead[]
}

export type TaintSourcesOf = (conversationId: string | undefined) => TaintSources

const MOST_CONVERSATIONS = 2
const nothing: TaintSources = { sources: [], unseen: false, reads: [] }

export interface TaintStore {
  readonly conversations: Pick<ConversationStore, 'messages' | 'besideMessages' | 'get'>
  readonly blobs: Blobs
}

/** `most`: letters and digits of one conversation that are compared. */
export function createTaintSources(store: TaintStore, most = MOST_TAINT_TEXT): TaintSourcesOf {
  const read = new Map<string, Map<string, TaintSource>>()
  return (conversationId) => {
    if (conversationId === undefined) return nothing
    const before = read.get(conversationId)
    const now = new Map<string, TaintSource>()
    const conversation = store.conversations.get(conversationId)
    // What either of two answers beside each other read counts for both.
    const beside = conversation?.beside ? store.conversations.besideMessages(conversation) : []
    const messages = [...store.conversations.messages(conversationId), ...beside]
    let size = 0
    for (const { key, origin, texts } of messages.flatMap(saidIn).reverse()) {
      if (size > most) continue
      const source = before?.get(key) ?? readTaintSource(origin, texts(store.blobs))
      size += sizeOf(source)
      now.set(key, source)
    }
    read.delete(conversationId)
    read.set(conversationId, now)
    for (const other of [...read.keys()].slice(0, -MOST_CONVERSATIONS)) read.delete(other)
    const sources = [...now.values()].filter(({ texts }) => texts.length > 0)
    return { sources, unseen: size > most, reads: readsIn(conversation ?? {}, messages) }
  }
}

type Blobs = Pick<BlobStore, 'get'>

interface Words {
  /** Differs where the text does, as a late result from the end of its call. */
  readonly key: string
  readonly origin: TaintOrigin
  readonly texts: (blobs: Blobs) => string[]
}

function saidIn(message: Message): Words[] {
  if (message.role === 'assistant') return message.parts.flatMap((part) => (part.kind === 'tool-call' ? callWords(part.call) : []))
  if (message.role !== 'user') return []
  return [...promptWords(message), ...(message.attachments ?? []).flatMap((one) => attachedWords(message.id, one))]
}

function callWords(call: ToolCall): Words[] {
  const { id, server, tool, state } = call
  if (server === undefined || tool === undefined) return []
  return [{ key: `${id} ${state.kind}`, origin: { server, tool, callId: id }, texts: (blobs) => textsOf(call, blobs) }]
}

/** Text of a prompt, which is in the person's message together with their changes. */
function promptWords({ id, text, prompt }: Extract<Message, { readonly role: 'user' }>): Words[] {
  if (!prompt) return []
  const origin = { server: prompt.server, prompt: prompt.name, messageId: id }
  return [{ key: `${id} prompt`, origin, texts: () => [text, ...(prompt.turns ?? []).map((turn) => turn.text)] }]
}

/** Text of an attached resource. The person's own files are no server's text. */
function attachedWords(messageId: string, { id, kind, blob, from }: Attachment): Words[] {
  if (!from || kind !== 'text') return []
  const origin = { server: from.server, resource: from.uri, messageId }
  return [{ key: `${messageId} ${id}`, origin, texts: (blobs) => [from.uri, ...wholeText(blobs, blob)] }]
}

const wholeText = (blobs: Blobs, { sha256 }: { readonly sha256: string }): string[] => {
  const blob = blobs.get(sha256)
  return blob ? [Buffer.from(blob.bytes).toString('utf8')] : []
}

function textsOf({ state }: ToolCall, blobs: Blobs): string[] {
  if (state.kind === 'done') return resultTexts(state.result, blobs)
  if (state.kind !== 'failed') return []
  return [
    ...(state.error.code === 'server.protocol' ? [state.error.message] : []),
    ...(state.late ? resultTexts(state.late.result, blobs) : []),
  ]
}

function resultTexts({ content, structuredContent, more }: ToolResult, blobs: Blobs): string[] {
  return [...content.flatMap((block) => blockTexts(block, blobs)), ...leavesOf(structuredContent), ...leavesOf(more)].filter(
    (text) => text !== '',
  )
}

function blockTexts(block: ResultBlock, blobs: Blobs): string[] {
  const whole = (ref: { readonly sha256: string } | undefined, beginning: string): string => (ref && wholeText(blobs, ref)[0]) ?? beginning
  switch (block.type) {
    case 'text':
      return [whole(block.whole, block.text), ...leavesOf(block.more)]
    case 'resource':
      return [block.uri, ...(block.text === undefined ? [] : [whole(block.blob, block.text)]), ...leavesOf(block.more)]
    case 'resource-link':
      return [block.uri, block.name, block.title ?? '', block.description ?? '', ...leavesOf(block.more)]
    case 'unknown':
      return leavesOf(block.value)
    case 'image':
    case 'audio':
      return leavesOf(block.more)
  }
}

/** Joins the texts in a value, a line each: values side by side may be used together. */
function leavesOf(value: Json | undefined): string[] {
  if (value === undefined) return []
  const lines: string[] = []
  const walk = (at: Json): void => {
    if (typeof at === 'string' || typeof at === 'number') lines.push(String(at))
    else if (Array.isArray(at)) for (const item of at) walk(item as Json)
    else if (isJsonObject(at))
      for (const [name, item] of Object.entries(at)) {
        lines.push(name)
        walk(item)
      }
  }
  walk(value)
  return lines.length > 0 ? [lines.join('\n')] : []
}
