// The stored end of a call, as its view is told of it: a `CallToolResult` again (MCP, "Tool result"), bytes and long texts
// put back from the store, or that it was cancelled.

import type { BlobRef } from '#app/blob.ts'
import type { ResultBlock } from '#app/chat/content.ts'
import type { ToolCallState } from '#app/chat/message.ts'
import { assertNever, type Json, type JsonObject } from '#app/json.ts'
import type { McpAppResult } from '#app/mcp-apps/app-view.ts'
import type { BlobStore } from '#main/store/store-api.ts'

type Blobs = Pick<BlobStore, 'get'>

/** Bytes of blobs that one result may bring along; what goes over is left out and named. */
const mostBytes = 12_000_000

export function mcpAppResultOf(state: ToolCallState, blobs: Blobs): McpAppResult {
  switch (state.kind) {
    case 'done': {
      let room = mostBytes
      const take = (ref: BlobRef): Uint8Array | undefined => {
        const found = ref.bytes <= room ? blobs.get(ref.sha256)?.bytes : undefined
        room -= found?.byteLength ?? 0
        return found
      }
      const { content, structuredContent, isError, more } = state.result
      const result: JsonObject = {
        ...more,
        content: content.map((block) => toContent(block, take)),
        ...(structuredContent === undefined ? {} : { structuredContent }),
        ...(isError ? { isError } : {}),
      }
      return { kind: 'result', result }
    }
    case 'failed':
      return { kind: 'cancelled', reason: 'The call failed.' }
    case 'denied':
      return { kind: 'cancelled', reason: 'The call was refused.' }
    case 'cancelled':
      return { kind: 'cancelled', reason: 'The call was cancelled.' }
    case 'unknown':
      return { kind: 'cancelled', reason: 'The connection was lost.' }
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
      const type = mimeType === undefined ? {} : { mimeType }
      return {
        ...around,
        type: 'resource',
        resource: { ...(typeof within === 'object' && within !== null ? (within as JsonObject) : {}), uri, ...type, ...body },
      }
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
