// What stands between the SDK's client and a transport. Two things the SDK would spoil are put right here: results are
// handed over as they came (its schemas fail a whole list for one bad tool, and a call for one content type that it does
// not know), and a request whose stream ends without an answer ends too, rather than at its timeout. An answer that
// nobody waits for is dropped here, but for those of calls that were ended for having taken too long (`late-answers.ts`).
import {
  isSpecType,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  LATEST_PROTOCOL_VERSION,
  type RequestId,
  type StandardSchemaV1,
  type Transport,
} from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { deepest, isDeeperThan } from '#main/base/json-size.ts'
import { withoutTexts } from '#main/base/raw-json-members.ts'
import type { StepRecorder } from '#main/servers/process/start-recorder.ts'
import { draftVersion, mutual, supportedIn, unsupportedProtocolVersion } from '#main/servers/transport/protocol-versions.ts'
import { failedResponse } from '#main/servers/transport/stdio/message-envelope.ts'
import type { TaskWatch } from '../tasks/task.ts'
import { readTask } from '../tasks/task.ts'
import { type LateReceiver, type LateResponses, lateReceiverOf } from './late-responses.ts'
import type { NotificationHub } from './notifications.ts'
import { timeRequests } from './timed-requests.ts'
import type { Trace } from './trace-context.ts'

/** What is kept as text was looked over when it came. */
const isTooDeep = (answer: unknown): boolean =>
  isDeeperThan(isJsonObject(answer as Json) ? withoutTexts(answer as JsonObject) : answer, deepest)

const asItCame = Symbol('as it came')

/** Takes any object as a result, and gives it as it was on the wire. */
export const rawResult: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': {
    version: 1,
    vendor: 'assent',
    validate(value) {
      if (!isJsonObject(value)) return { issues: [{ message: 'the result is not an object' }] }
      return { value: (value as { [asItCame]?: JsonObject })[asItCame] ?? value }
    },
  },
}

const kept: ReadonlySet<string> = new Set([
  'tools/call',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
  'tasks/result',
])

/** A task in place of a result of a call; on anything else it is no answer (2026-07-28, extension "Tasks"). */
const isWhole = (method: string, { resultType = 'complete' }: JsonObject): boolean =>
  kept.has(method) && (resultType === 'complete' || (resultType === 'task' && method === 'tools/call'))

/** What drafts of 2026 left out. */
const modernEnvelope = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }

/** Passes every schema of the methods above. */
const wellFormed = {
  ...modernEnvelope,
  content: [],
  tools: [],
  resources: [],
  resourceTemplates: [],
  contents: [],
  prompts: [],
  messages: [],
}

/** An error's words reach the page, the record of the chat and the model. */
const longestMessage = 4000

function shortError(message: JSONRPCErrorResponse): JSONRPCErrorResponse {
  const { error } = message
  return error.message.length <= longestMessage
    ? message
    : { ...message, error: { ...error, message: `${error.message.slice(0, longestMessage)}…` } }
}

/** What a request says itself comes first. */
const traced = (message: JSONRPCRequest, trace: Trace): JSONRPCRequest => ({
  ...message,
  params: { ...message.params, _meta: { ...trace, ...message.params?._meta } },
})

/** What the SDK could not read as a message is worth a word in the log, but not all of it. */
const noMessage = (error: Error): Error =>
  error instanceof SyntaxError || error.name === 'ZodError'
    ? new HostError('server.protocol', t`The server sent something that is no message; it was passed over.`, { cause: error })
    : error

type ProgressTaker = (update: JsonObject) => void

/** Hangs on the parameters of a request, like `lateReceiver`. */
export const progressTaker = Symbol('progress taker')

const progressTakerOf = (params: object | undefined): ProgressTaker | undefined =>
  (params as { readonly [progressTaker]?: ProgressTaker } | undefined)?.[progressTaker]

interface Asked {
  readonly method: string
  readonly taker: LateReceiver | undefined
  readonly onProgress: ProgressTaker | undefined
}

interface WireOptions {
  readonly tasks: TaskWatch
  readonly notices: NotificationHub
  readonly late: LateResponses
  readonly trace?: Trace | undefined
  /** What is asked until the server is ready is put down there. */
  readonly steps?: StepRecorder | undefined
  /** `initialize` was answered before. */
  readonly greeted?: boolean | undefined
}

export interface TransportAdapter extends Transport {
  /** It was greeted, and chose the draft: spoken as the newest revision with a handshake is, which the SDK takes it for. */
  readonly inDraft: boolean
  /** What the server answered to `initialize`. */
  readonly initialized: JsonObject | undefined
  /** The versions that it named when asked for its era. */
  readonly offered: readonly string[] | undefined
}

