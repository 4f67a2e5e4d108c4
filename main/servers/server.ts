// One configured server with all that belongs to it: its supervisor, what it offers, its log, and the calls to it.
import { HostError } from '#app/errors.ts'
import type { Json, JsonObject } from '#app/json.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { DoctorReport } from '#app/server/doctor.ts'
import type { StartedBy } from '#app/server/next-state.ts'
import { plainSecretsOf } from '#app/server/plain-secrets.ts'
import type { ServerView } from '#app/server/view.ts'
import type { Inspecting } from '#app/server/wire-message.ts'
import type { Settings } from '#app/settings.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import { type ApprovedCall, spend } from '#main/consent/approved.ts'
import type { ConsentBroker } from '#main/consent/types.ts'
import type { AuditStore, ServerStore } from '#main/store/types.ts'
import { createRunHistory, type RunHistory } from './activity.ts'
import { type CallContext, callTool, checkResult } from './calls/call.ts'
import { type CallRecord, recordCall } from './calls/call-record.ts'
import { digestOf } from './calls/digest.ts'
import { recordedRequests } from './calls/exchange-record.ts'
import { differOnlyInHeaders, isHeaderMismatch } from './calls/header-mismatch.ts'
import { createPatience } from './calls/patience.ts'
import { type CatalogueKeeper, createCatalogueKeeper } from './catalogue/catalogue.ts'
import type { Causes } from './causes.ts'
import { maskDefinition } from './config/mask.ts'
import type { Connection } from './connection/connection.ts'
import { isUnheard } from './connection/is-unheard.ts'
import { heldToNegotiated } from './connection/negotiated.ts'
import type { Doctor } from './doctor/doctor.ts'
import type { Inputs } from './inputs/inputs.ts'
import { launchKey } from './launch-target.ts'
import type { LogBuffer } from './logs/log-buffer.ts'
import type { LogFile } from './logs/log-files.ts'
import { maskError, maskTexts } from './logs/mask.ts'
import { createMessageLog } from './logs/message-log.ts'
import type { RunningProcesses } from './processes/running.ts'
import type { ServerSignIn } from './sign-in/server-sign-in.ts'
import type { Environment } from './stdio/environment.ts'
import { type Connect, createSupervisor, type Supervisor } from './supervisor.ts'
import type { CallOptions, CallOutcome } from './types.ts'
import { checkInDoubt } from './upkeep/doubt-check.ts'
import { createIdleStop } from './upkeep/idle-stop.ts'
import type { RemoteCare } from './upkeep/remote-care.ts'
import type { StartTurns } from './upkeep/start-turns.ts'
import { createUtilities, type Utilities } from './utilities.ts'
import type { SchemaChecker } from './validation/check.ts'

export interface ServerParts {
  readonly store: ServerStore
  readonly broker: Pick<ConsentBroker, 'launch' | 'toolsListed'>
  readonly audit: AuditStore
  readonly clock: Clock
  readonly care: RemoteCare
  readonly settings: () => Settings
  readonly checker: SchemaChecker
  readonly inputs: Inputs
  readonly turns: StartTurns
  readonly causes: Causes
  /** Puts in what is no secret, before the person is asked. */
  readonly fillPlaces: (name: string, definition: ServerDefinition) => ServerDefinition
  readonly folderOf: Environment['folder']
}

