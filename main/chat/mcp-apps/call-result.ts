// The stored end of a call as its MCP App gets it: a `CallToolResult` (MCP, "Tool result"), or why it was cancelled.
import type { BlobRef } from '#app/blob.ts'
import type { ResultBlock } from '#app/chat/content.ts'
import type { ToolCallState } from '#app/chat/message.ts'
import { assertNever, isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { McpAppResult } from '#app/mcp-apps/app-view.ts'
import { defined } from '#app/or-else.ts'
import type { BlobStore } from '#main/store/store-api.ts'

const reasons = {
  failed: 'The call failed.',
  denied: 'The call was refused.',
  cancelled: 'The call was cancelled.',
  unknown: 'The connection was lost.',
} as const

/** Bytes of blobs in one result; what exceeds them is left out. */
const MOST_BYTES = 12_000_000

export function mcpAppResultOf(state: ToolCallState, blobs: Pick<BlobStore, 'get'>): McpAppResult {
  switch (state.kind) {
    case 'done': {
      let room = MOST_BYTES
      const take = (ref: BlobRef): Uint8Array | undefined => {
        const found = ref.bytes <= room ? blobs.get(ref.sha256)?.bytes : undefined
        room -= found?.byteLength ?? 0
        return found
      }
      const { content, structuredContent, isError, more } = state.result
      const blocks = content.map((block) => toContent(block, take))
      return { kind: 'result', result: { ...more, content: blocks, ...defined({ structuredContent }), ...(isError ? { isError } : {}) } }
    }
    case 'failed':
    case 'denied':
    case 'cancelled':
    case 'unknown':
      return { kind: 'cancelled', reason: reasons[state.kind] }
    case 'writing':
    case 'queued':
    case 'waiting':
    case 'running':
      return { kind: 'waiting' }
    default:
      return assertNever(state)
  }
}

function toContent(block: ResultBlock, take: (ref: BlobRef) => Uint8Array | undefined): Json {
  const textOf = (ref: BlobRef | undefined, beginning: string): string => {
    const whole = ref && take(ref)
    return whole ? Buffer.from(whole).toString('utf8') : beginning
  }
  const base64 = (ref: BlobRef): string => Buffer.from(take(ref) ?? []).toString('base64')
  switch (block.type) {
    case 'text':
      return { ...block.more, type: 'text', text: textOf(block.whole, block.text) }
    case 'image':
    case 'audio':
      return { ...block.more, type: block.type, data: base64(block.blob), mimeType: block.blob.mimeType }
    case 'resource': {
      const { uri, mimeType, text, blob } = block
      const { resource: within, ...around } = block.more ?? {}
      const body = text === undefined ? (blob ? { blob: base64(blob) } : { text: '' }) : { text: textOf(blob, text) }
      const resource = { ...(isJsonObject(within) ? within : {}), uri, ...defined({ mimeType }), ...body }
      return { ...around, type: 'resource', resource }
    }
    case 'resource-link': {
      const { type: _, more, ...link } = block
      return { ...more, type: 'resource_link', ...(link as JsonObject) }
    }
    case 'unknown':
      return block.value
    default:
      return assertNever(block)
  }
}
