// Stands between the SDK's client and a transport. Results are handed over as they came: the SDK's schemas fail a whole list for one bad
// tool, and a call for one unknown content type. A request whose stream ends without a response fails then, and not at its timeout.
// Progress and late results go to the request's own listeners; a response that nobody waits for is dropped.
import {
  isSpecType,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type JSONRPCResultResponse,
  LATEST_PROTOCOL_VERSION,
  type RequestId,
  type StandardSchemaV1,
  type Transport,
} from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { deepest, isDeeperThan, withoutTexts } from '#main/base/json-size.ts'
import type { StepEnd } from '#main/servers/process/start-recorder.ts'
import {
  discoverInPublishedWords,
  draftVersion,
  inPublishedWords,
  isInDraft,
  mutual,
  supportedIn,
  unsupportedProtocolVersion,
} from '#main/servers/transport/protocol-versions.ts'
import { failedResponse } from '#main/servers/transport/stdio/message-envelope.ts'
import type { LateReceiver, LateResponses } from '../requests/late-responses.ts'
import { readTask, type TaskWatch } from '../requests/task.ts'
import type { ConnectOptions } from './connection.ts'
import type { NotificationHub } from './notifications.ts'
import { endStep, failStep } from './timed-requests.ts'
import type { Trace } from './trace-context.ts'

/** Members that are kept as text were checked when they came. */
const isTooDeep = (answer: unknown): boolean => isDeeperThan(isJsonObject(answer) ? withoutTexts(answer) : answer, deepest)

const asItCame = Symbol('as it came')

/** Schema that takes any object as a result, and returns it as it was on the wire. */
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

/** Methods whose results are handed over as they came. */
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

/** Whether a result is complete, or the task that stands for the result of a call (2026-07-28, extension "Tasks"). */
const isWhole = (method: string, { resultType = 'complete' }: JsonObject): boolean =>
  kept.has(method) && (resultType === 'complete' || (resultType === 'task' && method === 'tools/call'))

/** Result that passes every schema of the methods above. */
const lists = { content: [], tools: [], resources: [], resourceTemplates: [], contents: [], prompts: [], messages: [] }
const wellFormed = inPublishedWords(lists)

/** Characters of an error's message, which reaches the page, the audit log and the model. */
const longestMessage = 4000

function shortError(message: JSONRPCErrorResponse): JSONRPCErrorResponse {
  const { error } = message
  return error.message.length <= longestMessage
    ? message
    : { ...message, error: { ...error, message: `${error.message.slice(0, longestMessage)}…` } }
}

const traced = (message: JSONRPCRequest, trace: Trace): JSONRPCRequest => ({
  ...message,
  params: { ...message.params, _meta: { ...trace, ...message.params?._meta } },
})

/** Error for the log about what the SDK could not read as a message, without all of that. */
const noMessage = (error: Error): Error =>
  error instanceof SyntaxError || error.name === 'ZodError'
    ? new HostError('server.protocol', t`The server sent an invalid message.`, { cause: error })
    : error

interface Receiver {
  readonly onProgress?: ((update: JsonObject) => void) | undefined
  readonly late?: LateReceiver | undefined
}

/** Key of a request's listeners in its parameters. A symbol goes through the SDK with them, and never onto the wire. */
export const receiver = Symbol('receiver')

const receiverOf = (params: object | undefined): Receiver => (params as { readonly [receiver]?: Receiver } | undefined)?.[receiver] ?? {}

interface PendingRequest extends Receiver {
  readonly method: string
  readonly draft: boolean
  readonly endStep: StepEnd | undefined
}

interface AdapterOptions extends Pick<ConnectOptions, 'trace' | 'steps'> {
  readonly tasks: TaskWatch
  readonly notifications: NotificationHub
  readonly late: LateResponses
  readonly greeted?: boolean | undefined
}

interface TransportAdapter extends Transport {
  readonly versions: VersionReader
}

export function createTransportAdapter(inner: Transport, options: AdapterOptions): TransportAdapter {
  const { late, trace, steps, greeted = false } = options
  const pending = new Map<RequestId, PendingRequest>()
  const versions = new VersionReader()

  const transport: TransportAdapter = {
    versions,
    get sessionId() {
      return inner.sessionId
    },
    ...(inner.hasPerRequestStream === undefined ? {} : { hasPerRequestStream: inner.hasPerRequestStream }),
    start: () => inner.start(),
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(versions.inDraft ? draftVersion : version),
    setSupportedProtocolVersions: (supported) => inner.setSupportedProtocolVersions?.(supported),
    async send(message, sendOptions) {
      if (!('method' in message) || !('id' in message)) {
        // The response to a cancelled request may never come: it must not be remembered for ever.
        if ('method' in message && message.method === 'notifications/cancelled') forget(message.params?.['requestId'] as RequestId)
        return inner.send(message, sendOptions)
      }
      const { id, method } = message
      const endStep = greeted && method === 'initialize' ? undefined : steps?.step(method)
      const draft = isInDraft(message.params)
      pending.set(id, { ...receiverOf(message.params), method, draft, endStep })
      // The published revision calls off by hanging up; the drafts wanted to be told.
      if (draft && inner.hasPerRequestStream) sendOptions?.requestSignal?.addEventListener('abort', () => tellCancelled(id), { once: true })
      if (method === 'initialize') versions.greeting()
      const onRequestStreamEnd = sendOptions?.onRequestStreamEnd ?? (() => endWithoutResponse(id))
      try {
        await inner.send(trace ? traced(message, trace) : message, { ...sendOptions, onRequestStreamEnd })
      } catch (error) {
        pending.delete(id)
        failStep(endStep, error)
        throw error
      }
    },
  }

  function forget(id: RequestId): void {
    late.cancelled(id, pending.get(id)?.late)
    pending.delete(id)
  }

  function tellCancelled(requestId: RequestId): void {
    if (!pending.has(requestId)) return
    inner.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }).catch(() => undefined) // It hung up already.
  }

  function endWithoutResponse(id: RequestId): void {
    if (!pending.delete(id)) return
    const error = new HostError('server.connection-lost', t`The server closed the connection.`)
    transport.onmessage?.(failedResponse(id, error))
  }

  /** Undefined for a response that nobody waits for: late, double, or to an id of another kind, which the SDK takes for ours. */
  function readMessage(message: JSONRPCMessage): JSONRPCMessage | undefined {
    if ('method' in message || message.id === undefined) return message
    const request = pending.get(message.id)
    if (!request) {
      takeLate(late, message)
      return undefined
    }
    pending.delete(message.id)
    endStep(request.endStep, request.method, message)
    return readResponse(message, message.id, request, versions, options.tasks)
  }

  inner.onmessage = (message: JSONRPCMessage, extra) => {
    try {
      if ('method' in message && !('id' in message) && isHeard(message, pending, options)) return
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
      return
    }
    const read = readMessage(message)
    if (read) transport.onmessage?.(read, extra)
  }
  inner.onerror = (error) => transport.onerror?.(noMessage(error))
  inner.onclose = () => transport.onclose?.()
  return transport
}

