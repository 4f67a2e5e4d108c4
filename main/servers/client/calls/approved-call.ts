// Calls of one server's tools, with the very bytes that were approved. Each is compared with the tool's present definition and put on
// record before it is sent. A call whose result never came has an unknown outcome, and is never sent again by itself.
import { createHash } from 'node:crypto'
import { type Progress, progress } from '#app/chat/message.ts'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { orAborted } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'
import { keptTexts } from '#main/base/json-size.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import type { ApprovedCall } from '#main/consent/approved.ts'
import { auditedAccount } from '#main/consent/audit-writer.ts'
import type { ConsentBroker } from '#main/consent/broker-api.ts'
import type { SandboxMonitor } from '#main/servers/process/sandbox/attempts/sandbox-monitor.ts'
import type { CallAttempts } from '#main/servers/process/sandbox/attempts/watched-calls.ts'
import type { IdleTimeout } from '#main/servers/transport/idle-timeout.ts'
import type { AuditStore } from '#main/store/store-api.ts'
import type { CatalogueKeeper } from '../catalogue/catalogue.ts'
import type { Connection } from '../connection/connection.ts'
import { outcomeOf, toolChanged } from '../requests/request-outcome.ts'
import { type Digest, digestOf } from '../requests/result-digest.ts'
import type { CallActivity, CallContext, CallOutcome, MadeTask } from '../requests/running-calls.ts'
import { callsAsTask, leastPollMs, madeTask, type Task, taskFormOf } from '../requests/task.ts'
import type { SchemaChecker } from '../validation/schema-validator.ts'
import { cancelTask, followTask } from './follow-task.ts'
import { createCallTimeout } from './overdue-call.ts'
import { createResourceCalls, type ResourceCalls } from './resource-calls.ts'

/** Milliseconds since now, less those in which the person was waited for. */
function stopwatch(activity: CallActivity | undefined): () => number {
  const now = (): number => performance.now() - (activity?.askedMs() ?? 0)
  const begun = now()
  return () => Math.round(now() - begun)
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Writes the audit row before a call is sent. Returns the writers of those for its end. @throws {HostError} `disk.full` */
export function auditCall(audit: AuditStore, call: ApprovedCall, activity?: CallActivity) {
  const { callId, server, tool, argumentsText, fingerprint, decision, account, conversationId = null } = call
  const named = { ...auditedAccount(account), ...(decision.agent ? { agent: decision.agent.name, agentId: decision.agent.client } : {}) }
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
      ...named,
      ...(decision.byHand ? { byHand: true } : {}),
    },
  })
  const elapsed = stopwatch(activity)
  const end = (word: string, detail: JsonObject): void =>
    void audit.append({ ...about, kind: 'result', decision: word, detail: { callId, durationMs: elapsed(), ...named, ...detail } })
  return {
    /** `sandbox`: what it reached, and what was refused to it. */
    done: (result: JsonObject, digest: Digest, sandbox?: CallAttempts): void =>
      end(result['isError'] === true ? 'tool-error' : 'done', { ...digest, ...attemptsPart(sandbox) }),
    /** A result came after the call had been ended by its timeout. */
    late: (digest: Digest): void => end('late', { ...digest }),
    failed(error: unknown, sandbox?: CallAttempts): void {
      const code = isProtocolError(error) ? error.code : toErrorValue(error).code
      end(code === 'cancelled' ? 'cancelled' : code === 'tool.outcome-unknown' ? 'unknown' : 'failed', { code, ...attemptsPart(sandbox) })
    },
  }
}

const attemptsPart = (sandbox: CallAttempts | undefined): { sandbox?: JsonObject } => (sandbox ? { sandbox: { ...sandbox } } : {})

/** Text of a result by which a tool says that it failed. */
function errorText({ isError, content }: JsonObject): string {
  if (isError !== true || !Array.isArray(content)) return ''
  return content.flatMap((block) => (isJsonObject(block) && typeof block['text'] === 'string' ? [block['text']] : [])).join('\n')
}

