// One configured server with all that belongs to it: its supervisor, what it offers, its log, and the calls to it. What one
// server went through in this run of the host: how often it was started, and how it failed last.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { DoctorReport } from '#app/server/doctor.ts'
import { plainSecretsOf } from '#app/server/inputs/plain-secrets.ts'
import type { StartedBy } from '#app/server/next-server-state.ts'
import { type LastError, nextRunCounts, noRuns, type RunCounts } from '#app/server/server-activity.ts'
import type { ServerState } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import type { Inspecting } from '#app/server/wire-message.ts'
import type { Settings } from '#app/settings.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { type ApprovedCall, spend } from '#main/consent/approved.ts'
import type { ConsentBroker } from '#main/consent/broker-api.ts'
import type { AuditStore, ServerStore } from '#main/store/store-api.ts'
import type { ServerAuth } from '../auth/server-auth.ts'
import { auditRequests } from '../client/audit/request-audit.ts'
import { createApprovedCalls } from '../client/calls/approved-call.ts'
import type { CallOptions, CallOutcome } from '../client/calls/call-options.ts'
import { createLimitedRequests } from '../client/calls/limited-requests.ts'
import { type CatalogueKeeper, createCatalogueKeeper } from '../client/catalogue/catalogue.ts'
import { guardCapabilities } from '../client/connection/capability-guard.ts'
import type { Connection } from '../client/connection/connection.ts'
import type { Connect } from '../client/connection/open-connection.ts'
import { createMessageLog } from '../client/logging/log-messages.ts'
import { createServerQueries, type ServerQueries } from '../client/server-queries.ts'
import type { SchemaChecker } from '../client/validation/schema-validator.ts'
import type { Inputs } from '../config/inputs/input-values.ts'
import { maskDefinition } from '../config/mask-definition.ts'
import type { Doctor } from '../doctor/doctor.ts'
import type { Environment } from '../process/environment/environment.ts'
import type { LogBuffer } from '../process/logs/log-buffer.ts'
import type { ServerLogFile } from '../process/logs/log-files.ts'
import { maskError, maskTexts } from '../process/logs/redact-secrets.ts'
import type { RunningProcesses } from '../process/running-processes.ts'
import { createIdleStop } from './idle-stop.ts'
import { launchKey } from './launch-target.ts'
import type { LivenessDoubt, NetworkMonitor } from './network-monitor.ts'
import type { RequestAttribution } from './request-attribution.ts'
import type { StartQueue } from './start-queue.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'

// Whether a server that runs elsewhere is still there after this computer slept or went to another network: a connection
// that died by it is found now, and not by the next call, whose outcome nobody would know. A server of 2026-07-28 knows no
// ping: it is asked what it is.

const answerMs = 10_000
const silentWords = (server: string, doubt: LivenessDoubt): string =>
  doubt === 'woke'
    ? t`“${server}” gave no sign of life after this computer woke.`
    : t`“${server}” gave no sign of life after this computer went to another network.`

interface LivenessCheckOptions {
  readonly connection: Pick<Connection, 'server' | 'session' | 'request' | 'lose' | 'ended'>
  readonly clock: Clock
  readonly care: Pick<NetworkMonitor, 'onDoubt' | 'inTurn'>
  /** Aborts when the connection is over. */
  readonly signal: AbortSignal
  readonly note: (text: string) => void
}

export function checkLiveness({ connection, clock, care, signal, note }: LivenessCheckOptions): void {
  const { server, session } = connection
  let leave: (() => void) | undefined
  let asking = false
  const forget = care.onDoubt((doubt) => {
    leave?.()
    leave = care.inTurn(() => void check(doubt))
  })
  const stop = (): void => {
    forget()
    leave?.()
  }
  signal.addEventListener('abort', stop, { once: true })
  void connection.ended.then(stop)

  async function check(doubt: LivenessDoubt): Promise<void> {
    if (signal.aborted || asking) return
    asking = true
    const late = new AbortController()
    const silent = new HostError('server.connection-lost', silentWords(server, doubt), {
      data: { server },
    })
    const cancel = clock.after(answerMs, () => late.abort(silent))
    try {
      const method = session.era === 'modern' ? 'server/discover' : 'ping'
      await connection.request(method, {}, { signal: AbortSignal.any([signal, late.signal]) })
    } catch (error) {
      // Whoever says that there is no such method is there; so is one that wants to know who asks.
      if (signal.aborted || isProtocolError(error)) return
      const gone = late.signal.aborted ? silent : error
      if (!(gone instanceof HostError) || (gone.code !== 'server.unreachable' && gone.code !== 'server.connection-lost')) return
      note(gone.message)
      connection.lose(gone)
    } finally {
      asking = false
      cancel()
    }
  }
}

interface ServerRunHistory {
  /** Told of its state whenever that may have changed. */
  observe(state: ServerState): void
  readonly counts: RunCounts
  readonly lastFailure: Extract<LastError, { kind: 'server' }> | undefined
}