/** Hands a late result to its receiver. An error that comes late says no more than that the request was cancelled. */
function takeLate(late: LateResponses, message: JSONRPCResponse): void {
  const wanted = message.id === undefined ? undefined : late.receiverOf(message.id)
  if (!wanted || !('result' in message) || !isJsonObject(message.result) || isTooDeep(message.result)) return
  if ((message.result['resultType'] ?? 'complete') === 'complete') wanted.take(message.result)
}

/** Whether a notification is none of the SDK's. Progress of a call is heard before its response, also within one turn. */
function isHeard(
  notification: JSONRPCNotification,
  pending: ReadonlyMap<RequestId, PendingRequest>,
  { tasks, notifications }: AdapterOptions,
): boolean {
  if (tasks.hear(notification)) return true
  if (notification.method !== 'notifications/progress') return notifications.hear(notification)
  const { progressToken: token, ...update } = (notification.params ?? {}) as JsonObject
  if (typeof token === 'number' || typeof token === 'string') pending.get(Number(token))?.onProgress?.(update)
  return true
}

/** Makes of a response what the SDK takes: results pass its schemas, and keep what came for `rawResult`. */
function readResponse(
  message: JSONRPCResponse,
  id: RequestId,
  { method, draft }: PendingRequest,
  versions: VersionReader,
  tasks: TaskWatch,
): JSONRPCMessage {
  // Lists lose only the entry that is nested so deeply.
  if (!method.endsWith('/list') && isTooDeep('result' in message ? message.result : message.error))
    return failedResponse(id, new HostError('server.protocol', t`The server sent an invalid message.`))
  if (!('result' in message)) return shortError(versions.readError(method, message))
  if (method === 'server/discover') return versions.readDiscover(message)
  if (method === 'initialize') return versions.readInitialize(message)
  const result = draft && isJsonObject(message.result) ? inPublishedWords(message.result) : message.result
  // The SDK's skills client reads resources too, and needs to see them.
  if (method === 'resources/read' && isSpecType.ReadResourceResult(result)) return { ...message, result: { ...result, [asItCame]: result } }
  if (!isJsonObject(result)) return message
  const made = method === 'tools/call' ? readTask(result['task']) : undefined
  if (made) tasks.made(id, made.taskId)
  return { ...message, result: isWhole(method, result) ? { ...wellFormed, [asItCame]: result } : result }
}

/** Reads facts about the protocol version that the SDK's client does not tell, and puts drafts in the words of the published revision. */
class VersionReader {
  /** The server chose the draft: spoken as the newest revision with a handshake is, which the SDK takes it for. */
  inDraft: boolean = false
  initialized: JsonObject | undefined
  /** Versions that the server named when it was asked for its era. */
  offered: readonly string[] | undefined

  /** `initialize` is sent: what the server offered when asked for its era led there, and what it says now counts. */
  greeting(): void {
    if (this.offered && mutual(this.offered).length > 0) this.offered = undefined
  }

  readError(method: string, message: JSONRPCErrorResponse): JSONRPCErrorResponse {
    if (method !== 'initialize' && method !== 'server/discover') return message
    const { error } = message
    this.offered = supportedIn(error)
    if (method === 'initialize' || this.offered === undefined) return message
    // A revision of ours among them is the one to speak, whatever else the server names.
    const common = mutual(this.offered)
    const supported = [...(common.length > 0 ? common : this.offered)]
    return { ...message, error: { ...error, code: unsupportedProtocolVersion, data: { supported } } }
  }

  readDiscover(message: JSONRPCResultResponse): JSONRPCMessage {
    if (!isJsonObject(message.result)) return message
    const result = discoverInPublishedWords(message.result)
    if (!isSpecType.DiscoverResult(result)) return { ...message, result }
    this.offered = result.supportedVersions
    const common = mutual(this.offered)
    // The SDK would prefer a draft to an older revision that was published.
    return { ...message, result: common.length > 0 ? { ...result, supportedVersions: [...common] } : result }
  }

  readInitialize(message: JSONRPCResultResponse): JSONRPCMessage {
    this.initialized = message.result as JsonObject
    this.inDraft = this.initialized['protocolVersion'] === draftVersion
    return this.inDraft ? { ...message, result: { ...message.result, protocolVersion: LATEST_PROTOCOL_VERSION } } : message
  }
}
