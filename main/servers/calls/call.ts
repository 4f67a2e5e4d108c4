// One tools/call on a connection: sends the very bytes that were approved, waits as long as there is word, and says
// plainly how it ended. Once sent, a call whose answer never came has an unknown outcome, and nobody runs it again.
import { type Progress, progress } from '#app/chat/message.ts'
import { HostError, type HostErrorCode } from '#app/errors.ts'
import type { Json, JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import type { ApprovedCall } from '#main/consent/approved.ts'
import { mirrorsIn } from '../catalogue/catalogue-entries.ts'
import { mirroredHeaders } from '../catalogue/mirrored-headers.ts'
import type { Connection } from '../connection/connection.ts'
import { isUnheard } from '../connection/is-unheard.ts'
import { keptTexts } from '../kept-text.ts'
import { cancelTask, followTask } from '../tasks/follow.ts'
import { formOf, madeTask, needsTask } from '../tasks/task.ts'
import type { CallOptions } from '../types.ts'
import type { SchemaChecker } from '../validation/check.ts'
import { lateTaker } from './late-answers.ts'
import { createCallPatience } from './overdue.ts'
import type { Lost } from './patience.ts'

export interface CallContext {
  readonly call: ApprovedCall
  readonly tool: ToolEntry
  readonly options: CallOptions
  readonly timeoutMs: number
  readonly clock: Clock
  readonly checker: SchemaChecker
  /** A connection that stands, where the one that the call was made on does not. */
  readonly reconnect: () => Promise<Connection>
  /** What came after it had been ended by its timeout. */
  readonly onLate: (result: JsonObject) => void
  /** Something about the call that belongs in the server's log. */
  readonly note: (text: string) => void
}

/** A call that tells of progress without end is ended after so many times what it may take without a word. */
const longestTimes = 60

export async function callTool(connection: Connection, context: CallContext): Promise<JsonObject> {
  const { call, options, clock, timeoutMs } = context
  const { server, tool } = call
  const control = new AbortController()
  const onCancel = (): void => control.abort(new HostError('cancelled', t`The call of ${tool} was cancelled.`, { data: { server, tool } }))
  if (options.signal.aborted) onCancel()
  else options.signal.addEventListener('abort', onCancel, { once: true })
  const longestMs = longestTimes * timeoutMs
  const patience = createCallPatience({
    clock,
    ms: timeoutMs,
    most: longestMs,
    onOverdue: options.onOverdue,
    onLost: (why, silentMs) => control.abort(lost(why, silentMs)),
  })
  const lost = (why: Lost, silentMs: number): HostError => {
    const ms = why === 'length' ? longestMs : silentMs
    const seconds = Math.round(ms / 1000)
    const message =
      why === 'length'
        ? t`${tool} of “${server}” went on for ${seconds} s, so it was cancelled.`
        : t`${tool} of “${server}” gave no word for ${seconds} s, so it was cancelled.`
    return new HostError('tool.timeout', message, { data: { server, tool, timeoutMs: ms } })
  }
  const forget = connection.calls.add(call.callId, patience)
  const leave = connection.waits.add(patience)
  try {
    control.signal.throwIfAborted()
    const args = JSON.parse(call.argumentsText) as Json
    const mirrors = mirrorsIn(context.tool.inputSchema, connection.session)
    const params: Record<string, Json> = {
      name: tool,
      arguments: args,
    }
    const isLate = (): boolean => control.signal.reason instanceof HostError && control.signal.reason.code === 'tool.timeout'
    Object.assign(params, { [lateTaker]: { wanted: isLate, take: context.onLate } })
    const onProgress = (update: unknown): void => {
      if (control.signal.aborted) return
      patience.renew()
      const parsed = progress.safeParse(update)
      if (parsed.success) options.onProgress?.(shortProgress(parsed.data))
    }
    const form = formOf(connection.session)
    const asTask = needsTask(connection.session, connection.capabilities, context.tool)
    const answer = connection.request('tools/call', asTask ? { ...params, task: { ttl: taskTtlMs } } : params, {
      signal: asTask ? new AbortController().signal : control.signal,
      callId: call.callId,
      onRound: () => patience.renew(),
      ...(mirrors?.kind === 'valid' ? { headers: mirroredHeaders(mirrors.mirrors, args) } : {}),
      onprogress: onProgress,
    })
    const result = asTask ? await orCancelTask(answer, connection, control.signal, clock) : await answer
    const task = asTask || form === 'extension' ? madeTask(result, form) : undefined
    if (!task) return result
    const { reconnect } = context
    const { callId } = call
    return await followTask(task, { connection, reconnect, tool, callId, clock, patience, onProgress, signal: control.signal })
  } catch (error) {
    throw outcomeOf(error, server, tool)
  } finally {
    patience.stop()
    leave()
    forget()
    options.signal.removeEventListener('abort', onCancel)
  }
}

/** How long a server is asked to keep a task and what came of it. */
const taskTtlMs = 60 * 60_000

/**
 * A call that is to become a task is not taken back like others (2025-11-25, "Cancellation"): when it is cancelled before
 * the server has named its task, that is cancelled as soon as it is known. Nobody waits for it.
 */
async function orCancelTask(answer: Promise<JsonObject>, connection: Connection, signal: AbortSignal, clock: Clock): Promise<JsonObject> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => {
    aborted.reject(signal.reason as Error)
    answer
      .then(async (result) => {
        const task = madeTask(result, 'core')
        if (task) await cancelTask(connection, task.taskId, clock)
      })
      .catch(() => undefined) // There is no task then.
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([answer, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** One line on a card, told to every page and kept with the call. */
const longestProgress = 500
const shortProgress = (update: Progress): Progress =>
  update.message === undefined || update.message.length <= longestProgress
    ? update
    : { ...update, message: `${update.message.slice(0, longestProgress)}…` }

/** The connection broke; whether the tool ran, nobody knows. */
const unknowable: ReadonlySet<HostErrorCode> = new Set(['server.exited', 'server.connection-lost', 'server.stopped'])

function outcomeOf(error: unknown, server: string, tool: string): unknown {
  if (isProtocolError(error) || !(error instanceof HostError)) return error
  // A server that does not know the session has not looked at what was sent in it.
  const unheard = isUnheard(error)
  const broke =
    (unknowable.has(error.code) && !unheard) ||
    (error.code === 'server.unreachable' && error.data['sent'] !== false) ||
    (error.code === 'server.http-status' && Number(error.data['status']) >= 500)
  if (!broke) return error
  return new HostError('tool.outcome-unknown', t`Nobody knows whether ${tool} ran: ${error.message} It is not run again by itself.`, {
    data: { server, tool, because: error.code, ...error.data },
    cause: error,
  })
}

/** Throws `tool.result-invalid` when the structured result breaks the tool's own schema. */
export async function checkResult(result: JsonObject, { call, tool, checker, note }: CallContext): Promise<void> {
  if (tool.outputSchema === undefined || result['isError'] === true) return
  const value = keptTexts(result)?.get('structuredContent') ?? result['structuredContent']
  // A tool that declares a schema must give a structured result (MCP, "Output schema").
  if (value === undefined)
    throw new HostError('tool.result-invalid', t`The result of ${tool.name} lacks the structured part that the tool says it gives.`, {
      data: { server: call.server, tool: tool.name, place: '/', reason: 'missing' },
    })
  const checked = await checker.check({ schema: tool.outputSchema, value })
  if (checked.kind === 'unchecked') note(t`The result of ${tool.name} was not checked: ${checked.reason}.`)
  if (checked.kind !== 'invalid') return
  throw new HostError(
    'tool.result-invalid',
    t`The result of ${tool.name} breaks the tool's own schema at ${checked.place}: ${checked.reason}`,
    { data: { server: call.server, tool: tool.name, place: checked.place, reason: checked.reason } },
  )
}
