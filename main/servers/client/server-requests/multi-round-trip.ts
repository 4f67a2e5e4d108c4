// A request that its server answers with questions (MCP 2026-07-28, "Multi Round-Trip Requests"): the questions are put
// one after another (its forms together, as steps), then the request is sent again under a new id, with the answers and the
// state exactly as it came.
// Bounded, since a server may go on asking for ever; what asks for nothing but patience is sent again more and more slowly.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { Clock } from '#main/base/clock.ts'
import { newId } from '#main/base/ids.ts'
import { isProtocolError, type ProtocolError } from '#main/base/protocol-error.ts'
import type { OpenServerRequests } from './server-request-handlers.ts'

/** All others must be answered at once ("Supported Requests"). */
const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])
/** Times that one request may be sent. */
export const mostRoundTrips = 12
/** Questions of one round. */
const mostQuestions = 20
/** Before the first retry that nothing was asked for; doubles each time. */
const pacingMs = 250
const longestPacingMs = 5000

interface RoundTripOptions {
  readonly server: string
  readonly method: string
  readonly params: Readonly<Record<string, Json>>
  readonly asks: Pick<OpenServerRequests, 'answer'>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly callId?: string | undefined
  /** Word came, though no answer. */
  readonly onRound?: (() => void) | undefined
  /** Sends it once; a question is an answer here too. */
  readonly send: (params: Readonly<Record<string, Json>>) => Promise<JsonObject>
}

export async function requestInRounds(options: RoundTripOptions): Promise<JsonObject> {
  const { server, method, params, clock, signal, send } = options
  let answer = await send(params)
  let pause = pacingMs
  if (answer['resultType'] === 'input_required' && !mayAsk.has(method))
    throw new HostError('server.protocol', t`“${server}” answered ${method} with questions, which no server may.`, {
      data: { server, reason: 'questions', method },
    })
  for (let round = 1; answer['resultType'] === 'input_required'; round += 1) {
    if (round >= mostRoundTrips)
      throw new HostError(
        'server.protocol',
        t`“${server}” answered ${method} ${round} times with further questions, so it was left at that.`,
        {
          data: { server, reason: 'rounds', rounds: round },
        },
      )
    options.onRound?.()
    const { inputRequests, requestState } = answer
    const questions = isJsonObject(inputRequests) ? inputRequests : {}
    const asked = Object.keys(questions).length > 0
    const inputResponses = asked ? await answerInputRequests(questions, options) : undefined
    if (!asked) {
      await wait(clock, pause, signal)
      pause = Math.min(pause * 2, longestPacingMs)
    }
    signal.throwIfAborted()
    answer = await send({
      ...params,
      ...(inputResponses === undefined ? {} : { inputResponses }),
      ...(requestState === undefined ? {} : { requestState }),
    })
  }
  return answer
}

type Asking = Pick<RoundTripOptions, 'server' | 'asks' | 'signal' | 'callId'>

/**
 * Each question's answer by its key. Forms are put together, so that the person can go back and forth; all others are asked
 * one after another. Throws when one of them cannot be had: a part would be no answer.
 */
export async function answerInputRequests(questions: JsonObject, options: Asking): Promise<JsonObject> {
  const { server, asks, signal, callId } = options
  const keys = Object.keys(questions)
  if (keys.length > mostQuestions)
    throw new HostError(
      'server.protocol',
      t`“${server}” asks ${keys.length} questions at once; at most ${mostQuestions} are put to a person.`,
      {
        data: { server, reason: 'questions' },
      },
    )
  const forms = keys.filter((key) => isForm(questions[key]))
  const answers = new Map<string, Json>()
  for (const key of keys) {
    if (answers.has(key)) continue
    signal.throwIfAborted()
    try {
      if (forms.length > 1 && forms.includes(key)) {
        const filled = await answerForms(
          forms.map((form) => questions[form] ?? null),
          options,
        )
        for (const [index, answer] of filled.entries()) answers.set(forms[index] ?? '', answer)
      } else answers.set(key, await asks.answer(questions[key] ?? null, { signal, callId }))
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

/** Throws when one of them cannot be had; the others are then asked no longer. */
async function answerForms(forms: readonly Json[], { asks, signal, callId }: Asking): Promise<JsonObject[]> {
  const group = newId()
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const asked = forms.map((form, index) =>
    asks.answer(form, { signal: either, callId, step: { group, index: index + 1, count: forms.length } }),
  )
  try {
    return await Promise.all(asked)
  } catch (error) {
    failed.abort()
    await Promise.allSettled(asked)
    throw error
  }
}

/** As a request it would have been answered with this error; here there is no place for one. */
const unanswered = (server: string, { message, code }: ProtocolError): HostError =>
  new HostError('consent.denied', t`“${server}” asked for something that it did not get, so it could not go on: ${message}.`, {
    data: { server, protocolCode: code },
  })

/** Throws the signal's reason when it aborts first. */
export function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      cancel()
      reject(signal.reason as Error)
    }
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}