type SentParts = Pick<ApprovedCall, 'server' | 'tool' | 'argumentsText' | 'fingerprint'>

interface SentCall {
  readonly call: SentParts
  /** Task that it was answered with in an earlier run: nothing is sent again. */
  readonly made?: Task
  readonly tool: ToolEntry
  /** Resource or skill that is read in place of a tool. */
  readonly reads: ResourceCalls | undefined
  readonly context: CallContext
  readonly timeoutMs: number
  readonly reconnect: () => Promise<Connection>
  readonly onLate: (result: JsonObject) => void
}

/** A call that keeps telling of progress is ended after so many times its timeout. */
const longestTimes = 60

async function callTool(connection: Connection, clock: Clock, sent: SentCall): Promise<JsonObject> {
  const { call, context, timeoutMs } = sent
  const { server, tool } = call
  const control = new AbortController()
  const strayBefore = connection.stray()
  const onCancel = (): void => control.abort(new HostError('cancelled', t`The call of ${tool} was cancelled.`, { data: { server, tool } }))
  if (context.signal.aborted) onCancel()
  else context.signal.addEventListener('abort', onCancel, { once: true })
  const timeout = createCallTimeout({
    clock,
    ms: timeoutMs,
    most: longestTimes * timeoutMs,
    onOverdue: context.onOverdue,
    onLost: (why, silentMs) =>
      control.abort(timedOut(call, why === 'length' ? longestTimes * timeoutMs : silentMs, connection.stray() - strayBefore)),
  })
  const undo = [connection.calls.add(context), connection.timeouts.add(timeout), connection.running.add(timeout), () => timeout.stop()]
  try {
    control.signal.throwIfAborted()
    return await exchange(connection, clock, sent, { timeout, signal: control.signal })
  } finally {
    for (const each of undo) each()
    context.signal.removeEventListener('abort', onCancel)
  }
}

async function exchange(
  connection: Connection,
  clock: Clock,
  { call, tool, reads, made, context, reconnect, onLate }: SentCall,
  { timeout, signal }: { readonly timeout: IdleTimeout; readonly signal: AbortSignal },
): Promise<JsonObject> {
  const onProgress = (update: unknown): void => {
    if (signal.aborted) return
    timeout.renew()
    const parsed = progress.safeParse(update)
    if (parsed.success) context.onProgress?.(shortProgress(parsed.data))
  }
  const follow = (task: Task): Promise<JsonObject> =>
    followTask(task, { connection, reconnect, call: context, clock, timeout, onProgress, signal }).catch((error: unknown) => {
      throw outcomeOf(error, call.server, call.tool)
    })
  if (made) return follow(made)
  const args = JSON.parse(call.argumentsText) as JsonObject
  if (reads) return reads.run(connection, call, args, { signal, call: context, timeout, onProgress })
  const wanted = (): boolean => signal.reason instanceof HostError && signal.reason.code === 'tool.timeout'
  const form = taskFormOf(connection.session)
  const asTask = callsAsTask(connection.session, connection.capabilities, tool, context.asTask)
  const params = { name: call.tool, arguments: args }
  const answer = connection.request('tools/call', asTask ? { ...params, task: { ttl: taskTtlMs } } : params, {
    signal: asTask ? new AbortController().signal : signal,
    call: context,
    tool,
    timeout,
    onProgress,
    late: { wanted, take: onLate },
  })
  const result = asTask ? await orCancelTask(answer, connection, signal, clock) : await answer
  const task = asTask || form === 'extension' ? madeTask(result, form) : undefined
  if (!task) return result
  context.onTask?.({ taskId: task.taskId, at: clock.now(), ttlMs: task.ttlMs })
  return follow(task)
}

