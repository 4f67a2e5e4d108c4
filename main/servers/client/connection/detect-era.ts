// Detects the era of a stdio server with `server/discover` (MCP 2026-07-28, "Versioning"), on the process that will serve the session. A
// silent server may be an old one that ignores the request, or one that is not there yet (`npx` fetches its package first):
// `initialize` is sent too, and the first meaningful answer decides. Old servers answer an unknown method in every way there is.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type DiscoverResult,
  isSpecType,
  LATEST_PROTOCOL_VERSION,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/client'
import type { JsonObject } from '#app/json.ts'
import type { Clock } from '#main/base/clock.ts'
import { protocolError } from '#main/base/protocol-error.ts'
import {
  discoverInPublishedWords,
  draftVersion,
  modernVersion,
  mutual,
  speaksDraft,
  supportedIn,
} from '#main/servers/transport/protocol-versions.ts'
import type { RawResponse, RawTransport } from '#main/servers/transport/stdio/raw-requests.ts'
import type { ConnectOptions } from './connection.ts'
import { clientCapabilities, clientInfo } from './establish-connection.ts'
import { timeRaw } from './timed-requests.ts'

export type DiscoverVerdict =
  | { readonly kind: 'modern'; readonly discover: DiscoverResult }
  | { readonly kind: 'legacy' }
  /** An old server and a slow one look the same. */
  | { readonly kind: 'silent' }
  /** The process ended on being asked, as some old ones do. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'draft'; readonly supported: readonly string[] }
  | { readonly kind: 'mismatch'; readonly supported: readonly string[] }

/** Classifies the answer to `server/discover`. */
export function classifyDiscover(answer: RawResponse): DiscoverVerdict {
  switch (answer.kind) {
    case 'closed':
      return { kind: 'ended' }
    case 'timeout':
      return { kind: 'silent' }
    case 'error': {
      const supported = supportedIn(answer.error)
      if (supported === undefined) return { kind: 'legacy' }
      if (speaksDraft(supported)) return { kind: 'draft', supported }
      return mutual(supported).length > 0 ? { kind: 'legacy' } : { kind: 'mismatch', supported }
    }
    case 'result': {
      const filled: unknown = discoverInPublishedWords(answer.result)
      if (!isSpecType.DiscoverResult(filled)) return { kind: 'legacy' }
      const supported = filled.supportedVersions
      if (supported.includes(modernVersion) || speaksDraft(supported)) return { kind: 'modern', discover: filled }
      return mutual(supported).length > 0 ? { kind: 'legacy' } : { kind: 'mismatch', supported }
    }
  }
}

const discoverParams = (version: string, revision: string): JsonObject => ({
  _meta: {
    [PROTOCOL_VERSION_META_KEY]: revision,
    [CLIENT_INFO_META_KEY]: { name: clientInfo(version).name, version },
    [CLIENT_CAPABILITIES_META_KEY]: clientCapabilities as JsonObject,
  },
})

type DetectedEra =
  | Exclude<DiscoverVerdict, { readonly kind: 'legacy' | 'draft' }>
  /** `answer`: what it answered to `initialize`, when it was greeted already. */
  | { readonly kind: 'legacy'; readonly answer?: JsonObject }

interface FindEraOptions extends Pick<ConnectOptions, 'version' | 'clock' | 'signal' | 'steps'> {
  /** How long it may take to answer anything, in milliseconds: `npx` and the like may fetch a whole package first. */
  readonly answerMs: number
}

/** A silent server is greeted the old way too after this. */
const silentMs = 10_000
const methodNotFound = -32601

/** @throws {ProtocolError} the server's own when it refuses to begin */
export async function detectEra(
  transport: RawTransport,
  { version, clock, signal, steps, answerMs }: FindEraOptions,
): Promise<DetectedEra> {
  const discover = discoverParams(version, modernVersion)
  const silentFor = Math.min(silentMs, answerMs / 2)
  const ask = (method: string, params: JsonObject, timeoutMs = answerMs): Promise<RawResponse> => {
    const answer = transport.request(method, params, { timeoutMs, clock, signal })
    timeRaw(steps, method, answer)
    answer.catch(() => undefined) // Whichever is waited for says so.
    return answer
  }
  async function eraOf(answer: RawResponse): Promise<DetectedEra> {
    const verdict = classifyDiscover(answer)
    if (verdict.kind !== 'draft') return verdict
    const second = classifyDiscover(await ask('server/discover', discoverParams(version, draftVersion)))
    return second.kind === 'draft' ? { kind: 'mismatch', supported: second.supported } : second
  }
  const question = ask('server/discover', discover)
  const first = await Promise.race([question, silence(clock, silentFor)])
  if (first !== 'silence') return eraOf(first)

  const client = { capabilities: clientCapabilities as JsonObject, clientInfo: clientInfo(version) }
  const greeting = ask('initialize', { protocolVersion: LATEST_PROTOCOL_VERSION, ...client }, answerMs - silentFor)
  const asked = question.then((answer) => ({ to: 'question' as const, answer }))
  const greeted = greeting.then((answer) => ({ to: 'greeting' as const, answer }))
  const said = await Promise.race([asked, greeted])
  if (said.to === 'question') {
    const era = await eraOf(said.answer)
    return era.kind === 'legacy' ? afterGreeting(await greeting) : era
  }
  if (!knowsNoGreeting(said.answer)) return afterGreeting(said.answer)
  // It has no such handshake: it is a new one, and by now it answers.
  return eraOf(await Promise.race([question, ask('server/discover', discover)]))
}

const silence = (clock: Clock, ms: number): Promise<'silence'> => new Promise((resolve) => clock.after(ms, () => resolve('silence')))

const knowsNoGreeting = (answer: RawResponse): boolean =>
  answer.kind === 'error' && (answer.error.code === methodNotFound || supportedIn(answer.error) !== undefined)

function afterGreeting(answer: RawResponse): DetectedEra {
  switch (answer.kind) {
    case 'result':
      return { kind: 'legacy', answer: answer.result }
    case 'closed':
      return { kind: 'ended' }
    case 'timeout':
      return { kind: 'silent' }
    case 'error':
      throw protocolError(answer.error.code, answer.error.message, answer.error.data)
  }
}
