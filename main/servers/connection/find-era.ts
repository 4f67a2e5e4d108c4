// Finds the era of a stdio server on the process that will serve the session. One that is silent may be an old one that
// passes the question over, or a new one that is not there yet, for `npx` fetches its package first: it is greeted the old
// way too, and the first answer that says something decides. Whatever comes after that is not heard.
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/client'
import type { JsonObject } from '#app/json.ts'
import type { Clock } from '#main/base/clock.ts'
import { protocolError } from '#main/base/protocol-error.ts'
import type { Steps } from '../doctor/recorder.ts'
import { timeRaw } from '../doctor/timed-requests.ts'
import type { RawAnswer, RawTransport } from '../stdio/raw-requests.ts'
import { classifyDiscover, type Verdict } from './discover.ts'
import { supportedIn } from './versions.ts'

export type Era =
  | Exclude<Verdict, { readonly kind: 'legacy' | 'draft' }>
  /** `answer`: what it answered to `initialize`, when it was greeted already. */
  | { readonly kind: 'legacy'; readonly answer?: JsonObject }
  /** It answers neither. */
  | { readonly kind: 'silent' }

interface FindEraOptions {
  /** Of `server/discover`. */
  readonly discover: JsonObject
  /** The same, in the draft. */
  readonly discoverInDraft: JsonObject
  /** Of `initialize`, but the revision. */
  readonly initialize: JsonObject
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly steps?: Steps | undefined
  /** How long it may take to answer anything, in milliseconds: `npx` and the like may fetch a whole package first. */
  readonly answerMs: number
}

/** A silent server is greeted the old way too after this. */
const silentMs = 10_000
const methodNotFound = -32601

/** Rejects when the server refuses to begin, with its own error. */
export async function findEra(
  transport: RawTransport,
  { discover, discoverInDraft, initialize, clock, signal, steps, answerMs }: FindEraOptions,
): Promise<Era> {
  const silentFor = Math.min(silentMs, answerMs / 2)
  const ask = (method: string, params: JsonObject, timeoutMs = answerMs): Promise<RawAnswer> => {
    const answer = transport.request(method, params, { timeoutMs, clock, signal })
    timeRaw(steps, method, answer)
    answer.catch(() => undefined) // Whichever is waited for says so.
    return answer
  }
  async function eraOf(answer: RawAnswer): Promise<Era> {
    const verdict = verdictOn(answer)
    if (verdict.kind !== 'draft') return verdict
    const second = verdictOn(await ask('server/discover', discoverInDraft))
    return second.kind === 'draft' ? { kind: 'mismatch', supported: second.supported } : second
  }
  const question = ask('server/discover', discover)
  const first = await Promise.race([question, silence(clock, silentFor)])
  if (first !== 'silence') return eraOf(first)

  const greeting = ask('initialize', { protocolVersion: LATEST_PROTOCOL_VERSION, ...initialize }, answerMs - silentFor)
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

function silence(clock: Clock, ms: number): Promise<'silence'> {
  return new Promise((resolve) => clock.after(ms, () => resolve('silence')))
}

function verdictOn(answer: RawAnswer): Era | Extract<Verdict, { readonly kind: 'draft' }> {
  if (answer.kind === 'timeout') return { kind: 'silent' }
  const verdict = classifyDiscover(answer)
  return verdict.kind === 'legacy' ? { kind: 'legacy' } : verdict
}

const knowsNoGreeting = (answer: RawAnswer): boolean =>
  answer.kind === 'error' && (answer.error.code === methodNotFound || supportedIn(answer.error) !== undefined)

function afterGreeting(answer: RawAnswer): Era {
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