export interface Server {
  readonly supervisor: Supervisor
  readonly catalogue: CatalogueKeeper
  readonly log: LogBuffer
  readonly logFile: LogFile
  readonly running: RunningProcesses
  readonly history: RunHistory
  readonly signIn: ServerSignIn
  readonly causes: Causes
  view(warnings: readonly string[], inspecting?: Inspecting): ServerView
  /** What its last start was like. */
  report(): DoctorReport
  call(call: ApprovedCall, options: CallOptions): Promise<CallOutcome>
  readonly utilities: Utilities
  /** For what does no harm when asked twice: reading a resource, getting a prompt. */
  ask(method: string, params: Readonly<Record<string, Json>>, signal: AbortSignal): Promise<JsonObject>
  /** The same for more than one request. */
  use<T>(work: (connection: Connection, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>
}

export function createServer(
  name: string,
  definition: ServerDefinition,
  parts: ServerParts & {
    readonly connect: Connect
    readonly signIn: ServerSignIn
    readonly log: LogBuffer
    readonly logFile: LogFile
    readonly running: RunningProcesses
    readonly doctor: Doctor
    readonly onChange: () => void
    /** A resource that was subscribed to has changed. */
    readonly onUpdated: (uri: string) => void
    readonly after?: Promise<unknown>
  },
): Server {
  const { store, clock, audit, settings, checker, log, inputs, signIn } = parts
  const history = createRunHistory()
  const onChange = (): void => {
    history.observe(supervisor.state)
    const { kind } = supervisor.state
    if (kind === 'stopped' || kind === 'disabled') utilities.stopped()
    idle.changed()
    parts.onChange()
  }
  const note = (text: string): void => log.add({ source: 'host', level: 'warning', text })
  // What another program told says nothing of this one.
  store.bindMemory(name, launchKey(definition))
  const catalogue = createCatalogueKeeper({
    server: name,
    store,
    clock,
    onChange() {
      listed()
      onChange()
    },
  })
  const listed = (): void => parts.broker.toolsListed(name, catalogue.current().tools)
  listed()
  const utilities = createUtilities({
    ...parts,
    server: name,
    catalogue,
    note,
    use,
    askOn: askOnce,
  })
  let startedAt = 0
  let asks: Connection['asks'] | undefined

  const connect: Connect = async (options) => {
    const connecting = parts.connect({
      ...options,
      // A start may take two processes: the last words are those of the last.
      onNegotiating: () => {
        startedAt = clock.now()
        options.onNegotiating()
      },
    })
    const made = await connecting.catch((error: unknown) => {
      throw shown(error)
    })
    const connection = recordedRequests(heldToNegotiated(made, utilities.logLevel), audit)
    hear(connection, options.signal)
    return connection
  }

  function hear(connection: Connection, signal: AbortSignal): void {
    const { client } = connection
    asks = connection.asks
    // The SDK reports much that is no one's business; what the host itself found is for the log.
    client.onerror = (error) => {
      if (error instanceof HostError) note(error.message)
    }
    connection.notices.listen('notifications/message', createMessageLog(log, clock))
    utilities.attach(connection, signal)
    if (connection.pid === undefined && connection.session.transport !== 'stdio')
      checkInDoubt({ connection, clock, care: parts.care, signal, note })
  }

  /** A server may repeat what it was given, also in an error. */
  const shown = (error: unknown): unknown => maskError(log.masked, error)

  const lastWords = (): string[] =>
    log
      .lines()
      .filter((line) => line.source === 'stderr' && line.time >= startedAt)
      .slice(-10)
      .map((line) => line.text)

  const supervisor = createSupervisor({
    ...parts,
    name,
    definition,
    catalogue,
    connect,
    lastWords,
    onChange,
    shown,
    shownSession: (session) => maskTexts(log.masked, session),
    fillPlaces: (current) => parts.fillPlaces(name, current),
  })

  const idle = createIdleStop({
    clock,
    isReady: () => supervisor.state.kind === 'ready',
    idleMinutes: () => supervisor.definition.idleMinutes,
    isNeeded: () => utilities.subscriptions().length > 0 || asks?.busy() === true,
    stop: () => void supervisor.stop('idle'),
  })

  /** A connection that is ready, unless the caller has left meanwhile; the start then goes on for others. */
  async function ready(by: StartedBy, signal: AbortSignal): Promise<Connection> {
    const left = Promise.withResolvers<never>()
    const onAbort = (): void => left.reject(new HostError('cancelled', t`It was cancelled before “${name}” was ready.`))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([left.promise, supervisor.ready(by)])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  return {
    supervisor,
    catalogue,
    log,
    logFile: parts.logFile,
    running: parts.running,
    history,
    utilities,
    signIn,
    causes: parts.causes,
    view(warnings, inspecting) {
      const { tools, resources, prompts, stale } = catalogue.current()
      const enabled = tools.filter((tool) => tool.enabled)
      const { session, workedAt } = supervisor
      return {
        name,
        definition: maskDefinition(supervisor.definition),
        inputs: inputs.views(name, supervisor.definition),
        plainSecrets: plainSecretsOf(supervisor.definition),
        state: supervisor.state,
        ...(session ? { session } : {}),
        ...(workedAt === undefined ? {} : { workedAt }),
        ...(signIn.view ? { signIn: signIn.view } : {}),
        counts: { tools: tools.length, enabledTools: enabled.length, resources: resources.length, prompts: prompts.length },
        tokens: enabled.reduce((sum, tool) => sum + tool.tokens, 0),
        warnings: [...warnings, ...catalogue.warnings, ...(stale ? [t`Not all that it offers could be read: ${stale}.`] : [])],
        catalogueRevision: catalogue.revision,
        logLevel: utilities.logLevel(),
        subscriptions: utilities.subscriptions(),
        ...(inspecting ? { inspecting } : {}),
      }
    },
    call: (approval, options) => inUse(() => callApproved(spend(approval), options)),
    report: () => parts.doctor.report(supervisor.definition, supervisor.state),
    ask: (method, params, signal) => use((connection, limited) => connection.request(method, params, { signal: limited }), signal),
    use,
  }

  async function callApproved(call: ApprovedCall, options: CallOptions): Promise<CallOutcome> {
    const leave = parts.causes.add(call)
    try {
      return await makeCall(call, options)
    } finally {
      leave()
    }
  }

  async function makeCall(call: ApprovedCall, options: CallOptions): Promise<CallOutcome> {
    const connection = await ready('need', options.signal)
    const tool = catalogue.tool(call.tool)
    if (!tool)
      throw new HostError('tool.unknown', t`“${name}” has no tool ${call.tool} any more.`, { data: { server: name, tool: call.tool } })
    if (tool.fingerprint !== call.fingerprint) throw changed(name, call.tool)
    const timeoutMs = options.timeoutMs ?? supervisor.definition.timeoutMs ?? settings().callTimeoutMs
    const reconnect = (): Promise<Connection> => ready('need', options.signal)
    const onLate = (result: JsonObject): void => {
      takeLate(context, record, result).catch((error: unknown) =>
        note(t`The late result of ${call.tool} was not kept: ${wordsOf(shown(error))}`),
      )
    }
    const context: CallContext = { call, tool, options, timeoutMs, clock, checker, reconnect, onLate, note }
    if (options.signal.aborted) throw new HostError('cancelled', t`The call of ${call.tool} was cancelled before it was sent.`)
    const record = recordCall(audit, call)
    const begun = performance.now()
    try {
      const result = await callTool(connection, context).catch((error: unknown) => callAnew(connection, context, error))
      const durationMs = Math.round(performance.now() - begun)
      const digest = await digestOf(result)
      await checkResult(result, context)
      record.done(result, digest)
      return { result, bytes: digest.bytes, durationMs, session: connection.session }
    } catch (error) {
      record.failed(error)
      throw shown(error)
    }
  }

  /** It is checked and put on record as any other; what came of the call was said before, and stays. */
  async function takeLate(context: CallContext, record: CallRecord, result: JsonObject): Promise<void> {
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

  async function inUse<T>(work: () => Promise<T>): Promise<T> {
    const over = idle.use()
    try {
      return await work()
    } finally {
      over()
    }
  }

  function use<T>(work: (connection: Connection, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    return inUse(() => askReady(work, signal))
  }

  async function askReady<T>(work: (connection: Connection, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const connection = await ready('need', signal)
    try {
      return await askOnce(connection, work, signal)
    } catch (error) {
      // A new session, once.
      if (!isUnheard(error)) throw error
      await connection.ended
      return askOnce(await ready('need', signal), work, signal)
    }
  }

  async function askOnce<T>(
    connection: Connection,
    work: (connection: Connection, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const limit = new AbortController()
    // While the person is asked something in its course, nobody keeps them waiting.
    const patience = createPatience(clock, supervisor.definition.timeoutMs ?? settings().callTimeoutMs, () => limit.abort())
    const forget = connection.calls.watch(patience)
    const leave = connection.waits.add(patience)
    try {
      return await work(connection, AbortSignal.any([signal, limit.signal]))
    } catch (error) {
      if (signal.aborted) throw new HostError('cancelled', t`The request to “${name}” was cancelled.`, { cause: shown(error) })
      if (limit.signal.aborted)
        throw new HostError('server.connection-lost', t`“${name}” did not answer in time.`, { data: { server: name }, cause: error })
      throw shown(error)
    } finally {
      patience.stop()
      forget()
      leave()
    }
  }
}

/** Bytes. Nobody waits for it, so it is not worth what a result in time may take. */
const largestLate = 8 * 1024 * 1024

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const changed = (server: string, tool: string): HostError =>
  new HostError('tool.changed', t`${tool} of “${server}” is not what was approved: its definition has changed.`, { data: { server, tool } })
