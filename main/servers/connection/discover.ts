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
import { modernVersion, mutual, supportedIn } from './versions.ts'

export type Verdict =
  | { readonly kind: 'modern'; readonly discover: DiscoverResult }
  /** `sure: false`: it was silent, so that an old server and a slow one look the same. */
  | { readonly kind: 'legacy'; readonly sure: boolean }
  /** It ended on being asked, as some old ones do. */
  | { readonly kind: 'ended' }
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
      return supported === undefined || mutual(supported).length > 0 ? { kind: 'legacy', sure: true } : { kind: 'mismatch', supported }
    }
    case 'result': {
      const filled = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...answer.result }
      if (!isSpecType.DiscoverResult(filled)) return { kind: 'legacy', sure: true }
      if (filled.supportedVersions.includes(modernVersion)) return { kind: 'modern', discover: filled }
      return mutual(filled.supportedVersions).length > 0
        ? { kind: 'legacy', sure: true }
        : { kind: 'mismatch', supported: filled.supportedVersions }
    }
  }
}

export const discoverParams = (clientInfo: Implementation, capabilities: ClientCapabilities): JsonObject => ({
  _meta: {
    [PROTOCOL_VERSION_META_KEY]: modernVersion,
    [CLIENT_INFO_META_KEY]: { name: clientInfo.name, version: clientInfo.version },
    [CLIENT_CAPABILITIES_META_KEY]: capabilities as JsonObject,
  },
})
