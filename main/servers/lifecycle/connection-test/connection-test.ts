// Connection test: one start of a server that is not saved, with the person's approval. It ends as soon as it has listed what it
// offers, failed, or been cancelled. No chat sees it, nothing of it is stored, and its requests are declined.
import { toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { Catalogue } from '#app/server/catalogue.ts'
import type { ConnectionTestPhase, ConnectionTestSummary, TestedCapabilities } from '#app/server/connection-test.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { LogLevel, Session } from '#app/server/server-state.ts'
import { createListeners } from '#main/base/listeners.ts'
import { protocolError } from '#main/base/protocol-error.ts'
import { createMemorySecrets } from '#main/base/secret-store.ts'
import type { ConnectionTestApproval } from '#main/consent/broker-api.ts'
import { createServerAuth, type ServerAuthContext } from '#main/servers/auth/server-auth.ts'
import { createOpener, fillDefinition, type OpenerOptions } from '#main/servers/client/connection/open-connection.ts'
import type { ServerRequestHandlers } from '#main/servers/client/requests/server-request-handlers.ts'
import { createDoctor } from '#main/servers/doctor/doctor.ts'
import { createLogBuffer } from '#main/servers/process/logs/log-buffer.ts'
import type { ServerLogFile } from '#main/servers/process/logs/log-files.ts'
import { createRunningProcesses } from '#main/servers/process/running-processes.ts'
import { createAttemptJournal } from '#main/servers/process/sandbox/attempts/attempt-journal.ts'
import { createSandboxMonitor } from '#main/servers/process/sandbox/attempts/sandbox-monitor.ts'
import { createPausableTimeouts } from '#main/servers/transport/pausable-timeouts.ts'
import type { ServerStore } from '#main/store/store-api.ts'
import { createRequestAttribution } from '../request-attribution.ts'
import { createServer, type Server, type ServerContext } from '../server.ts'
import type { ServersContext } from '../servers-context.ts'

interface ServerMemory {
  catalogue?: Catalogue
  session?: Session | undefined
  level?: LogLevel
  launch?: string
  readonly disabled: Set<string>
}

/** Store in memory, for a server that is not saved. */
export function memoryServerStore(): ServerStore {
  const servers = new Map<string, ServerMemory>()
  const of = (server: string): ServerMemory => {
    const memory = servers.get(server) ?? { disabled: new Set() }
    servers.set(server, memory)
    return memory
  }
  return {
    catalogue: (server) => of(server).catalogue,
    restOfResources: () => undefined,
    putCatalogue: (server, catalogue) => void Object.assign(of(server), { catalogue }),
    session: (server) => of(server).session,
    putSession: (server, session) => void Object.assign(of(server), { session }),
    bindMemory(server, launch) {
      const memory = of(server)
      const isAnother = memory.launch !== undefined && memory.launch !== launch
      Object.assign(memory, { launch }, isAnother && { catalogue: undefined, session: undefined })
    },
    tasks: () => new Map(),
    putTask: () => undefined,
    dropTask: () => undefined,
    disabledTools: (server) => of(server).disabled,
    setToolEnabled(server, tool, enabled) {
      if (enabled) of(server).disabled.delete(tool)
      else of(server).disabled.add(tool)
    },
    logLevel: (server) => of(server).level,
    putLogLevel: (server, level) => void Object.assign(of(server), { level }),
    trusted: () => new Map(),
    putTrust: () => undefined,
    folders: () => [],
    putFolders: () => undefined,
    rename(from, to) {
      servers.set(to, of(from))
      servers.delete(from)
    },
    forget: (server) => void servers.delete(server),
    attempts: () => [],
    changeAttempts: () => undefined,
    clearAttempts: () => undefined,
  }
}

export interface ConnectionTestRequest {
  /** Name of the server. An existing one is tested under its own, so that the launch is compared with what was allowed. */
  readonly server: string
  readonly definition: ServerDefinition
  readonly values: ReadonlyMap<string, string>
  /** True for a server that is saved under that name: it may use the sign-in that is kept for it. */
  readonly known: boolean
  /** Approvals of earlier tests in the same set-up: exactly these launches are not asked for again. */
  readonly agreed: readonly ConnectionTestApproval[]
}

type ConnectionTestContext = Pick<ServersContext, 'broker' | 'secrets' | 'scope' | 'maskHost'> &
  Pick<
    ServerContext,
    | 'audit'
    | 'clock'
    | 'networkMonitor'
    | 'settings'
    | 'checker'
    | 'inputs'
    | 'startQueue'
    | 'resolveBuiltinVariables'
    | 'folderOf'
    | 'proposeSandbox'
    | 'sandboxStatus'
    | 'packages'
  > &
  Pick<ServerAuthContext, 'openUrl' | 'proxies'> & { readonly opener: OpenerOptions }

export type ConnectionTest = ReturnType<typeof startConnectionTest>

const most = { tools: 200, text: 300 }
const cut = (text: string | undefined): string | undefined =>
  text !== undefined && text.length > most.text ? `${text.slice(0, most.text).toWellFormed()}…` : text

const noLogFile: ServerLogFile = { add: () => undefined, earlier: async () => [], discard: () => undefined }

/** Error code of a rejected request (MCP, section "Sampling"). */
const rejected = -1
const declines: ServerRequestHandlers = {
  sampling: () => Promise.reject(protocolError(rejected, 'It is only being tried out')),
  elicitation: async () => ({ action: 'decline' }),
  roots: async () => ({ roots: [] }),
}

function createTestedServer(
  { server: name, definition, values, known, agreed }: ConnectionTestRequest,
  context: ConnectionTestContext,
  on: {
    readonly launch: (approval: ConnectionTestApproval | undefined) => void
    readonly signIn: (issuer: string) => void
    readonly change: () => void
  },
) {
  const { clock, broker } = context
  const lines = createLogBuffer({ clock, onLines: () => undefined })
  const inputs: ServerContext['inputs'] = { ...context.inputs, values: (server, current) => context.inputs.values(server, current, values) }
  const opener = { ...context.opener, inputs, handlers: declines }
  const testBroker: ServersContext['broker'] = {
    place: broker.place,
    stillAllowed: broker.stillAllowed,
    toolsListed: () => undefined,
    signedInAs: () => undefined,
    accountLoading: () => undefined,
    packageInstalled: () => undefined,
    approvedSandbox: broker.approvedSandbox,
    setSandbox: broker.setSandbox,
    async launch(asked) {
      const verdict = await broker.launch({ ...asked, connectionTest: { agreed } })
      on.launch(verdict.yes)
      return verdict
    },
    async signIn({ issuer }) {
      on.signIn(issuer)
      return { kind: 'withdrawn' }
    },
  }
  const attribution = createRequestAttribution(testBroker)
  const store = memoryServerStore()
  const noted = { onChange: () => undefined, onUnwritten: () => undefined }
  const { maskHost } = context
  const monitor = createSandboxMonitor({ journal: createAttemptJournal({ server: name, store, clock, ...noted }), clock, maskHost })
  const doctor = createDoctor({ server: name, clock, log: lines, monitor })
  const running = createRunningProcesses()
  const signIn = createServerAuth(name, {
    ...context,
    secrets: known ? context.secrets : createMemorySecrets(),
    broker: attribution.broker,
    // An account of a test is nobody's yet.
    onAccount: () => undefined,
    waits: createPausableTimeouts(),
    log: lines,
    fill: (current) => fillDefinition(opener, name, context.resolveBuiltinVariables(name, current) as typeof current, lines),
    onChange: () => server.supervisor.signingIn(signIn.asking),
  })
  // A server that is to be saved as switched off is tested too.
  const server: Server = createServer(
    name,
    { ...definition, enabled: true },
    {
      ...context,
      inputs,
      store,
      broker: { ...testBroker, ...attribution.broker },
      attribution,
      log: lines,
      logFile: noLogFile,
      doctor,
      connect: createOpener(opener)({ server: name, log: lines, signIn, recorder: doctor.recorder, running, monitor }),
      running,
      monitor,
      signIn,
      onChange: on.change,
      onUpdated: () => undefined,
    },
  )
  return { server, signIn, lines }
}

export function startConnectionTest(question: ConnectionTestRequest, context: ConnectionTestContext) {
  const listeners = createListeners()
  let revision = 0
  let phase: ConnectionTestPhase = { kind: 'starting', step: 'launching' }
  let over = false
  let yes: ConnectionTestApproval | undefined
  let issuer: string | undefined
  let ending: Promise<void> | undefined

  const changed = (): void => {
    revision += 1
    listeners.tell()
  }
  const { server, signIn, lines } = createTestedServer(question, context, {
    launch: (approval) => {
      yes = approval
    },
    signIn: (asked) => {
      issuer = asked
    },
    change: observe,
  })
  let report = server.report()

  function observe(): void {
    if (over || ending !== undefined) return
    const { state } = server.supervisor
    if (state.kind === 'waiting') phase = { kind: 'waiting', requestId: state.requestId }
    else if (state.kind === 'starting') phase = { kind: 'starting', step: state.step, ...defined({ diagnosis: state.diagnosis }) }
    changed()
  }

  function end(outcome: ConnectionTestPhase): Promise<void> {
    if (ending !== undefined) return ending
    phase = outcome
    report = server.report()
    const run = async (): Promise<void> => {
      await Promise.allSettled([server.supervisor.stop('user'), signIn.dispose()])
      lines.dispose()
      over = true
      changed()
    }
    ending = run()
    changed()
    return ending
  }

  function outcomeOf(error: unknown): ConnectionTestPhase {
    const { state } = server.supervisor
    if (issuer !== undefined) return { kind: 'asks-sign-in', issuer }
    if (state.kind === 'refused') return { kind: 'refused' }
    if (state.kind === 'failed') return { kind: 'failed', error: state.error, ...defined({ diagnosis: state.diagnosis }) }
    return { kind: 'failed', error: toErrorValue(error) }
  }

  const begun = server.supervisor.ready('person').then(
    ({ session }) => end({ kind: 'works', offers: offersOf(server, session) }),
    (error: unknown) => end(outcomeOf(error)),
  )
  begun.catch(() => undefined) // The phase has the outcome.

  return {
    definition: question.definition,
    view: (): ConnectionTestSummary => ({ revision, phase, over, report: ending === undefined ? server.report() : report }),
    onChange: listeners.add,
    yes: (): ConnectionTestApproval | undefined => yes,
    end: (): Promise<void> => end({ kind: 'called-off' }),
  }
}

function offersOf({ catalogue, supervisor }: Server, agreed: TestedCapabilities['session']): TestedCapabilities {
  const { tools, resources, resourceTemplates, prompts, stale } = catalogue.current()
  return {
    // The session of the supervisor has its secrets masked.
    session: supervisor.session ?? agreed,
    tools: tools
      .slice(0, most.tools)
      .map(({ name, title, description }) => ({ name, ...defined({ title: cut(title), description: cut(description) }) })),
    counts: { tools: tools.length, resources: resources.length + resourceTemplates.length, prompts: prompts.length },
    tokens: tools.reduce((sum, tool) => sum + tool.tokens, 0),
    warnings: [...catalogue.warnings, ...(stale ? [t`Some lists could not be read: ${stale}.`] : [])],
  }
}
