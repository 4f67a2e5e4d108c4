// Which era a stdio server speaks, asked in place with `server/discover` (MCP 2026-07-28, "Versioning"). The reading of
// its answer is pure: older servers answer an unknown method in every way there is, or not at all.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type DiscoverResult,
  type Implementation,
  isSpecType,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/client'
import type { JsonObject } from '#app/json.ts'
import type { RawAnswer } from '../stdio/raw-requests.ts'
import { modernVersion, mutual, speaksDraft, supportedIn } from './versions.ts'

export type Verdict =
  | { readonly kind: 'modern'; readonly discover: DiscoverResult }
  /** `sure: false`: it was silent, so that an old server and a slow one look the same. */
  | { readonly kind: 'legacy'; readonly sure: boolean }
  /** It ended on being asked, as some old ones do. */
  | { readonly kind: 'ended' }
  /** It wants to be asked in the draft. */
  | { readonly kind: 'draft'; readonly supported: readonly string[] }
  | { readonly kind: 'mismatch'; readonly supported: readonly string[] }

/** What the answer to `server/discover` means. */
export function classifyDiscover(answer: RawAnswer): Verdict {
  switch (answer.kind) {
    case 'closed':
      return { kind: 'ended' }
    case 'timeout':
      return { kind: 'legacy', sure: false }
    case 'error': {
      const supported = supportedIn(answer.error)
      if (supported === undefined) return { kind: 'legacy', sure: true }
      if (speaksDraft(supported)) return { kind: 'draft', supported }
      return mutual(supported).length > 0 ? { kind: 'legacy', sure: true } : { kind: 'mismatch', supported }
    }
    case 'result': {
      const filled = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...answer.result }
      if (!isSpecType.DiscoverResult(filled)) return { kind: 'legacy', sure: true }
      const supported = filled.supportedVersions
      if (supported.includes(modernVersion) || speaksDraft(supported)) return { kind: 'modern', discover: filled }
      return mutual(supported).length > 0 ? { kind: 'legacy', sure: true } : { kind: 'mismatch', supported }
    }
  }
}

export const discoverParams = (clientInfo: Implementation, capabilities: ClientCapabilities, version = modernVersion): JsonObject => ({
  _meta: {
    [PROTOCOL_VERSION_META_KEY]: version,
    [CLIENT_INFO_META_KEY]: { name: clientInfo.name, version: clientInfo.version },
    [CLIENT_CAPABILITIES_META_KEY]: capabilities as JsonObject,
  },
})