/** `stray`: bytes that it wrote meanwhile which are no protocol. */
function timedOut({ server, tool }: SentParts, ms: number, stray: number): HostError {
  const message = t`${tool} of “${server}” was cancelled after ${Math.round(ms / 1000)} s.`
  const wrote = stray === 0 ? '' : ` ${t`It wrote ${formatBytes(stray)} to stdout that is not MCP.`}`
  return new HostError('tool.timeout', message + wrote, { data: { server, tool, timeoutMs: ms, ...(stray === 0 ? {} : { stray }) } })
}

/** Milliseconds that a server is asked to keep a task and its result. */
const taskTtlMs = 60 * 60_000

/** Cancels the task of a call that was cancelled before the server had named it, once it is known (2025-11-25, "Cancellation"). */
async function orCancelTask(answer: Promise<JsonObject>, connection: Connection, signal: AbortSignal, clock: Clock): Promise<JsonObject> {
  try {
    return await orAborted(answer, signal, () => signal.reason)
  } catch (error) {
    if (signal.aborted)
      answer
        .then(async (result) => {
          const task = madeTask(result, 'core')
          if (task) await cancelTask(connection, task.taskId, clock)
        })
        .catch(() => undefined) // There is no task then.
    throw error
  }
}

/** Characters of one line of progress on a card, which is told to every page and kept with the call. */
const longestProgress = 500
const shortProgress = (update: Progress): Progress =>
  update.message === undefined || update.message.length <= longestProgress
    ? update
    : { ...update, message: `${update.message.slice(0, longestProgress)}…` }

async function checkResult(result: JsonObject, server: string, tool: ToolEntry, { checker, note }: ApprovedCallsContext): Promise<void> {
  if (tool.outputSchema === undefined || result['isError'] === true) return
  const value = keptTexts(result)?.get('structuredContent') ?? result['structuredContent']
  const invalid = (message: string, place: string, reason: string): HostError =>
    new HostError('tool.result-invalid', message, { data: { server, tool: tool.name, place, reason } })
  // A tool that declares a schema must give a structured result (MCP, "Output schema").
  if (value === undefined) throw invalid(t`The result of ${tool.name} does not fit its schema at ${'/'}: structuredContent`, '/', 'missing')
  const checked = await checker.check({ schema: tool.outputSchema, value })
  if (checked.kind === 'unchecked') note(t`The result of ${tool.name} was not checked: ${checked.reason}.`)
  if (checked.kind !== 'invalid') return
  const { place, reason } = checked
  throw invalid(t`The result of ${tool.name} does not fit its schema at ${place}: ${reason}`, place, reason)
}

export interface ApprovedCallsContext {
  readonly server: string
  readonly catalogue: Pick<CatalogueKeeper, 'tool' | 'current'>
  readonly audit: AuditStore
  readonly clock: Clock
  readonly checker: SchemaChecker
  readonly stillAllowed: ConsentBroker['stillAllowed']
  readonly ready: (signal: AbortSignal) => Promise<Connection>
  readonly monitor: Pick<SandboxMonitor, 'watchCall'>
  /** Milliseconds that a call may go without progress. */
  readonly timeoutOf: () => number
  readonly note: (text: string) => void
  /** Takes the secrets that the server was given out of an error. */
  readonly shown: (error: unknown) => unknown
}

/**
 * Returns the one way to call a tool of this server (`run`), to follow the task of an earlier one (`resume`), and what
 * else of it is called (`resources`).
 * @throws {HostError} `tool.unknown`, `tool.changed`, `consent.gone`, `cancelled`, or why the call failed
 */
