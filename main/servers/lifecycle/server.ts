// One configured server with all that belongs to it: supervisor, catalogue, log, run history, calls and other requests.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { DoctorReport } from '#app/server/doctor.ts'
import { plainSecretsOf } from '#app/server/inputs/plain-secrets.ts'
import { type LastError, nextRunCounts, noRuns } from '#app/server/server-activity.ts'
import type { ServerState } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import type { Inspecting } from '#app/server/wire-message.ts'
import { orAborted } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { maskError, maskTexts } from '#main/base/redact-secrets.ts'
import { type ApprovedCall, spend } from '#main/consent/approved.ts'
import type { ConsentBroker } from '#main/consent/broker-api.ts'
import type { ServerAuth } from '../auth/server-auth.ts'
import { createApprovedCalls } from '../client/calls/approved-call.ts'
import { createLimitedRequests } from '../client/calls/limited-requests.ts'
import { type CatalogueKeeper, createCatalogueKeeper } from '../client/catalogue/catalogue.ts'
import { differOnlyInHeaders } from '../client/catalogue/catalogue-entries.ts'
import type { Connection } from '../client/connection/connection.ts'
import type { Connect } from '../client/connection/open-connection.ts'
import { createMessageLog } from '../client/logging/log-messages.ts'
import type { RequestServices } from '../client/requests/request-context.ts'
import { toolChanged } from '../client/requests/request-outcome.ts'
import type { CallContext, CallOutcome, MadeTask } from '../client/requests/running-calls.ts'
import { createServerQueries, type ServerQueries } from '../client/server-queries.ts'
import type { SchemaChecker } from '../client/validation/schema-validator.ts'
import type { Inputs } from '../config/inputs/input-values.ts'
import { maskDefinition } from '../config/mask-definition.ts'
import type { Doctor } from '../doctor/doctor.ts'
import type { LogBuffer } from '../process/logs/log-buffer.ts'
import type { ServerLogFile } from '../process/logs/log-files.ts'
import type { RunningProcesses } from '../process/running-processes.ts'
import type { SandboxMonitor } from '../process/sandbox/attempts/sandbox-monitor.ts'
import { createIdleStop } from './idle-stop.ts'
import { launchKey } from './launch-target.ts'
import type { NetworkMonitor } from './network-monitor.ts'
import type { RequestAttribution } from './request-attribution.ts'
import type { ServersContext } from './servers-context.ts'
import { Supervisor, type SupervisorOptions } from './supervisor.ts'

/** Milliseconds that a server may take to give a sign of life. */
const answerMs = 10_000
interface LivenessCheckOptions {
  readonly connection: Pick<Connection, 'server' | 'session' | 'request' | 'lose' | 'ended'>
  readonly clock: Clock
  readonly care: Pick<NetworkMonitor, 'onDoubt' | 'inTurn'>
  readonly signal: AbortSignal
  readonly note: (text: string) => void
}