function createServerRunHistory(): ServerRunHistory {
  let before: ServerState = { kind: 'stopped', reason: 'never-started' }
  let counts = noRuns
  let lastFailure: ServerRunHistory['lastFailure']
  return {
    observe(state) {
      counts = nextRunCounts(counts, before, state)
      if (state.kind === 'failed') lastFailure = { kind: 'server', at: state.at, error: state.error }
      before = state
    },
    get counts() {
      return counts
    },
    get lastFailure() {
      return lastFailure
    },
  }
}

export interface ServerContext {
  readonly store: ServerStore
  readonly broker: Pick<ConsentBroker, 'launch' | 'stillAllowed' | 'toolsListed'>
  readonly audit: AuditStore
  readonly clock: Clock
  readonly networkMonitor: NetworkMonitor
  readonly settings: () => Settings
  readonly checker: SchemaChecker
  readonly inputs: Inputs
  readonly startQueue: StartQueue
  readonly attribution: RequestAttribution
  /** Puts in what is no secret, before the person is asked. */
  readonly resolveBuiltinVariables: (name: string, definition: ServerDefinition) => ServerDefinition
  readonly folderOf: Environment['folder']
}

export interface Server {
  readonly supervisor: Supervisor
  readonly catalogue: CatalogueKeeper
  readonly log: LogBuffer
  readonly logFile: ServerLogFile
  readonly running: RunningProcesses
  readonly history: ServerRunHistory
  readonly signIn: ServerAuth
  readonly causes: RequestAttribution
  view(warnings: readonly string[], inspecting?: Inspecting): ServerSummary
  /** What its last start was like. */
  report(): DoctorReport
  call(call: ApprovedCall, options: CallOptions): Promise<CallOutcome>
  readonly utilities: ServerQueries
  /** For what does no harm when asked twice: reading a resource, getting a prompt. */
  ask(method: string, params: Readonly<Record<string, Json>>, signal: AbortSignal): Promise<JsonObject>
  /** The same for more than one request. */
  use<T>(work: (connection: Connection, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>
}

export function createServer(
  name: string,
  definition: ServerDefinition,
  parts: ServerContext & {
    readonly connect: Connect
    readonly signIn: ServerAuth
    readonly log: LogBuffer
    readonly logFile: ServerLogFile
    readonly running: RunningProcesses
    readonly doctor: Doctor
    readonly onChange: () => void
    /** A resource that was subscribed to has changed. */
    readonly onUpdated: (uri: string) => void
    readonly after?: Promise<unknown>
  },
): Server {
  const { store, clock, audit, settings, checker, log, inputs, signIn } = parts
  const history = createServerRunHistory()
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
  const utilities = createServerQueries({
    ...parts,
    server: name,
    catalogue,
    note,
    use,
    askOn: (connection, work, signal) => requests.askOn(connection, work, signal),
  })
  let startedAt = 0
  let asks: Connection['serverRequests'] | undefined

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
    const connection = auditRequests(guardCapabilities(made, utilities.logLevel), audit)
    hear(connection, options.signal)
    return connection
  }

  function hear(connection: Connection, signal: AbortSignal): void {
    const { client } = connection
    asks = connection.serverRequests
    // The SDK reports much that is no one's business; what the host itself found is for the log.
    client.onerror = (error) => {
      if (error instanceof HostError) note(error.message)
    }
    connection.notifications.listen('notifications/message', createMessageLog(log, clock))
    utilities.attach(connection, signal)
    if (connection.pid === undefined && connection.session.transport !== 'stdio')
      checkLiveness({ connection, clock, care: parts.networkMonitor, signal, note })
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
    resolveBuiltinVariables: (current) => parts.resolveBuiltinVariables(name, current),
  })

  const idle = createIdleStop({
    clock,
    isReady: () => supervisor.state.kind === 'ready',
    idleMinutes: () => supervisor.definition.idleMinutes,
    isNeeded: () => utilities.subscriptions().length > 0 || asks?.busy() === true,
    stop: () => void supervisor.stop('idle'),
  })

  const context = {
    server: name,
    ready: (signal: AbortSignal) => ready('need', signal),
    timeoutOf: () => supervisor.definition.timeoutMs ?? settings().callTimeoutMs,
    shown,
    clock,
  }
  const requests = createLimitedRequests(context)
  const calls = createApprovedCalls({ ...context, catalogue, audit, checker, note, stillAllowed: parts.broker.stillAllowed })

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
    causes: parts.attribution,
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
    call: (approval, options) => inUse(() => attributed(spend(approval), options)),
    report: () => parts.doctor.report(supervisor.definition, supervisor.state),
    ask: (method, params, signal) => use((connection, limited) => connection.request(method, params, { signal: limited }), signal),
    use,
  }

  /** What the server asks while the call waits for it is asked where the call is shown. */
  async function attributed(call: ApprovedCall, options: CallOptions): Promise<CallOutcome> {
    const leave = parts.attribution.add(call)
    try {
      return await calls(call, options)
    } finally {
      leave()
    }
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
    return inUse(() => requests.ask(work, signal))
  }
}