export function createApprovedCalls(server: ApprovedCallsContext) {
  const { server: name, catalogue, audit, clock, ready, monitor, note, shown } = server
  const resources = createResourceCalls(server)

  async function takeLate(context: CallContext, tool: ToolEntry, record: ReturnType<typeof auditCall>, result: JsonObject): Promise<void> {
    const digest = await digestOf(result)
    if (digest.bytes > largestLate) throw new HostError('server.too-large', t`it is larger than ${largestLate / 1024 / 1024} MB.`)
    await checkResult(result, name, tool, server)
    record.late(digest)
    context.onLate?.({ result, bytes: digest.bytes })
  }

  async function run(call: ApprovedCall, context: CallContext): Promise<CallOutcome> {
    const connection = await ready(context.signal)
    const read = resources.entry(call.tool)
    const reads = read?.fingerprint === call.fingerprint ? resources : undefined
    const tool = reads ? read : catalogue.tool(call.tool)
    if (!tool) throw new HostError('tool.unknown', t`“${name}” has no tool “${call.tool}”.`, { data: { server: name, tool: call.tool } })
    if (tool.fingerprint !== call.fingerprint) throw toolChanged(name, call.tool)
    if (!server.stillAllowed(call)) throw approvalEnded(name, call.tool)
    if (context.signal.aborted) throw new HostError('cancelled', t`The call of ${call.tool} was cancelled.`)
    const record = auditCall(audit, call, context.activity)
    const onLate = (result: JsonObject): void => {
      takeLate(context, tool, record, result).catch((error: unknown) =>
        note(t`The late result of ${call.tool} was not kept: ${wordsOf(shown(error))}`),
      )
    }
    const elapsed = stopwatch(context.activity)
    const watch = monitor.watchCall({ callId: call.callId, tool: call.tool, onBlocked: context.onBlocked })
    const said = (text: string): void => {
      if (text !== '') watch?.failed(text, JSON.parse(call.argumentsText) as Json)
    }
    let failed = true
    try {
      const timeoutMs = context.timeoutMs ?? server.timeoutOf()
      const result = await callTool(connection, clock, {
        call,
        tool,
        reads,
        context,
        timeoutMs,
        reconnect: () => ready(context.signal),
        onLate,
      })
      const durationMs = elapsed()
      const digest = await digestOf(result)
      said(errorText(result))
      await checkResult(result, name, tool, server)
      record.done(result, digest, watch?.facts())
      failed = result['isError'] === true
      return { result, bytes: digest.bytes, durationMs, session: connection.session }
    } catch (error) {
      if (isProtocolError(error)) said(error.message)
      record.failed(error, watch?.facts())
      throw shown(error)
    } finally {
      watch?.end(failed)
    }
  }
  /** Follows the task of a call of an earlier run to its end. Sends nothing but questions about it. */
  async function resume(tool: string, { taskId, at, ttlMs }: MadeTask, context: CallContext): Promise<CallOutcome> {
    const connection = await ready(context.signal)
    const entry = catalogue.tool(tool)
    const begun = clock.now()
    const left = ttlMs === undefined ? undefined : Math.max(0, at + ttlMs - begun)
    const first: Task = {
      taskId,
      status: 'working',
      statusMessage: undefined,
      lastUpdatedAt: undefined,
      ttlMs: left,
      pollMs: leastPollMs,
      raw: {},
    }
    const result = await callTool(connection, clock, {
      ...{ context, made: first, reads: undefined, onLate: () => undefined },
      call: { server: name, tool, argumentsText: '{}', fingerprint: '' },
      tool: entry ?? ({ name: tool, inputSchema: {} } as ToolEntry),
      timeoutMs: server.timeoutOf(),
      reconnect: () => ready(context.signal),
    }).catch((error: unknown) => {
      throw shown(error)
    })
    const digest = await digestOf(result)
    if (entry) await checkResult(result, name, entry, server)
    const { callId, conversationId = null } = context
    const decision = result['isError'] === true ? 'tool-error' : 'done'
    audit.append({ server: name, tool, conversationId, kind: 'result', decision, detail: { callId, task: true, ...digest } })
    return { result, bytes: digest.bytes, durationMs: clock.now() - begun, session: connection.session }
  }
  return { run, resume, resources }
}

/** Bytes of a late result at most: nobody waits for it, so it is not worth what a result in time may take. */
const largestLate = 8 * 1024 * 1024

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const approvalEnded = (server: string, tool: string): HostError =>
  new HostError('consent.gone', t`The approval of ${tool} of “${server}” has ended. Call it again.`, { data: { server, tool } })
