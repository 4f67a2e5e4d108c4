// Requests that a server answers with questions (MCP 2026-07-28, "Multi Round-Trip Requests"): each is sent again under a new id, with the
// answers and the state exactly as it came. Rounds and questions are bounded. A round without questions is sent again ever more slowly.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { wait } from '#main/base/abort.ts'
import { newId } from '#main/base/ids.ts'
import { isProtocolError, type ProtocolError } from '#main/base/protocol-error.ts'
import type { ClientRequest, ConnectionState, RequestContext, RequestOptions, SendRequest } from './request-context.ts'
import type { CallForward } from './running-calls.ts'
import type { OpenServerRequests } from './server-request-handlers.ts'

const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])
/** Times that one request may be sent. */
export const mostRoundTrips = 12
const mostQuestions = 20
/** Milliseconds before a round without questions is sent again; doubles each time. */
const pacingMs = 250
const longestPacingMs = 5000

/**
 * Answers what a server asked in place of a result, and sends the request again until there is one.
 * @throws {HostError} `server.protocol` when this method may not be answered so, or with too many questions or rounds
 */
export async function answerRounds(
  first: JsonObject,
  request: ClientRequest,
  context: RequestContext,
  send: SendRequest,
): Promise<JsonObject> {
  const { method, params } = request
  const { connection, signal, timeout } = context
  const { server, clock } = connection
  if (!mayAsk.has(method))
    throw refusal(server, t`“${server}” answered ${method} with questions, which the protocol forbids.`, { reason: 'questions', method })
  let answer = first
  let pause = pacingMs
  for (let round = 1; answer['resultType'] === 'input_required'; round += 1) {
    if (round >= mostRoundTrips)
      throw refusal(server, t`“${server}” asked ${round} times within one ${method}.`, {
        reason: 'rounds',
        rounds: round,
      })
    timeout?.renew()
    const { inputRequests, requestState } = answer
    const questions = isJsonObject(inputRequests) ? inputRequests : {}
    const asked = Object.keys(questions).length > 0
    const inputResponses = asked ? await answerInputRequests(questions, connection, context) : undefined
    if (!asked) {
      await wait(clock, pause, signal)
      pause = Math.min(pause * 2, longestPacingMs)
    }
    signal.throwIfAborted()
    const answered = { ...(inputResponses && { inputResponses }), ...(requestState === undefined ? {} : { requestState }) }
    answer = await send({ ...request, params: { ...params, ...answered } }, context)
  }
  return answer
}

const refusal = (server: string, message: string, data: JsonObject = { reason: 'questions' }): HostError =>
  new HostError('server.protocol', message, { data: { server, ...data } })

type Asker = Pick<ConnectionState, 'server' | 'serverRequests'>
type Asking = Pick<RequestOptions, 'signal' | 'call'>

/**
 * Returns the answers by key. Questions that an agent answers go to it at once, forms of the person are put together, so that they can go back
 * and forth, and others one after another.
 * @throws {HostError} when one of them has no answer: a part would be no answer
 */
export async function answerInputRequests(questions: JsonObject, asker: Asker, asking: Asking): Promise<JsonObject> {
  const { server } = asker
  const { signal, call } = asking
  const keys = Object.keys(questions)
  if (keys.length > mostQuestions) throw refusal(server, t`“${server}” asks more than ${mostQuestions} questions at once.`)
  const forwarded = keys.filter((key) => isForwarded(questions[key], call?.forward))
  const own = keys.filter((key) => !forwarded.includes(key))
  const forms = own.filter((key) => isForm(questions[key]))
  const inTurn = own.filter((key) => key === forms[0] || !forms.includes(key)).map((key) => (key === forms[0] ? forms : [key]))
  const answers = new Map<string, Json>()
  for (const together of [forwarded, ...inTurn]) {
    signal.throwIfAborted()
    try {
      const given = await answerTogether(together, questions, asker.serverRequests, { ...asking, asSteps: together === forms })
      for (const [index, key] of together.entries()) answers.set(key, given[index] ?? null)
    } catch (error) {
      signal.throwIfAborted()
      throw isProtocolError(error) ? unanswered(server, error) : error
    }
  }
  // Not put in one by one: `__proto__` is a key like any other.
  return Object.fromEntries(keys.map((key) => [key, answers.get(key) ?? null]))
}

const isForm = (question: Json | undefined): boolean =>
  isJsonObject(question) &&
  question['method'] === 'elicitation/create' &&
  !(isJsonObject(question['params']) && question['params']['mode'] === 'url')

function isForwarded(question: Json | undefined, forward: CallForward | undefined): boolean {
  const method = isJsonObject(question) ? question['method'] : undefined
  if (method === 'sampling/createMessage') return forward?.sample !== undefined
  if (method === 'roots/list') return forward?.askRoots !== undefined
  return forward?.elicit !== undefined && isForm(question)
}

/** Asks at once, in their order. `asSteps`: of one form. @throws {ProtocolError} when one has no answer; the others are then withdrawn */
async function answerTogether(
  keys: readonly string[],
  questions: JsonObject,
  serverRequests: OpenServerRequests,
  { signal, call, asSteps }: Asking & { readonly asSteps: boolean },
): Promise<JsonObject[]> {
  const group = newId()
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const asked = keys.map((key, index) => {
    const step = asSteps && keys.length > 1 ? { group, index: index + 1, count: keys.length } : undefined
    return serverRequests.answer(questions[key] ?? null, { signal: either, call, key, step })
  })
  try {
    return await Promise.all(asked)
  } catch (error) {
    failed.abort()
    await Promise.allSettled(asked)
    throw error
  }
}

/** Error for a question without an answer: a round has no place for the protocol error that a request would get. */
const unanswered = (server: string, { message, code }: ProtocolError): HostError =>
  new HostError('consent.denied', t`“${server}” did not get its answer: ${message}.`, {
    data: { server, protocolCode: code },
  })
