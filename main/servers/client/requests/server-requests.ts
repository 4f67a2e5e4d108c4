// Hands a server's requests to the handlers: requests of its own in the older eras, questions inside an `input_required` result
// or a task in the newer one.
import {
  type Client,
  type ClientContext,
  type CreateMessageRequestParams,
  type ElicitRequestParams,
  type ElicitResult,
  isSpecType,
  RELATED_TASK_META_KEY,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import type { Clock } from '#main/base/clock.ts'
import { deepest, isDeeperThan, jsonSize } from '#main/base/json-size.ts'
import { type ProtocolError, protocolError, protocolErrorCodes } from '#main/base/protocol-error.ts'
import type { ConnectionState } from './request-context.ts'
import type { CallContext, RunningCalls } from './running-calls.ts'
import type { AskedBy, OpenServerRequests, ServerRequestHandlers } from './server-request-handlers.ts'
import type { TaskWatch } from './task.ts'

/** Questions that one server may have open. Beyond it is noise, or an attempt to bury one question under others. */
const maxOpen = 20
/** Questions in any minute. Each is put on record and told to every page, also one that is taken back or refused at once. */
const maxAMinute = 60
/** A question is for a person to read: in bytes, about. */
const maxSize = 256 * 1024
/** One that carries pictures or sounds for a model is larger. */
const maxSamplingSize = 8 * 1024 * 1024

interface Asked {
  readonly params: unknown
  readonly size: number
  readonly signal: AbortSignal
  readonly call: CallContext | undefined
  readonly key?: string | undefined
}

export function handleServerRequests(
  client: Client,
  options: Pick<ConnectionState, 'server' | 'clock' | 'running' | 'urlElicitations'> & {
    readonly handlers: ServerRequestHandlers
    readonly calls: RunningCalls
    readonly tasks: TaskWatch
    readonly over: AbortSignal
  },
): OpenServerRequests {
  const { server, handlers, calls, running, tasks, urlElicitations, clock, over } = options
  const admission = createAdmission(clock)

  async function ask<T>(asked: Asked, answer: (by: AskedBy) => Promise<T>): Promise<T> {
    const leave = admission.enter(asked)
    const { call, signal, key } = asked
    const resume = running.pause()
    try {
      const expiresAt = call && tasks.expiresAt(call)
      return await answer({ server, ...defined({ call, expiresAt, key }), signal: AbortSignal.any([signal, over]) })
    } finally {
      leave()
      resume()
    }
  }

  /** A request of the server's own. What is asked for a task says so, and its answer must too (2025-11-25, "Tasks"). */
  async function onRequest<T extends object>(
    ctx: ClientContext,
    params: unknown,
    answer: (by: AskedBy) => Promise<T>,
    size = maxSize,
  ): Promise<T> {
    const { [RELATED_TASK_META_KEY]: related } = ctx.mcpReq._meta ?? {}
    const call = related === undefined ? calls.only() : tasks.callOf(related.taskId)
    const { signal } = ctx.mcpReq
    const asked = new AbortController()
    const onTakenBack = (): void => {
      const reason = isClosed(signal.reason) ? new HostError('server.connection-lost', t`It is gone.`) : takenBack(server, signal.reason)
      asked.abort(over.aborted ? over.reason : reason)
      if (!over.aborted) client.onerror?.(reason)
    }
    signal.addEventListener('abort', onTakenBack, { once: true })
    const result = await ask({ params, size, signal: asked.signal, call }, answer).finally(() =>
      signal.removeEventListener('abort', onTakenBack),
    )
    return related === undefined ? result : { ...result, _meta: { [RELATED_TASK_META_KEY]: { taskId: related.taskId } } }
  }

  function elicit(params: ElicitRequestParams, by: AskedBy): Promise<ElicitResult> {
    const finished = params.mode === 'url' ? urlElicitations.finished(params.elicitationId) : undefined
    return handlers.elicitation(params, finished === undefined ? by : { ...by, finished })
  }

  client.setRequestHandler('sampling/createMessage', ({ params }, ctx) =>
    onRequest(ctx, params, (by) => handlers.sampling(params, by), maxSamplingSize),
  )
  client.setRequestHandler('elicitation/create', ({ params }, ctx) => onRequest(ctx, params, (by) => elicit(params, by)))
  client.setRequestHandler('roots/list', (_request, ctx) => onRequest(ctx, undefined, (by) => handlers.roots(by)))

  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => urlElicitations.complete(params.elicitationId))

  return {
    busy: admission.busy,
    async answer(question, { signal, call = calls.only(), step, key }) {
      const { method, params }: JsonObject = isJsonObject(question) ? question : {}
      const sized = (size: number): Asked => ({ params, size, signal, call, key })
      switch (method) {
        case 'elicitation/create': {
          const form = readElicitation(params)
          return (await ask(sized(maxSize), (by) => elicit(form, step === undefined ? by : { ...by, step }))) as JsonObject
        }
        case 'sampling/createMessage': {
          if (!isSpecType.CreateMessageRequestParams(params)) throw notThat(method)
          const prompt: CreateMessageRequestParams = params
          return (await ask(sized(maxSamplingSize), (by) => handlers.sampling(prompt, by))) as JsonObject
        }
        case 'roots/list':
          return (await ask({ ...sized(maxSize), params: undefined }, (by) => handlers.roots(by))) as JsonObject
        default:
          throw protocolError(protocolErrorCodes.methodNotFound, 'There is no such question.')
      }
    },
  }
}

function createAdmission(clock: Clock) {
  let open = 0
  let times: number[] = []
  return {
    /** Returns what ends the question. @throws {ProtocolError} for one too many, too long or too deep */
    enter({ params, size }: Pick<Asked, 'params' | 'size'>): () => void {
      if (open >= maxOpen) throw protocolError(protocolErrorCodes.internalError, 'Too many questions are open; wait for their answers.')
      const now = clock.now()
      times = times.filter((time) => now - time < 60_000)
      if (times.length >= maxAMinute) throw protocolError(protocolErrorCodes.internalError, 'Too many questions; ask again in a minute.')
      if (params !== undefined && jsonSize(params as Json) > size)
        throw protocolError(protocolErrorCodes.invalidParams, 'The question is too long for a person to read.')
      if (isDeeperThan(params, deepest)) throw protocolError(protocolErrorCodes.invalidParams, 'The question is nested too deeply.')
      times.push(now)
      open += 1
      return () => {
        open -= 1
      }
    },
    busy: (): boolean => open > 0,
  }
}

/** Error for the log; its reason is what the other side wants to be read there (MCP, "Cancellation"). */
function takenBack(server: string, reason: unknown): HostError {
  const word = typeof reason === 'string' ? reason.slice(0, 200) : ''
  return new HostError('cancelled', t`“${server}” withdrew its request${word ? `: ${word}` : '.'}`, {
    data: { withdrawal: 'taken-back', ...(word ? { word } : {}) },
  })
}

/** The SDK ends what was asked when the connection closes, maybe before that is known to be over. */
const isClosed = (reason: unknown): boolean => reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed

const notThat = (method: string): ProtocolError =>
  protocolError(protocolErrorCodes.invalidParams, `The parameters of ${method} are not what the specification says.`)

/** The newer revision names no `elicitationId`, and both take a missing mode for a form. */
function readElicitation(params: Json | undefined): ElicitRequestParams {
  const given = isJsonObject(params) ? params : {}
  const whole = given['mode'] === 'url' ? { elicitationId: '', ...given } : { ...given, mode: given['mode'] ?? 'form' }
  if (!isSpecType.ElicitRequestParams(whole)) throw notThat('elicitation/create')
  return whole
}
