// For tests: a tool that some server offers, and blobs that are kept nowhere.
import { createHash } from 'node:crypto'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { BlobStore } from '#main/store/store-api.ts'
import type { OfferedTool } from '../servers/client/requests/running-calls.ts'

export const makeOfferedTool = (name: string, server = 'files'): OfferedTool => {
  const tool: ToolEntry = {
    name,
    inputSchema: { type: 'object' },
    modelName: `${server}__${name}`,
    tokens: 1,
    enabled: true,
    fingerprint: name,
  }
  return { server, tool, trusted: false, local: true }
}

export function memoryBlobs(): BlobStore & { readonly kept: Map<string, { bytes: Uint8Array; mimeType: string }> } {
  const kept = new Map<string, { bytes: Uint8Array; mimeType: string }>()
  return {
    kept,
    put(bytes, mimeType) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      kept.set(sha256, { bytes, mimeType })
      return { sha256, bytes: bytes.byteLength, mimeType }
    },
    get: (sha256) => kept.get(sha256),
  }
}
