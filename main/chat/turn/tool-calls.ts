// The calls of one answer, side by side: asked for and run (`servers` puts them on record). However one ends, it ends as a
// state that the model can read; only a store that cannot write stops the turn. A result that comes after its call was ended
// for having taken too long. It is kept with the call and shown on its row; what the model was told of it stays, and what comes
// next is not decided by it: the model reads of it in the next turn.

import type { ToolCall } from '#app/chat/message.ts'
import type { ErrorValue } from '#app/errors.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import type { CallContext, CallOptions, CallTimeout, OfferedTool, RunningCalls } from '#main/servers/client/requests/running-calls.ts'
import { builtinTool, runBuiltinTool } from '../builtin-tools/builtin-tools.ts'
import type { ChatContext } from '../chat-context.ts'
import type { MessageWriter } from '../message-writer.ts'
import { toToolResult } from '../results/store-result.ts'
import type { RootsProvider } from '../roots/roots-provider.ts'
import { type CallSteps, runApprovedCall } from '../run-approved-call.ts'
import { toolsOf } from '../tools/tool-choice.ts'
import type { StepContext } from './step.ts'
import { callEndKind, callError } from './turn-lifecycle.ts'

type Late = Parameters<NonNullable<CallOptions['onLate']>>[0]

/** Never throws: nobody waits for it. The turn of the message may be over; a conversation that is gone stays gone. */
function storeLateResult(context: ChatContext, writer: MessageWriter, callId: string, { result, bytes }: Late): void {
  const { store, clock, log, onError } = context
  try {
    if (!store.conversations.get(writer.message().conversationId)) return
    writer.step(callId, { kind: 'late', result: toToolResult(result, bytes, store.blobs), at: clock.now() })
  } catch (error) {
    onError?.(error)
    log.error('a late result could not be kept', error)
  }
}

interface CallsContext extends StepContext {
  readonly running: RunningCalls
  readonly toldRoots: Pick<RootsProvider, 'beforeCall'>
}

/** Of one answer. More would bury what matters under questions. */
const MOST_CALLS = 32
const tooMany: ErrorValue = {
  code: 'tool.too-many',
  message: `Of one answer at most ${MOST_CALLS} tool calls are run. This one was not.`,
}

/** Resolves once all have ended; true: the person wants the turn to stop. */
export async function runCalls(context: CallsContext, writer: MessageWriter): Promise<boolean> {
  const stop = new AbortController()
  const signal = AbortSignal.any([context.signal, stop.signal])
  for (const call of writer.calls().slice(MOST_CALLS))
    if (call.state.kind === 'queued') writer.step(call.id, { kind: 'failed', error: tooMany, at: context.deps.clock.now() })
  const work = writer.calls().map(async (call) => {
    try {
      if ((await runCall({ ...context, signal }, writer, call)) === 'stop') stop.abort()
    } catch (error) {
      stop.abort() // The others must not go on waiting in a turn that has ended.
      throw error
    }
  })
  const ends = await Promise.allSettled(work)
  writer.release()
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
  return stop.signal.aborted
}