export function createTransportAdapter(
  inner: Transport,
  { tasks, notices, late, trace, steps, greeted = false }: WireOptions,
): TransportAdapter {
  const timed = timeRequests(steps, { greeted })
  const pending = new Map<RequestId, Asked>()
  let initialized: JsonObject | undefined
  let offered: readonly string[] | undefined
  let inDraft = false

  const transport: TransportAdapter = {
    get inDraft() {
      return inDraft
    },
    get initialized() {
      return initialized
    },
    get offered() {
      return offered
    },
    get sessionId() {
      return inner.sessionId
    },
    ...(inner.hasPerRequestStream === undefined ? {} : { hasPerRequestStream: inner.hasPerRequestStream }),
    start: () => inner.start(),
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(inDraft ? draftVersion : version),
    setSupportedProtocolVersions: (versions) => inner.setSupportedProtocolVersions?.(versions),
    async send(message, options) {
      if (!('method' in message) || !('id' in message)) {
        // Called off: an answer that never comes must not be remembered for ever.
        if ('method' in message && message.method === 'notifications/cancelled') calledOff(message.params?.['requestId'] as RequestId)
        return inner.send(message, options)
      }
      const { id, method } = message
      pending.set(id, { method, taker: lateReceiverOf(message.params), onProgress: progressTakerOf(message.params) })
      timed.sent(id, method)
      // What it offered when asked for its era led here; what it says now counts.
      if (method === 'initialize' && offered && mutual(offered).length > 0) offered = undefined
      const onRequestStreamEnd = options?.onRequestStreamEnd ?? (() => answerLost(id))
      try {
        await inner.send(trace ? traced(message, trace) : message, { ...options, onRequestStreamEnd })
      } catch (error) {
        pending.delete(id)
        timed.failed(id, error)
        throw error
      }
    },
  }

  function calledOff(id: RequestId): void {
    late.cancelled(id, pending.get(id)?.taker)
    pending.delete(id)
  }

  /** Answers to an id of nobody's are dropped; an error that comes late says no more than that it was cancelled. */
  function takeLate(message: Exclude<JSONRPCMessage, { method: string }>): void {
    const taker = message.id === undefined ? undefined : late.takerOf(message.id)
    if (!taker || !('result' in message) || !isJsonObject(message.result as Json) || isTooDeep(message.result)) return
    const result = message.result as JsonObject
    if ((result['resultType'] ?? 'complete') === 'complete') taker.take(result)
  }

  function answerLost(id: RequestId): void {
    if (!pending.delete(id)) return
    transport.onmessage?.(
      failedResponse(id, new HostError('server.connection-lost', t`The server closed the answer before it had said anything.`)),
    )
  }

  /** In the words of the published revision, whichever the server uses. */
  function takeEraError(message: JSONRPCErrorResponse): JSONRPCErrorResponse {
    const { error } = message
    offered = supportedIn(error)
    if (offered === undefined) return message
    // With a revision of ours among them that is the one to speak, whatever else it names.
    const common = mutual(offered)
    return {
      ...message,
      error: { ...error, code: unsupportedProtocolVersion, data: { supported: [...(common.length > 0 ? common : offered)] } },
    }
  }

  function takeEra(message: JSONRPCResultResponse): JSONRPCMessage {
    if (!isJsonObject(message.result as Json)) return message
    const result = { ...modernEnvelope, ...message.result }
    if (!isSpecType.DiscoverResult(result)) return { ...message, result }
    offered = result.supportedVersions
    const common = mutual(offered)
    // The SDK would take a draft before an older revision that was published.
    return { ...message, result: common.length > 0 ? { ...result, supportedVersions: [...common] } : result }
  }

  function takeGreeting(message: JSONRPCResultResponse): JSONRPCMessage {
    initialized = message.result as JsonObject
    inDraft = initialized['protocolVersion'] === draftVersion
    return inDraft ? { ...message, result: { ...message.result, protocolVersion: LATEST_PROTOCOL_VERSION } } : message
  }

  /** Undefined for an answer that nobody waits for: late, double, or to an id of another kind, which the SDK takes for ours. */
  function take(message: JSONRPCMessage): JSONRPCMessage | undefined {
    if ('method' in message || message.id === undefined) return message
    timed.answered(message)
    const asked = pending.get(message.id)
    if (asked === undefined) return takeLate(message) as undefined
    const { method } = asked
    pending.delete(message.id)
    // Of a list only the entry is lost that is nested so.
    if (!method.endsWith('/list') && isTooDeep('result' in message ? message.result : message.error))
      return failedResponse(message.id, new HostError('server.protocol', t`The server answered with something that is nested too deeply.`))
    if (!('result' in message)) {
      if (method === 'initialize') offered = supportedIn(message.error)
      return shortError(method === 'server/discover' ? takeEraError(message) : message)
    }
    if (method === 'server/discover') return takeEra(message)
    const { result } = message
    if (method === 'initialize') return takeGreeting(message)
    // The SDK's skills client reads resources too, and wants to see them.
    if (method === 'resources/read' && isSpecType.ReadResourceResult(result))
      return { ...message, result: { ...result, [asItCame]: result } }
    if (!isJsonObject(result)) return message
    const made = method === 'tools/call' ? readTask(result['task']) : undefined
    if (made) tasks.made(message.id, made.taskId)
    return isWhole(method, result) ? { ...message, result: { ...wellFormed, [asItCame]: result } } : message
  }

  /** Whether it is no business of the SDK's. What is said of a call is heard before its answer, in the same turn too. */
  function heard(notification: JSONRPCNotification): boolean {
    if (tasks.hear(notification)) return true
    if (notification.method !== 'notifications/progress') return notices.hear(notification)
    const { progressToken: token, ...update } = (notification.params ?? {}) as JsonObject
    const asked = typeof token === 'number' || typeof token === 'string' ? pending.get(Number(token)) : undefined
    asked?.onProgress?.(update)
    return true
  }

  inner.onmessage = (message: JSONRPCMessage, extra) => {
    try {
      if ('method' in message && !('id' in message) && heard(message)) return
    } catch (error) {
      // Of whoever listens: no fault of the connection's.
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
      return
    }
    const taken = take(message)
    if (taken) transport.onmessage?.(taken, extra)
  }
  inner.onerror = (error) => transport.onerror?.(noMessage(error))
  inner.onclose = () => transport.onclose?.()
  return transport
}