/** Checks a remote server after this computer slept or changed networks, so that not the next call finds the connection dead. */
export function checkLiveness({ connection, clock, care, signal, note }: LivenessCheckOptions): void {
  const { server, session } = connection
  let leave: (() => void) | undefined
  let asking = false
  const forget = care.onDoubt(() => {
    leave?.()
    leave = care.inTurn(() => void check())
  })
  const stop = (): void => {
    forget()
    leave?.()
  }
  signal.addEventListener('abort', stop, { once: true })
  void connection.ended.then(stop)

  async function check(): Promise<void> {
    if (signal.aborted || asking) return
    asking = true
    const late = new AbortController()
    const silent = new HostError('server.connection-lost', t`The connection to “${server}” was lost.`, { data: { server } })
    const cancel = clock.after(answerMs, () => late.abort(silent))
    try {
      // 2026-07-28 has no ping.
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

function createServerRunHistory() {
  let before: ServerState = { kind: 'stopped', reason: 'never-started' }
  let counts = noRuns
  let lastFailure: Extract<LastError, { kind: 'server' }> | undefined
  return {
    observe(state: ServerState): void {
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

export interface ServerContext
  extends Pick<SupervisorOptions, 'store' | 'clock' | 'networkMonitor' | 'startQueue' | 'folderOf' | 'proposeSandbox' | 'packages'>,
    Pick<ServersContext, 'audit' | 'settings'> {
  readonly broker: Pick<ConsentBroker, 'launch' | 'packageInstalled' | 'approvedSandbox' | 'setSandbox' | 'stillAllowed' | 'toolsListed'>
  readonly checker: SchemaChecker
  readonly inputs: Inputs
  readonly attribution: RequestAttribution
  /** Puts in what is no secret, before the person is asked. */
  readonly resolveBuiltinVariables: (name: string, definition: ServerDefinition) => ServerDefinition
  /** Sandbox of its last start, and of its next. */
  readonly sandboxStatus: (
    name: string,
    definition: ServerDefinition,
    last: Supervisor['approved'],
  ) => Pick<ServerSummary, 'sandbox' | 'nextSandbox'>
}

export type Server = ReturnType<typeof createServer>

export interface ServerOptions extends ServerContext {
  readonly connect: Connect
  readonly signIn: ServerAuth
  readonly log: LogBuffer
  readonly logFile: ServerLogFile
  readonly running: RunningProcesses
  readonly monitor: SandboxMonitor
  readonly doctor: Doctor
  readonly onChange: () => void
  readonly onUpdated: (uri: string) => void
  readonly after?: Promise<unknown>
}

export function createServer(name: string, definition: ServerDefinition, options: ServerOptions) {
  const { store, clock, settings, log, signIn, attribution, logFile, running, monitor } = options
  const history = createServerRunHistory()
  const note = (text: string): void => log.add({ source: 'host', level: 'warning', text })
  /** A server may repeat what it was given, also in an error. */
  const shown = (error: unknown): unknown => maskError(log.masked, error)

  // What another program told says nothing of this one.
  store.bindMemory(name, launchKey(definition))
  const listed = (): void => options.broker.toolsListed(name, catalogue.current().tools)
  const catalogue = createCatalogueKeeper({
    server: name,
    store,
    clock,
    onChange() {
      listed()
      onChange()
    },
  })
  listed()
  /** Resolves with the connection, unless the caller has left meanwhile; the start then goes on for others. */
  const ready = (signal: AbortSignal): Promise<Connection> =>
    orAborted(supervisor.ready('need'), signal, () => new HostError('cancelled', t`It was cancelled.`))
  const timeoutOf = (): number => supervisor.definition.timeoutMs ?? settings().callTimeoutMs
  const requests = createLimitedRequests({ server: name, ready, timeoutOf, shown, clock })
  const calls = createApprovedCalls({
    ...options,
    server: name,
    ready,
    timeoutOf,
    shown,
    catalogue,
    note,
    stillAllowed: options.broker.stillAllowed,
  })
  const inUse = <T>(work: () => Promise<T>): Promise<T> => {
    const over = idle.use()
    return work().finally(over)
  }
  const use = <T>(work: (connection: Connection, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> =>
    inUse(() => requests.ask(work, signal))
  const queries = createServerQueries({ ...options, server: name, catalogue, note, use, askOn: requests.askOn })
  const connector = createConnector({ ...options, name, catalogue, queries, note, shown })
  const supervisor = new Supervisor({
    ...options,
    name,
    definition,
    catalogue,
    connect: connector.connect,
    lastWords: connector.lastWords,
    onChange,
    shown,
    shownSession: (session) => maskTexts(log.masked, session),
    resolveBuiltinVariables: (current) => options.resolveBuiltinVariables(name, current),
    inputValues: (current) => options.inputs.values(name, current),
  })
  const idle = createIdleStop({
    clock,
    isReady: () => supervisor.state.kind === 'ready',
    idleMinutes: () => supervisor.definition.idleMinutes,
    isNeeded: () => queries.subscriptions().length > 0 || connector.isAsking(),
    stop: () => void supervisor.stop('idle'),
  })

  function onChange(): void {
    history.observe(supervisor.state)
    const { kind } = supervisor.state
    if (kind === 'stopped' || kind === 'disabled') queries.stopped()
    idle.changed()
    options.onChange()
  }

  return {
    supervisor,
    catalogue,
    ...besidesTools(calls, inUse),
    log,
    logFile,
    running,
    monitor,
    history,
    queries,
    signIn,
    attribution,
    view: (warnings: readonly string[], inspecting?: Inspecting): ServerSummary => ({
      ...summaryOf(name, { supervisor, catalogue, queries, signIn, inputs: options.inputs }, warnings),
      ...options.sandboxStatus(name, supervisor.definition, supervisor.approved),
      ...defined({ inspecting, blocked: monitor.journal.unanswered() || undefined }),
    }),
    async call(approval: ApprovedCall, context: CallContext): Promise<CallOutcome> {
      const call = spend(approval)
      if (context.callId !== call.callId) throw new HostError('internal', t`This is not the approved call.`)
      // Questions about the server itself are asked where the call is shown.
      const leave = attribution.add(context)
      return inUse(() => calls.run(call, context)).finally(leave)
    },
    report: (): DoctorReport => options.doctor.report(supervisor.definition, supervisor.state),
    use,
  }
}

type InUse = <T>(work: () => Promise<T>) => Promise<T>

/** Calls beside those of tools: readings, and tasks of an earlier run. */
const besidesTools = ({ resources, resume }: ReturnType<typeof createApprovedCalls>, inUse: InUse) => ({
  resources,
  resumeTask: (tool: string, task: MadeTask, context: CallContext): Promise<CallOutcome> => inUse(() => resume(tool, task, context)),
})

interface ConnectorOptions extends Pick<ServerOptions, 'connect' | 'audit' | 'clock' | 'log' | 'networkMonitor'> {
  readonly name: string
  readonly catalogue: CatalogueKeeper
  readonly queries: ServerQueries
  readonly note: (text: string) => void
  readonly shown: (error: unknown) => unknown
}

function createConnector({ name, connect, audit, clock, log, networkMonitor, catalogue, queries, note, shown }: ConnectorOptions) {
  let startedAt = 0
  let asks: Connection['serverRequests'] | undefined

  function attach(connection: Connection, signal: AbortSignal): void {
    const { client, serverRequests, notifications, calls, pid, session } = connection
    asks = serverRequests
    // The SDK reports much that concerns nobody; errors that the host itself found are for the log.
    client.onerror = (error) => {
      if (error instanceof HostError) note(error.message)
    }
    const keep = createMessageLog(log, clock)
    notifications.listen('notifications/message', (word) => {
      keep(word)
      calls.logReceiver()?.(word)
    })
    queries.attach(connection, signal)
    if (pid === undefined && session.transport !== 'stdio') checkLiveness({ connection, clock, care: networkMonitor, signal, note })
  }

  return {
    isAsking: (): boolean => asks?.busy() === true,
    lastWords: (): string[] =>
      log
        .lines()
        .filter((line) => line.source === 'stderr' && line.time >= startedAt)
        .slice(-10)
        .map((line) => line.text),
    async connect(options: Parameters<SupervisorOptions['connect']>[0]): Promise<Connection> {
      const requests: RequestServices = {
        audit,
        logLevel: queries.logLevel,
        async refreshTool(tool, signal) {
          await catalogue.refresh(await connecting, signal)
          const now = catalogue.tool(tool.name)
          if (!now || !differOnlyInHeaders(now, tool)) throw toolChanged(name, tool.name)
          return now
        },
      }
      const connecting = connect({
        ...options,
        requests,
        // A start may take two processes: the last words are those of the last.
        onNegotiating() {
          startedAt = clock.now()
          options.onNegotiating()
        },
      })
      const connection = await connecting.catch((error: unknown) => {
        throw shown(error)
      })
      attach(connection, options.signal)
      return connection
    },
  }
}

type SummarySources = Pick<Server, 'supervisor' | 'catalogue' | 'queries' | 'signIn'> & Pick<ServerContext, 'inputs'>

function summaryOf(name: string, sources: SummarySources, warnings: readonly string[]): ServerSummary {
  const { supervisor, catalogue, queries, signIn, inputs } = sources
  const { tools, resources, resourceTemplates, prompts, stale } = catalogue.current()
  const enabled = tools.filter((tool) => tool.enabled)
  const { session, workedAt, definition, state } = supervisor
  return {
    name,
    definition: maskDefinition(definition),
    inputs: inputs.views(name, definition),
    plainSecrets: plainSecretsOf(definition),
    state,
    ...defined({ session, workedAt, signIn: signIn.view }),
    counts: {
      ...{ tools: tools.length, enabledTools: enabled.length, prompts: prompts.length },
      resources: resources.length + resourceTemplates.length,
    },
    tokens: enabled.reduce((sum, tool) => sum + tool.tokens, 0),
    warnings: [...warnings, ...catalogue.warnings, ...(stale ? [t`Some lists could not be read: ${stale}.`] : [])],
    catalogueRevision: catalogue.revision,
    logLevel: queries.logLevel(),
    subscriptions: queries.subscriptions(),
  }
}
