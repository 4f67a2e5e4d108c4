// Reads the revisions that a server says it speaks: `UnsupportedProtocolVersion` is -32022 in the published revision, -32602 and later
// -32004 in the drafts of 2026, told apart by `data.supported`. Puts the drafts' answers in the words of the published one. Pure.
import { PROTOCOL_VERSION_META_KEY, SERVER_INFO_META_KEY, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'

export const modernVersion = '2026-07-28'
export const unsupportedProtocolVersion = -32022
const draftNumbers: readonly number[] = [-32602, -32004]

/** The draft that became 2026-07-28: spoken as that is, where a server knows nothing that was published. */
export const draftVersion = 'DRAFT-2026-v1'
const published: readonly string[] = [modernVersion, ...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== modernVersion)]
export const supportedVersions: readonly string[] = [...published, draftVersion]

/** Returns the versions that an error says the server speaks; undefined: it is another error. */
export function supportedIn(error: { readonly code: number; readonly data?: unknown }): readonly string[] | undefined {
  if (error.code !== unsupportedProtocolVersion && !draftNumbers.includes(error.code)) return undefined
  const supported = isJsonObject(error.data as Json) ? (error.data as { readonly supported?: unknown }).supported : undefined
  return Array.isArray(supported) && supported.length > 0 && supported.every((version) => typeof version === 'string')
    ? supported
    : undefined
}

/** Versions that both know; the draft only where there is nothing else. */
export function mutual(versions: readonly string[]): readonly string[] {
  const common = versions.filter((version) => published.includes(version))
  return common.length > 0 ? common : versions.filter((version) => version === draftVersion)
}

/** Whether a version is spoken as 2026-07-28 is, without a handshake. */
const isModern = (version: string): boolean => version === modernVersion || version === draftVersion

/** Whether a request names the draft as its revision. */
export function isInDraft(params: unknown): boolean {
  const meta = isJsonObject(params as Json) ? (params as JsonObject)['_meta'] : undefined
  return isJsonObject(meta) && meta[PROTOCOL_VERSION_META_KEY] === draftVersion
}

/** Result with the members that the drafts left out. */
export const inPublishedWords = (result: JsonObject): JsonObject => ({
  resultType: 'complete',
  ttlMs: 0,
  cacheScope: 'private',
  ...result,
})

/** Result of `server/discover` with them, whose `serverInfo` stood beside the rest in the drafts. */
export function discoverInPublishedWords({ serverInfo, ...result }: JsonObject): JsonObject {
  const meta = result['_meta']
  const named = isJsonObject(serverInfo) ? { _meta: { [SERVER_INFO_META_KEY]: serverInfo, ...(isJsonObject(meta) ? meta : {}) } } : {}
  return inPublishedWords({ ...result, ...named })
}

/** The draft is all that both know. */
export const speaksDraft = (versions: readonly string[]): boolean => mutual(versions).includes(draftVersion)

/** Versions that both sides know, when that is why `initialize` was refused: it alone offers one revision. */
export function commonVersions({ code, data }: HostError): readonly string[] {
  const supported = code === 'server.version-mismatch' ? data['supported'] : undefined
  return Array.isArray(supported) ? mutual(supported.map(String)).filter((version) => !isModern(version)) : []
}

/** Returns the end of a connection whose server does not speak `revision` any more; undefined: it is another error. */
export function revisionLost(
  server: string,
  revision: string,
  error: { readonly code: number; readonly data?: unknown },
): HostError | undefined {
  const supported = supportedIn(error)
  if (!supported || supported.includes(revision)) return undefined
  // An error of a tool may have a number of the drafts, and say what the tool supports.
  if (draftNumbers.includes(error.code) && (error.data as { readonly requested?: unknown }).requested !== revision) return undefined
  const theirs = shownVersions(supported)
  const message = t`“${server}” now speaks ${theirs.join(', ')}.`
  return new HostError('server.connection-lost', message, { data: { server, revision, supported: theirs } })
}

/** Versions that are named in the error, and characters of each. */
const mostNamed = 20
const longestName = 40
const shownVersions = (versions: readonly string[]): string[] =>
  versions.slice(0, mostNamed).map((version) => (version.length > longestName ? `${version.slice(0, longestName)}…` : version))

export function versionMismatchError(server: string, named: readonly string[]): HostError {
  const theirs = shownVersions(named)
  const [spoken, ours] = [theirs.join(', '), supportedVersions.join(', ')]
  const message = t`“${server}” speaks MCP ${spoken}; Assent speaks ${ours}.`
  return new HostError('server.version-mismatch', message, { data: { server, supported: theirs, ours: [...supportedVersions] } })
}
