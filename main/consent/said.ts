// What servers said in a conversation, for the marks on what goes to others: the results of its calls, as they are stored, so
// that a restart forgets nothing. A result is read once; of a few conversations that stays at hand.
import type { ResultBlock, ToolResult } from '#app/chat/content.ts'
import type { ToolCall } from '#app/chat/message.ts'
import { type FlowSource, MOST_SAID, readSource, sizeOf } from '#app/consent/flow-match.ts'
import { isJsonObject, type Json } from '#app/json.ts'
import type { BlobStore, ConversationStore } from '#main/store/types.ts'

export interface Said {
  /** The latest first. */
  readonly sources: readonly FlowSource[]
  /** There was more than is looked at. */
  readonly unseen: boolean
}

export type SaidIn = (conversationId: string | undefined) => Said

const MOST_CONVERSATIONS = 2
const nothing: Said = { sources: [], unseen: false }

export interface SaidStore {
  readonly conversations: Pick<ConversationStore, 'messages'>
  readonly blobs: Pick<BlobStore, 'get'>
}

/** `most`: letters and digits of one conversation. */
export function createSaid(store: SaidStore, most = MOST_SAID): SaidIn {
  /** By conversation, then by call and size of what it gave: a late result is another one. */
  const read = new Map<string, Map<string, FlowSource>>()
  return (conversationId) => {
    if (conversationId === undefined) return nothing
    const before = read.get(conversationId)
    const now = new Map<string, FlowSource>()
    let size = 0
    const calls = store.conversations
      .messages(conversationId)
      .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
      .flatMap((part) => (part.kind === 'tool-call' ? [part.call] : []))
    for (const call of calls.reverse()) {
      if (call.server === undefined || call.tool === undefined || size > most) continue
      const key = `${call.id} ${call.state.kind}`
      const source = before?.get(key) ?? readSource({ server: call.server, tool: call.tool, callId: call.id }, textsOf(call, store.blobs))
      size += sizeOf(source)
      now.set(key, source)
    }
    read.delete(conversationId)
    read.set(conversationId, now)
    for (const other of [...read.keys()].slice(0, -MOST_CONVERSATIONS)) read.delete(other)
    return { sources: [...now.values()].filter(({ texts }) => texts.length > 0), unseen: size > most }
  }
}

/** Whatever of its end is in the server's words. */
function textsOf({ state }: ToolCall, blobs: Pick<BlobStore, 'get'>): string[] {
  if (state.kind === 'done') return resultTexts(state.result, blobs)
  if (state.kind !== 'failed') return []
  return [
    ...(state.error.code === 'server.protocol' ? [state.error.message] : []),
    ...(state.late ? resultTexts(state.late.result, blobs) : []),
  ]
}

function resultTexts({ content, structuredContent, more }: ToolResult, blobs: Pick<BlobStore, 'get'>): string[] {
  return [...content.flatMap((block) => blockTexts(block, blobs)), ...leavesOf(structuredContent), ...leavesOf(more)].filter(
    (text) => text !== '',
  )
}

function blockTexts(block: ResultBlock, blobs: Pick<BlobStore, 'get'>): string[] {
  const whole = (ref: { readonly sha256: string } | undefined, beginning: string): string => {
    const blob = ref && blobs.get(ref.sha256)
    return blob ? Buffer.from(blob.bytes).toString('utf8') : beginning
  }
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

/** Its texts as one, a line each: values that stand side by side may be used together. */
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
