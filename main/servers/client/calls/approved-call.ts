// Calls of one server's tools, as they were approved: each is held against what the tool is by now, put on record before it is
// sent and once it has ended, and its result checked. A result that comes too late is checked and kept as well. One tools/call
// on a connection: sends the very bytes that were approved, waits as long as there is word, and says plainly how it ended. Once
// sent, a call whose answer never came has an unknown outcome, and nobody runs it again.
import { createHash } from 'node:crypto'
import { type Progress, progress } from '#app/chat/message.ts'
import { HostError, type HostErrorCode, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { keptTexts } from '#main/base/raw-json-members.ts'
import type { ApprovedCall } from '#main/consent/approved.ts'
import type { ConsentBroker } from '#main/consent/broker-api.ts'
import { isHeaderMismatch } from '#main/servers/transport/http/header-mismatch.ts'
import { mirroredHeaders } from '#main/servers/transport/http/mirrored-headers.ts'
import type { TimeoutKind } from '#main/servers/transport/idle-timeout.ts'
import { isSessionUnknown } from '#main/servers/transport/session-unknown.ts'
import type { AuditStore } from '#main/store/store-api.ts'
import { type Digest, digestOf } from '../audit/result-digest.ts'
import type { CatalogueKeeper } from '../catalogue/catalogue.ts'
import { differOnlyInHeaders, mirrorsIn } from '../catalogue/catalogue-entries.ts'
import type { Connection } from '../connection/connection.ts'
import { lateReceiver } from '../connection/late-responses.ts'
import { madeTask, needsTask, taskFormOf } from '../tasks/task.ts'
import type { SchemaChecker } from '../validation/schema-validator.ts'
import type { CallOptions, CallOutcome } from './call-options.ts'
import { cancelTask, followTask } from './follow-task.ts'
import { createCallTimeout } from './overdue-call.ts'

// The record of a call, whoever asked for it: one row before it is sent, one for how it ended, and
// one more where a result came after that. A call that cannot be put
// on record is not sent.

interface CallAudit {
  done(result: JsonObject, digest: Digest): void
  failed(error: unknown): void
  /** It came all the same, after the call had been ended by its timeout. */
  late(digest: Digest): void
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Writes the first row. Throws when it cannot be written (`disk.full`). */
export function auditCall(audit: AuditStore, call: ApprovedCall): CallAudit {
  const { callId, server, tool, argumentsText, fingerprint, decision, conversationId = null } = call
  const about = { server, tool, conversationId }
  audit.append({
    ...about,
    kind: 'call',
    decision: 'sent',
    by: decision.by,
    detail: {
      callId,
      fingerprint,
      bytes: Buffer.byteLength(argumentsText),
      sha256: sha256(argumentsText),
      ...(decision.byHand ? { byHand: true } : {}),
    },
  })
  const begun = performance.now()
  const end = (word: string, detail: JsonObject): void =>
    void audit.append({
      ...about,
      kind: 'result',
      decision: word,
      detail: { callId, durationMs: Math.round(performance.now() - begun), ...detail },
    })
  return {
    done: (result, digest) => end(result['isError'] === true ? 'tool-error' : 'done', { ...digest }),
    late: (digest) => end('late', { ...digest }),
    failed(error) {
      const code = isProtocolError(error) ? error.code : toErrorValue(error).code
      end(code === 'cancelled' ? 'cancelled' : code === 'tool.outcome-unknown' ? 'unknown' : 'failed', { code })
    },
  }
}

interface CallContext {
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

async function callTool(connection: Connection, context: CallContext): Promise<JsonObject> {
  const { call, options, clock, timeoutMs } = context
  const { server, tool } = call
  const control = new AbortController()
  const onCancel = (): void => control.abort(new HostError('cancelled', t`The call of ${tool} was cancelled.`, { data: { server, tool } }))
  if (options.signal.aborted) onCancel()
  else options.signal.addEventListener('abort', onCancel, { once: true })
  const longestMs = longestTimes * timeoutMs
  const patience = createCallTimeout({
    clock,
    ms: timeoutMs,
    most: longestMs,
    onOverdue: options.onOverdue,
    onLost: (why, silentMs) => control.abort(lost(why, silentMs)),
  })
  const lost = (why: TimeoutKind, silentMs: number): HostError => {
    const ms = why === 'length' ? longestMs : silentMs
    const seconds = Math.round(ms / 1000)
    const message =
      why === 'length'
        ? t`${tool} of “${server}” went on for ${seconds} s, so it was cancelled.`
        : t`${tool} of “${server}” gave no word for ${seconds} s, so it was cancelled.`
    return new HostError('tool.timeout', message, { data: { server, tool, timeoutMs: ms } })
  }
  const forget = connection.calls.add(call.callId, patience)
  const leave = connection.timeouts.add(patience)
  try {
    control.signal.throwIfAborted()
    const args = JSON.parse(call.argumentsText) as Json
    const mirrors = mirrorsIn(context.tool.inputSchema, connection.session)
    const params: Record<string, Json> = {
      name: tool,
      arguments: args,
    }
    const isLate = (): boolean => control.signal.reason instanceof HostError && control.signal.reason.code === 'tool.timeout'
    Object.assign(params, { [lateReceiver]: { wanted: isLate, take: context.onLate } })
    const onProgress = (update: unknown): void => {
      if (control.signal.aborted) return
      patience.renew()
      const parsed = progress.safeParse(update)
      if (parsed.success) options.onProgress?.(shortProgress(parsed.data))
    }
    const form = taskFormOf(connection.session)
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
  const unheard = isSessionUnknown(error)
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
async function checkResult(result: JsonObject, { call, tool, checker, note }: CallContext): Promise<void> {
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

export interface ApprovedCallsContext {
  readonly server: string
  readonly catalogue: Pick<CatalogueKeeper, 'tool' | 'refresh'>
  readonly audit: AuditStore
  readonly clock: Clock
  readonly checker: SchemaChecker
  readonly stillAllowed: ConsentBroker['stillAllowed']
  /** The connection of a server that is ready; starts it if need be. */
  readonly ready: (signal: AbortSignal) => Promise<Connection>
  /** Milliseconds that a call may go without progress. */
  readonly timeoutOf: () => number
  /** Adds a warning to the server's log. */
  readonly note: (text: string) => void
  /** An error without the secrets that the server was given. */
  readonly shown: (error: unknown) => unknown
}

/**
 * Returns the one way to call a tool of this server. It rejects with `tool.unknown`, `tool.changed`, `consent.gone`,
 * `cancelled`, or with what the call failed with.
 */
export function createApprovedCalls(context: ApprovedCallsContext): (call: ApprovedCall, options: CallOptions) => Promise<CallOutcome> {
  const { server: name, catalogue, audit, clock, checker, stillAllowed, ready, timeoutOf, note, shown } = context

  async function callApproved(call: ApprovedCall, options: CallOptions): Promise<CallOutcome> {
    const connection = await ready(options.signal)
    const tool = catalogue.tool(call.tool)
    if (!tool)
      throw new HostError('tool.unknown', t`“${name}” has no tool ${call.tool} any more.`, { data: { server: name, tool: call.tool } })
    if (tool.fingerprint !== call.fingerprint) throw changed(name, call.tool)
    if (!stillAllowed(call)) throw ruleEnded(name, call.tool)
    const timeoutMs = options.timeoutMs ?? timeoutOf()
    const reconnect = (): Promise<Connection> => ready(options.signal)
    const onLate = (result: JsonObject): void => {
      takeLate(current, record, result).catch((error: unknown) =>
        note(t`The late result of ${call.tool} was not kept: ${wordsOf(shown(error))}`),
      )
    }
    const current: CallContext = { call, tool, options, timeoutMs, clock, checker, reconnect, onLate, note }
    if (options.signal.aborted) throw new HostError('cancelled', t`The call of ${call.tool} was cancelled before it was sent.`)
    const record = auditCall(audit, call)
    const begun = performance.now()
    try {
      const result = await callTool(connection, current).catch((error: unknown) => callAnew(connection, current, error))
      const durationMs = Math.round(performance.now() - begun)
      const digest = await digestOf(result)
      await checkResult(result, current)
      record.done(result, digest)
      return { result, bytes: digest.bytes, durationMs, session: connection.session }
    } catch (error) {
      record.failed(error)
      throw shown(error)
    }
  }

  /** It is checked and put on record as any other; what came of the call was said before, and stays. */
  async function takeLate(context: CallContext, record: CallAudit, result: JsonObject): Promise<void> {
    const digest = await digestOf(result)
    if (digest.bytes > largestLate) throw new HostError('server.too-large', t`it is larger than ${largestLate / 1024 / 1024} MB.`)
    await checkResult(result, context)
    record.late(digest)
    context.options.onLate?.({ result, bytes: digest.bytes })
  }

  /** Of a call that was refused because its headers no longer match: once more, with those that the tool asks for now. */
  async function callAnew(connection: Connection, context: CallContext, error: unknown): Promise<JsonObject> {
    if (!isHeaderMismatch(error)) throw error
    await catalogue.refresh(connection, context.options.signal)
    const tool = catalogue.tool(context.tool.name)
    if (!tool || !differOnlyInHeaders(tool, context.tool)) throw changed(name, context.tool.name)
    return callTool(connection, { ...context, tool })
  }

  return callApproved
}

/** Bytes. Nobody waits for it, so it is not worth what a result in time may take. */
const largestLate = 8 * 1024 * 1024

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const changed = (server: string, tool: string): HostError =>
  new HostError('tool.changed', t`${tool} of “${server}” is not what was approved: its definition has changed.`, { data: { server, tool } })

const ruleEnded = (server: string, tool: string): HostError =>
  new HostError(
    'consent.gone',
    t`The rule that allowed ${tool} ended before “${server}” was ready, so nothing was run. Call it again: the person is asked then.`,
    { data: { server, tool } },
  )
