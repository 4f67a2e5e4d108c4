// The calls of one answer, side by side: asked for, run, recorded. However one ends, it ends as a state that the model
// can read; only a store that cannot write stops the turn.
import { createHash } from 'node:crypto'
import { ProtocolError } from '@modelcontextprotocol/client'
import type { ToolCall } from '#app/chat/message.ts'
import { type ErrorValue, HostError, toErrorValue } from '#app/errors.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import type { ApprovedCall } from '#main/consent/approved.ts'
import type { CallOutcome, OfferedTool } from '#main/servers/types.ts'
import type { AuditEntry } from '#main/store/types.ts'
import { orAborted } from './abort.ts'
import { toToolResult } from './results.ts'
import type { RunningCalls } from './running.ts'
import type { StepContext } from './step.ts'
import type { MessageWriter } from './writer.ts'

export interface CallsContext extends StepContext {
  readonly running: RunningCalls
}

/** Resolves once all have ended; true: the person wants the turn to stop. */
export async function runCalls(context: CallsContext, writer: MessageWriter): Promise<boolean> {
  const stop = new AbortController()
  const signal = AbortSignal.any([context.signal, stop.signal])
  const work = writer.calls().map(async (call) => {
    try {
      if ((await runCall({ ...context, signal }, writer, call)) === 'stop') stop.abort()
    } catch (error) {
      stop.abort() // The others must not go on waiting in a turn that has ended.
      throw error
    }
  })
  const ends = await Promise.allSettled(work)
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
  return stop.signal.aborted
}

async function runCall(context: CallsContext, writer: MessageWriter, call: ToolCall): Promise<'go' | 'stop'> {
  if (call.state.kind !== 'queued') return 'go'
  const { deps, activity, running, conversationId } = context
  const offered = deps.servers.tools().find(({ server, tool }) => server === call.server && tool.name === call.tool)
  const refusal = offered ? argumentsRefusal(call) : unknownTool(call)
  if (!offered || refusal || !isJsonObject(call.arguments)) {
    if (refusal) writer.step(call.id, { kind: 'failed', error: refusal, at: deps.clock.now() })
    return 'go'
  }
  const own = new AbortController()
  const signal = AbortSignal.any([context.signal, own.signal])
  const { server } = offered
  const undo = running.add({ callId: call.id, conversationId, server, activity, signal, cancel: () => own.abort() })
  try {
    return await askAndRun({ ...context, signal }, writer, call.id, offered, call.arguments)
  } catch (error) {
    return fail(context, writer, call.id, offered, signal, error)
  } finally {
    own.abort() // Withdraws a question that is still open.
    undo()
  }
}

async function askAndRun(
  context: CallsContext,
  writer: MessageWriter,
  callId: string,
  { server, tool, trusted }: OfferedTool,
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
    const question = { server, conversationId, callId, signal, tool, trusted, arguments: args, onAsked }
    const verdict = await orAborted(deps.broker.toolCall(question), signal)
    answered?.()
    if (verdict.kind === 'withdrawn') throw new HostError('consent.withdrawn', 'The question was withdrawn before it was answered.')
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

/** Recorded before it is sent: whatever happens then, the record says that it was. */
async function run(context: CallsContext, writer: MessageWriter, callId: string, approval: ApprovedCall): Promise<void> {
  const { deps, conversationId, signal } = context
  const { server, tool, argumentsText, decision } = approval
  const sent = { server, tool, conversationId } as const
  const bytes = Buffer.byteLength(argumentsText)
  writer.step(
    callId,
    { kind: 'allowed', decision, at: deps.clock.now() },
    {
      ...(decision.edited ? { arguments: JSON.parse(argumentsText) as JsonObject } : {}),
      audit: { ...sent, kind: 'call', by: decision.by, decision: 'allowed', detail: { callId, bytes, sha256: sha256(argumentsText) } },
    },
  )
  const onProgress: NonNullable<Parameters<typeof deps.servers.call>[1]['onProgress']> = (progress) =>
    void writer.step(callId, { kind: 'progressed', progress })
  const outcome = await orAborted(deps.servers.call(approval, { signal, onProgress }), signal)
  const result = toToolResult(outcome.result, outcome.bytes, deps.store.blobs)
  writer.step(
    callId,
    { kind: 'finished', result, at: deps.clock.now() },
    {
      audit: {
        ...sent,
        kind: 'result',
        decision: result.isError ? 'error' : 'done',
        detail: resultDetail(callId, outcome, result.isError),
      },
    },
  )
}

function resultDetail(callId: string, outcome: CallOutcome, isError: boolean): JsonObject {
  const { bytes, durationMs } = outcome
  return { callId, bytes, durationMs, isError, sha256: sha256(JSON.stringify(outcome.result)) }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The connection died after the call was sent: nobody knows what became of it. */
const lostCodes: ReadonlySet<string> = new Set(['tool.outcome-unknown'])

/** Throws when not even this can be written. */
function fail(
  context: CallsContext,
  writer: MessageWriter,
  callId: string,
  { server, tool }: OfferedTool,
  signal: AbortSignal,
  thrown: unknown,
): 'go' {
  const { deps, conversationId, quitting } = context
  const error = callError(thrown, server)
  const sent = writer.call(callId)?.state.kind === 'running'
  const end = signal.aborted ? (quitting() ? 'cut-off' : 'cancelled') : lostCodes.has(error.code) ? 'lost' : 'failed'
  const audit: AuditEntry | undefined = sent
    ? { kind: 'result', server, tool: tool.name, conversationId, decision: outcomeWord(end), detail: { callId, code: error.code } }
    : undefined
  const event = end === 'failed' ? ({ kind: 'failed', error, at: deps.clock.now() } as const) : ({ kind: end } as const)
  writer.step(callId, event, audit ? { audit } : {})
  return 'go'
}

const outcomeWord = (end: 'cut-off' | 'cancelled' | 'lost' | 'failed'): string => (end === 'cut-off' || end === 'lost' ? 'unknown' : end)

/** A protocol error came over the wire: its words are the server's, for the model. */
function callError(thrown: unknown, server: string): ErrorValue {
  if (ProtocolError.isInstance(thrown))
    return { code: 'server.protocol', message: `“${server}” answered: ${thrown.message}`, data: { server, protocolCode: thrown.code } }
  return toErrorValue(thrown)
}

function unknownTool(call: ToolCall): ErrorValue {
  return { code: 'tool.unknown', message: `There is no tool “${call.modelName}”.`, data: { tool: call.modelName } }
}

function argumentsRefusal(call: ToolCall): ErrorValue | undefined {
  if (isJsonObject(call.arguments)) return undefined
  return { code: 'tool.arguments-invalid', message: 'The arguments are not the JSON of an object.', data: { tool: call.modelName } }
}
