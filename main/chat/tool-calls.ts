// The calls of one answer, side by side: asked for and run (`servers` puts them on record). However one ends, it ends as a state that the model
// can read; only a store that cannot write stops the turn.
import type { ToolCall } from '#app/chat/message.ts'
import { type ErrorValue, HostError } from '#app/errors.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import type { ApprovedCall } from '#main/consent/approved.ts'
import type { CallOptions, OfferedTool } from '#main/servers/types.ts'
import { orAborted } from './abort.ts'
import { callEnd, callError } from './call-ends.ts'
import { keepLate } from './late.ts'
import { ownTool, runOwnTool } from './own-tools/own-tools.ts'
import { toToolResult } from './results.ts'
import type { RunningCalls } from './running.ts'
import type { StepContext } from './step.ts'
import type { ToldRoots } from './told-roots.ts'
import { toolsOf } from './tools/tool-choice.ts'
import type { MessageWriter } from './writer.ts'

export interface CallsContext extends StepContext {
  readonly running: RunningCalls
  readonly toldRoots: Pick<ToldRoots, 'beforeCall'>
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
  const onOverdue: CallContext['onOverdue'] = (overdue) => {
    if (signal.aborted) return
    wait = overdue && (() => overdue.wait())
    const times = overdue && { since: overdue.since, endsAt: overdue.endsAt }
    writer.step(call.id, { kind: 'overdue', ...(times ? { overdue: times } : {}) })
    running.setOverdue(call.id, times)
  }
  const undo = running.add({
    callId: call.id,
    conversationId,
    server,
    tool: offered.tool.name,
    activity,
    signal,
    cancel: () => own.abort(),
    wait: () => wait?.(),
    note,
  })
  let ended: unknown
  try {
    return await askAndRun({ ...context, signal, onOverdue }, writer, call.id, offered, call.arguments)
  } catch (error) {
    ended = error
    return fail(context, writer, call.id, server, signal, error)
  } finally {
    own.abort(ended) // Withdraws a question that is still open, and says why.
    undo()
  }
}

async function runOwn(context: CallsContext, writer: MessageWriter, call: ToolCall): Promise<'go'> {
  const tool = ownTool(call.modelName)
  const refusal = tool ? argumentsRefusal(call) : unknownTool(call)
  if (!tool || refusal) {
    writer.step(call.id, { kind: 'failed', error: refusal ?? unknownTool(call), at: context.deps.clock.now() })
    return 'go'
  }
  try {
    await runOwnTool(tool, call, writer, context)
    return 'go'
  } catch (error) {
    return fail(context, writer, call.id, 'Assent', context.signal, error)
  }
}

interface CallContext extends CallsContext {
  readonly onOverdue: NonNullable<CallOptions['onOverdue']>
}

async function askAndRun(
  context: CallContext,
  writer: MessageWriter,
  callId: string,
  { server, tool, trusted, local }: OfferedTool,
  args: JsonObject,
): Promise<'go' | 'stop'> {
  const { deps, activity, conversationId, signal } = context
  let answered: (() => void) | undefined
  try {
    const onAsked = (requestId: string): void => {
      if (signal.aborted) return
      answered ??= activity.asked()
      writer.step(callId, { kind: 'asked', requestId })
    }
    const question = { server, conversationId, callId, signal, tool, trusted, local, arguments: args, onAsked }
    const verdict = await orAborted(deps.broker.toolCall(question), signal)
    answered?.()
    if (verdict.kind === 'withdrawn') throw new HostError('consent.withdrawn', t`The question was withdrawn before it was answered.`)
    if (verdict.kind === 'denied') {
      writer.step(callId, { kind: 'denied', decision: verdict.decision })
      return verdict.stop ? 'stop' : 'go'
    }
    await run(context, writer, callId, verdict.approval)
    return 'go'
  } finally {
    answered?.()
  }
}

async function run(context: CallContext, writer: MessageWriter, callId: string, approval: ApprovedCall): Promise<void> {
  const { deps, signal } = context
  const { argumentsText, decision } = approval
  const edited = decision.edited ? { arguments: JSON.parse(argumentsText) as JsonObject } : {}
  writer.step(callId, { kind: 'allowed', decision, at: deps.clock.now() }, edited)
  const onProgress: NonNullable<CallOptions['onProgress']> = (progress) => void writer.step(callId, { kind: 'progressed', progress })
  const onLate: NonNullable<CallOptions['onLate']> = (late) => keepLate(deps, writer, callId, late)
  const ask = deps.attended === false ? {} : { onOverdue: context.onOverdue }
  context.toldRoots.beforeCall(approval.server, context.conversationId)
  const outcome = await orAborted(deps.servers.call(approval, { signal, onProgress, onLate, ...ask }), signal)
  const result = toToolResult(outcome.result, outcome.bytes, deps.store.blobs)
  writer.step(callId, { kind: 'finished', result, at: deps.clock.now() })
}

/** Throws when not even this can be written. */
function fail(context: CallsContext, writer: MessageWriter, callId: string, server: string, signal: AbortSignal, thrown: unknown): 'go' {
  const { deps, quitting } = context
  deps.onError?.(thrown)
  const error = callError(thrown, server)
  const end = callEnd(error, signal, quitting())
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
