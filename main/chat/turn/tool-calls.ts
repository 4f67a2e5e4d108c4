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
import { type OfferedRead, offeredRead, resourceTool } from '../builtin-tools/resource-tools.ts'
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

type Resolved =
  | { readonly error: ErrorValue }
  | { readonly unasked: BuiltinTool }
  | { readonly asked: AskedTool; readonly args: JsonObject }

/** Finds what a call is of. @throws {HostError} why a server could not say what it has */
async function resolveCall({ chat, conversationId, signal }: CallsContext, call: ToolCall): Promise<Resolved> {
  const conversation = chat.store.conversations.get(conversationId)
  const tool = call.modelName
  const unknown = { error: { code: 'tool.unknown', message: `There is no tool “${tool}”.`, data: { tool } } } as const
  const args = call.arguments
  const named = call.own ? builtinTool(tool) : undefined
  // One that is asked may have been switched off meanwhile.
  const builtin = named?.asked && !(conversation && named.isOffered({ chat, conversation })) ? undefined : named
  const reads = resourceTool(tool) !== undefined
  const offered =
    call.own || reads ? undefined : toolsOf(chat, conversation).find((one) => one.server === call.server && one.tool.name === call.tool)
  if (!builtin && !offered && !reads) return unknown
  if (!isJsonObject(args))
    return { error: { code: 'tool.arguments-invalid', message: 'The arguments are not the JSON of an object.', data: { tool } } }
  if (builtin) return builtin.asked ? { asked: ownTool(builtin), args } : { unasked: builtin }
  if (offered) return { asked: offered, args }
  const read = await offeredRead(chat, conversationId, call, signal)
  const server = String(args['server'])
  if (!read) return { error: { code: 'server.unknown', message: `There is no server named “${server}”.`, data: { server } } }
  return { asked: read, args: read.arguments }
}

/** Resolves to whether the person wants the turn to stop. */
async function runCall(context: CallsContext, writer: MessageWriter, call: ToolCall): Promise<boolean> {
  const { chat, activity, running, conversationId } = context
  if (call.state.kind !== 'queued') return false
  let resolved: Resolved
  try {
    resolved = await resolveCall(context, call)
    if ('error' in resolved) {
      writer.step(call.id, { kind: 'failed', error: resolved.error, at: chat.clock.now() })
      return false
    }
    if ('unasked' in resolved) {
      await runBuiltinTool(resolved.unasked, call, writer, context)
      return false
    }
  } catch (error) {
    return fail(context, writer, call.id, call.server ?? 'Assent', error)
  }
  const own = new AbortController()
  const signal = AbortSignal.any([context.signal, own.signal])
  const { asked, args } = resolved
  const { server } = asked
  const conversation = chat.store.conversations.get(conversationId)
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
    ...(conversation?.beside && { answerOf: conversation.model }),
    activity: createCallActivity(chat.clock, activity.asked),
    signal,
    cancel: () => own.abort(),
    wait: () => wait?.(),
    note,
    onProgress: (progress) => void writer.step(call.id, { kind: 'progressed', progress }),
    onTask: (task) =>
      void chat.store.servers.putTask(server, {
        ...task,
        callId: call.id,
        conversationId,
        messageId: writer.message().id,
        tool: asked.tool.name,
      }),
    leavesTask: context.quitting,
    onLate: (late) => storeLateResult(chat, writer, call.id, late),
    onBlocked: (blocked) => void writer.step(call.id, { kind: 'blocked', blocked }),
    ...(chat.attended === false ? {} : { onOverdue }),
  }
  const undo = running.add(current)
  let ended: unknown
  try {
    return await askAndRun(context, writer, current, asked, args)
  } catch (error) {
    ended = error
    return fail({ ...context, signal }, writer, call.id, server, error, current.activity?.askedMs())
  } finally {
    if (!context.quitting()) chat.store.servers.dropTask(server, call.id)
    own.abort(ended) // Withdraws a question that is still open, with the reason.
    undo()
  }
}

type AskedTool = OfferedTool & Partial<Pick<OfferedRead, 'skillsOf'>> & { readonly builtin?: BuiltinTool }

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
  { server, tool, trusted, local, skillsOf, builtin }: AskedTool,
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
      // The model's arguments name the server of a reading too.
      const kept = skillsOf ? { server } : {}
      const edited = decision.edited ? { arguments: { ...kept, ...(JSON.parse(approval.argumentsText) as JsonObject) } } : {}
      writer.step(callId, { kind: 'allowed', decision, at: chat.clock.now() }, { ...edited, marks })
      if (!builtin) rootsProvider.beforeCall(server, call.conversationId)
      return undefined
    },
  }
  try {
    if (builtin)
      return await askAndRunOwn(chat, writer, call, builtin, { steps, asked: { tool, trusted, local, arguments: args, onAsked } })
    const end = await runApprovedCall(steps, call, { tool, trusted, local, skillsOf, arguments: args, onAsked })
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
  const { callId, conversationId, answerOf, server, signal } = call
  const verdict = await orAborted(chat.broker.toolCall({ callId, conversationId, answerOf, server, signal, own: true, ...asked }), signal)
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

/** Ends the call with the error; the turn goes on. @throws {HostError} when the store cannot write it */
function fail(context: CallsContext, writer: MessageWriter, callId: string, server: string, thrown: unknown, askedMs = 0): false {
  context.chat.onError?.(thrown)
  writer.step(callId, callFailure(thrown, server, context, context.chat.clock.now() - askedMs))
  return false
}