async function runCall(context: CallsContext, writer: MessageWriter, call: ToolCall): Promise<'go' | 'stop'> {
  if (call.state.kind !== 'queued') return 'go'
  if (call.own) return runOwn(context, writer, call)
  const { deps, activity, running, conversationId } = context
  const tools = toolsOf(deps, deps.store.conversations.get(conversationId))
  const offered = tools.find(({ server, tool }) => server === call.server && tool.name === call.tool)
  const refusal = offered ? argumentsRefusal(call) : unknownTool(call)
  if (!offered || refusal || !isJsonObject(call.arguments)) {
    if (refusal) writer.step(call.id, { kind: 'failed', error: refusal, at: deps.clock.now() })
    return 'go'
  }
  const own = new AbortController()
  const signal = AbortSignal.any([context.signal, own.signal])
  const { server } = offered
  const note = (message: string): void => void writer.step(call.id, { kind: 'progressed', progress: { progress: 0, message } })
  let wait: (() => void) | undefined
  const made: CallContext = {
    callId: call.id,
    conversationId,
    server,
    tool: offered.tool.name,
    activity,
    signal,
    cancel: () => own.abort(),
    wait: () => wait?.(),
    note,
    onProgress: (progress) => void writer.step(call.id, { kind: 'progressed', progress }),
    onLate: (late) => storeLateResult(deps, writer, call.id, late),
    ...(deps.attended === false ? {} : { onOverdue }),
  }
  const undo = running.add(made)
  let ended: unknown
  try {
    return await askAndRun(context, writer, made, offered, call.arguments)
  } catch (error) {
    ended = error
    return fail(context, writer, call.id, server, signal, error)
  } finally {
    own.abort(ended) // Withdraws a question that is still open, and says why.
    undo()
  }

  function onOverdue(overdue: CallTimeout | undefined): void {
    if (signal.aborted) return
    wait = overdue && (() => overdue.wait())
    const times = overdue && { since: overdue.since, endsAt: overdue.endsAt }
    writer.step(call.id, { kind: 'overdue', ...(times ? { overdue: times } : {}) })
    running.setOverdue(call.id, times)
  }
}

async function runOwn(context: CallsContext, writer: MessageWriter, call: ToolCall): Promise<'go'> {
  const tool = builtinTool(call.modelName)
  const refusal = tool ? argumentsRefusal(call) : unknownTool(call)
  if (!tool || refusal) {
    writer.step(call.id, { kind: 'failed', error: refusal ?? unknownTool(call), at: context.deps.clock.now() })
    return 'go'
  }
  try {
    await runBuiltinTool(tool, call, writer, context)
    return 'go'
  } catch (error) {
    return fail(context, writer, call.id, 'Assent', context.signal, error)
  }
}

async function askAndRun(
  { deps, activity, toldRoots }: CallsContext,
  writer: MessageWriter,
  call: CallContext,
  { server, tool, trusted, local }: OfferedTool,
  args: JsonObject,
): Promise<'go' | 'stop'> {
  const { callId, signal } = call
  let answered: (() => void) | undefined
  const onAsked = (requestId: string): void => {
    if (signal.aborted) return
    answered ??= activity.asked()
    writer.step(callId, { kind: 'asked', requestId })
  }
  const steps: CallSteps = {
    ask: deps.broker.toolCall,
    send: deps.servers.call,
    onAllowed({ decision, approval }) {
      answered?.()
      const edited = decision.edited ? { arguments: JSON.parse(approval.argumentsText) as JsonObject } : {}
      writer.step(callId, { kind: 'allowed', decision, at: deps.clock.now() }, edited)
      toldRoots.beforeCall(server, call.conversationId)
      return undefined
    },
  }
  try {
    const end = await runApprovedCall(steps, call, { tool, trusted, local, arguments: args, onAsked })
    if (end.kind === 'denied') {
      writer.step(callId, { kind: 'denied', decision: end.decision })
      return end.stop ? 'stop' : 'go'
    }
    writer.step(callId, { kind: 'finished', result: toToolResult(end.result, end.bytes, deps.store.blobs), at: deps.clock.now() })
    return 'go'
  } finally {
    answered?.()
  }
}

/** Throws when not even this can be written. */
function fail(context: CallsContext, writer: MessageWriter, callId: string, server: string, signal: AbortSignal, thrown: unknown): 'go' {
  const { deps, quitting } = context
  deps.onError?.(thrown)
  const error = callError(thrown, server)
  const end = callEndKind(error, signal, quitting())
  writer.step(callId, end === 'failed' ? { kind: 'failed', error, at: deps.clock.now() } : { kind: end })
  return 'go'
}

function unknownTool(call: ToolCall): ErrorValue {
  return { code: 'tool.unknown', message: `There is no tool “${call.modelName}”.`, data: { tool: call.modelName } }
}

function argumentsRefusal(call: ToolCall): ErrorValue | undefined {
  if (isJsonObject(call.arguments)) return undefined
  return { code: 'tool.arguments-invalid', message: 'The arguments are not the JSON of an object.', data: { tool: call.modelName } }
}
