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
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/client'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import type { RawAnswer } from './stdio/raw-requests.ts'

export const modernVersion = '2026-07-28'
const unsupportedProtocolVersion = -32022

export type Verdict =
  | { readonly kind: 'modern'; readonly discover: DiscoverResult }
  /** `sure: false`: it was silent, so that an old server and a slow one look the same. */
  | { readonly kind: 'legacy'; readonly sure: boolean }
  /** It ended on being asked, as some old ones do. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'mismatch'; readonly supported: readonly string[] }

const bothSpeak = (versions: readonly string[]): boolean => versions.some((version) => SUPPORTED_PROTOCOL_VERSIONS.includes(version))

/** What the answer to `server/discover` means. */
export function classifyDiscover(answer: RawAnswer): Verdict {
  switch (answer.kind) {
    case 'closed':
      return { kind: 'ended' }
    case 'timeout':
      return { kind: 'legacy', sure: false }
    case 'error': {
      const data = answer.error.code === unsupportedProtocolVersion ? answer.error.data : undefined
      const supported = isJsonObject(data) && Array.isArray(data['supported']) ? data['supported'].map(String) : []
      return supported.length === 0 || bothSpeak(supported) ? { kind: 'legacy', sure: true } : { kind: 'mismatch', supported }
    }
    case 'result': {
      const filled = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...answer.result }
      if (!isSpecType.DiscoverResult(filled)) return { kind: 'legacy', sure: true }
      if (filled.supportedVersions.includes(modernVersion)) return { kind: 'modern', discover: filled }
      return bothSpeak(filled.supportedVersions)
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
