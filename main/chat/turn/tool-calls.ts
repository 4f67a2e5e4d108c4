// The calls of one answer, side by side. Each ends in a state that the model can read; only a store that cannot write stops the turn.
import type { ToolCall } from '#app/chat/message.ts'
import { type ErrorValue, HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { orAborted } from '#main/base/abort.ts'
import { spend } from '#main/consent/approved.ts'
import {
  type CallContext,
  type CallOutcome,
  createCallActivity,
  type OfferedTool,
  type RunningCalls,
} from '#main/servers/client/requests/running-calls.ts'
import { type BuiltinTool, builtinResult, builtinTool, runBuiltinTool, toBuiltinEntry } from '../builtin-tools/builtin-tools.ts'
import type { ChatContext } from '../chat-context.ts'
import type { MessageWriter } from '../message-writer.ts'
import { toToolResult } from '../results/store-result.ts'
import type { RootsProvider } from '../roots/roots-provider.ts'
import { type AskedCall, type CallSteps, runApprovedCall } from '../run-approved-call.ts'
import { toolsOf } from '../tools/tool-choice.ts'
import type { StepContext } from './step.ts'
import { callFailure } from './turn-lifecycle.ts'

/**
 * Keeps with its call a result that came after the timeout. The model reads it in the next turn. The turn may be over by now, and a
 * deleted conversation stays deleted. Never throws: no caller waits for it.
 */
function storeLateResult(context: ChatContext, writer: MessageWriter, callId: string, late: Pick<CallOutcome, 'result' | 'bytes'>): void {
  const { store, clock, log, onError } = context
  try {
    if (!store.conversations.get(writer.message().conversationId)) return
    writer.step(callId, { kind: 'late', result: toToolResult(late.result, late.bytes, store.blobs), at: clock.now() })
  } catch (error) {
    onError?.(error)
    log.error('a late result could not be kept', error)
  }
}

interface CallsContext extends StepContext {
  readonly running: RunningCalls
  readonly rootsProvider: Pick<RootsProvider, 'beforeCall'>
}

/** Calls of one answer. More would flood the person with questions. */
const MOST_CALLS = 32
const tooMany: ErrorValue = { code: 'tool.too-many', message: `Of one answer at most ${MOST_CALLS} tool calls are run. This one was not.` }

/** Resolves once all calls have ended; to `true` when the person wants the turn to stop. */
export async function runCalls(context: CallsContext, writer: MessageWriter): Promise<boolean> {
  const stop = new AbortController()
  const signal = AbortSignal.any([context.signal, stop.signal])
  for (const call of writer.calls().slice(MOST_CALLS))
    if (call.state.kind === 'queued') writer.step(call.id, { kind: 'failed', error: tooMany, at: context.chat.clock.now() })
  const work = writer.calls().map(async (call) => {
    try {
      if (await runCall({ ...context, signal }, writer, call)) stop.abort()
    } catch (error) {
      stop.abort() // The others must not wait on in a turn that has ended.
      throw error
    }
  })
  const ends = await Promise.allSettled(work)
  writer.release()
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
  return stop.signal.aborted
}

/** Resolves to whether the person wants the turn to stop. */
async function runCall(context: CallsContext, writer: MessageWriter, call: ToolCall): Promise<boolean> {
  const { chat, activity, running, conversationId } = context
  if (call.state.kind !== 'queued') return false
  const conversation = chat.store.conversations.get(conversationId)
  const named = call.own ? builtinTool(call.modelName) : undefined
  // One that is asked may have been switched off meanwhile.
  const builtin = named?.asked && !(conversation && named.isOffered({ chat, conversation })) ? undefined : named
  const tools = call.own ? [] : toolsOf(chat, conversation)
  const offered = tools.find(({ server, tool }) => server === call.server && tool.name === call.tool)
  if (!(builtin || offered) || !isJsonObject(call.arguments)) {
    const tool = call.modelName
    const error: ErrorValue =
      builtin || offered
        ? { code: 'tool.arguments-invalid', message: 'The arguments are not the JSON of an object.', data: { tool } }
        : { code: 'tool.unknown', message: `There is no tool “${tool}”.`, data: { tool } }
    writer.step(call.id, { kind: 'failed', error, at: chat.clock.now() })
    return false
  }
  if (!offered && !builtin?.asked) {
    try {
      if (builtin) await runBuiltinTool(builtin, call, writer, context)
      return false
    } catch (error) {
      return fail(context, writer, call.id, 'Assent', error)
    }
  }
  const own = new AbortController()
  const signal = AbortSignal.any([context.signal, own.signal])
  const asked = offered ?? (builtin && ownTool(builtin))
  if (!asked) return false
  const { server } = asked
  const note = (message: string): void => void writer.step(call.id, { kind: 'progressed', progress: { progress: 0, message } })
  let wait: (() => void) | undefined
  const onOverdue: CallContext['onOverdue'] = (overdue) => {
    if (signal.aborted) return
    wait = overdue && (() => overdue.wait())
    const times = overdue && { since: overdue.since, endsAt: overdue.endsAt }
    writer.step(call.id, { kind: 'overdue', ...(times ? { overdue: times } : {}) })
    running.setOverdue(call.id, times)
  }
  const current: CallContext = {
    callId: call.id,
    conversationId,
    server,
    tool: asked.tool.name,
    activity: createCallActivity(chat.clock, activity.asked),
    signal,
    cancel: () => own.abort(),
    wait: () => wait?.(),
    note,
    onProgress: (progress) => void writer.step(call.id, { kind: 'progressed', progress }),
    onLate: (late) => storeLateResult(chat, writer, call.id, late),
    onBlocked: (blocked) => void writer.step(call.id, { kind: 'blocked', blocked }),
    ...(chat.attended === false ? {} : { onOverdue }),
  }
  const undo = running.add(current)
  let ended: unknown
  try {
    return await askAndRun(context, writer, current, asked, call.arguments)
  } catch (error) {
    ended = error
    return fail({ ...context, signal }, writer, call.id, server, error, current.activity?.askedMs())
  } finally {
    own.abort(ended) // Withdraws a question that is still open, with the reason.
    undo()
  }
}

type AskedTool = OfferedTool & { readonly builtin?: BuiltinTool }

/** A tool of Assent itself, put to the person as one of a server. */
const ownTool = (builtin: BuiltinTool): AskedTool => ({
  server: 'Assent',
  tool: toBuiltinEntry(builtin),
  trusted: true,
  local: true,
  builtin,
})

async function askAndRun(
  { chat, activity, rootsProvider }: CallsContext,
  writer: MessageWriter,
  call: CallContext,
  { server, tool, trusted, local, builtin }: AskedTool,
  args: JsonObject,
): Promise<boolean> {
  const { callId, signal } = call
  const askedMs = (): number => call.activity?.askedMs() ?? 0
  let answered: (() => void) | undefined
  const onAsked = (requestId: string): void => {
    if (signal.aborted) return
    answered ??= activity.asked()
    writer.step(callId, { kind: 'asked', requestId })
  }
  const steps: CallSteps = {
    ask: chat.broker.toolCall,
    send: chat.servers.call,
    onAllowed({ decision, approval, marks }) {
      answered?.()
      const edited = decision.edited ? { arguments: JSON.parse(approval.argumentsText) as JsonObject } : {}
      writer.step(callId, { kind: 'allowed', decision, at: chat.clock.now() }, { ...edited, marks })
      if (!builtin) rootsProvider.beforeCall(server, call.conversationId)
      return undefined
    },
  }
  try {
    if (builtin)
      return await askAndRunOwn(chat, writer, call, builtin, { steps, asked: { tool, trusted, local, arguments: args, onAsked } })
    const end = await runApprovedCall(steps, call, { tool, trusted, local, arguments: args, onAsked })
    if (end.kind === 'denied') writer.step(callId, { kind: 'denied', decision: end.decision })
    else
      writer.step(callId, {
        kind: 'finished',
        result: toToolResult(end.result, end.bytes, chat.store.blobs),
        at: chat.clock.now() - askedMs(),
      })
    return end.kind === 'denied' && end.stop
  } finally {
    answered?.()
  }
}

/** Asks for a tool of Assent itself, and runs it with what was allowed. */
async function askAndRunOwn(
  chat: ChatContext,
  writer: MessageWriter,
  call: CallContext,
  builtin: BuiltinTool,
  { steps, asked }: { readonly steps: CallSteps; readonly asked: AskedCall },
): Promise<boolean> {
  const { callId, conversationId, server, signal } = call
  const verdict = await orAborted(chat.broker.toolCall({ callId, conversationId, server, signal, own: true, ...asked }), signal)
  if (verdict.kind === 'withdrawn') throw new HostError('consent.withdrawn', t`The question was withdrawn. Nothing was run.`)
  if (verdict.kind === 'denied') {
    writer.step(callId, { kind: 'denied', decision: verdict.decision })
    return verdict.stop
  }
  const { argumentsText } = spend(verdict.approval)
  const conversation = chat.store.conversations.get(conversationId ?? '')
  if (!conversation) return false
  steps.onAllowed?.(verdict)
  const result = await builtinResult(builtin, JSON.parse(argumentsText) as JsonObject, { chat, conversation, callId, signal })
  writer.step(callId, { kind: 'finished', result, at: chat.clock.now() })
  return false
}

/** Ends the call with the error; the turn goes on. Throws when the store cannot write it. */
function fail(context: CallsContext, writer: MessageWriter, callId: string, server: string, thrown: unknown, askedMs = 0): false {
  context.chat.onError?.(thrown)
  writer.step(callId, callFailure(thrown, server, context, context.chat.clock.now() - askedMs))
  return false
}
