// Reads the revisions that a server says it speaks: `UnsupportedProtocolVersion` is -32022 in the published revision and -32602 in
// the drafts of 2026, told apart by `data.supported`. Pure.
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json } from '#app/json.ts'

export const modernVersion = '2026-07-28'
export const unsupportedProtocolVersion = -32022
const draftNumber = -32602

/** The draft that became 2026-07-28: spoken as that is, where a server knows nothing that was published. */
export const draftVersion = 'DRAFT-2026-v1'
const published: readonly string[] = [modernVersion, ...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== modernVersion)]
export const supportedVersions: readonly string[] = [...published, draftVersion]

/** Returns the versions that an error says the server speaks; undefined: it is another error. */
export function supportedIn(error: { readonly code: number; readonly data?: unknown }): readonly string[] | undefined {
  if (error.code !== unsupportedProtocolVersion && error.code !== draftNumber) return undefined
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
  // An error of a tool may have the drafts' number, and say what the tool supports.
  if (error.code === draftNumber && (error.data as { readonly requested?: unknown }).requested !== revision) return undefined
  const theirs = shownVersions(supported)
  const message = t`“${server}” now speaks ${theirs.join(', ')}.`
  return new HostError('server.connection-lost', message, { data: { server, revision, supported: theirs } })
}

/** Versions that are named in the error, and characters of each. */
const mostNamed = 20
const longestName = 40
const shownVersions = (versions: readonly string[]): string[] =>
  versions.slice(0, mostNamed).map((version) => (version.length > longestName ? `${version.slice(0, longestName)}…` : version))

/** Says which versions each side has. */
export function versionMismatchError(server: string, named: readonly string[]): HostError {
  const theirs = shownVersions(named)
  const [spoken, ours] = [theirs.join(', '), supportedVersions.join(', ')]
  const message = t`“${server}” speaks MCP ${spoken}; Assent speaks ${ours}.`
  return new HostError('server.version-mismatch', message, { data: { server, supported: theirs, ours: [...supportedVersions] } })
}
