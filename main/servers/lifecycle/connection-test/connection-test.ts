// One start of a server that is not saved: as its saved self would be started, with a yes of the person's for this start, and
// ended as soon as it has shown what it offers, failed, or been called off. It takes part in nothing else: no chat knows it,
// nothing is remembered of it, and what it asks for is declined. What is remembered of a server that nobody keeps: for as long
// as the object is there.

import { toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Catalogue } from '#app/server/catalogue.ts'
import type { ConnectionTestPhase, ConnectionTestSummary, TestedCapabilities } from '#app/server/connection-test.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { LogLevel, Session } from '#app/server/server-state.ts'
import { protocolError } from '#main/base/protocol-error.ts'
import type { ConnectionTestApproval } from '#main/consent/broker-api.ts'
import { createServerAuth, type ServerAuthContext } from '#main/servers/auth/server-auth.ts'
import { createOpener, fillDefinition, type OpenerOptions } from '#main/servers/client/connection/open-connection.ts'
import type { ServerRequestHandlers } from '#main/servers/client/requests/server-request-handlers.ts'
import { createDoctor } from '#main/servers/doctor/doctor.ts'
import { createLogBuffer } from '#main/servers/process/logs/log-buffer.ts'
import type { ServerLogFile } from '#main/servers/process/logs/log-files.ts'
import { createRunningProcesses } from '#main/servers/process/running-processes.ts'
import { createPausableTimeouts } from '#main/servers/transport/pausable-timeouts.ts'
import type { ServerStore } from '#main/store/store-api.ts'
import { createRequestAttribution } from '../request-attribution.ts'
import { createServer, type Server, type ServerContext } from '../server.ts'
import type { ServersContext } from '../servers-context.ts'

export function memoryServerStore(): ServerStore {
  const catalogues = new Map<string, Catalogue>()
  const sessions = new Map<string, Session>()
  const disabled = new Map<string, Set<string>>()
  const levels = new Map<string, LogLevel>()
  const launches = new Map<string, string>()
  const all: readonly Map<string, unknown>[] = [catalogues, sessions, disabled, levels, launches]
  return {
    catalogue: (server) => catalogues.get(server),
    restOfResources: () => undefined,
    putCatalogue: (server, catalogue) => void catalogues.set(server, catalogue),
    session: (server) => sessions.get(server),
    putSession: (server, session) => void (session ? sessions.set(server, session) : sessions.delete(server)),
    bindMemory(server, launch) {
      const before = launches.get(server)
      launches.set(server, launch)
      if (before === undefined || before === launch) return
      for (const map of [catalogues, sessions]) map.delete(server)
    },
    disabledTools: (server) => disabled.get(server) ?? new Set(),
    setToolEnabled(server, tool, enabled) {
      const tools = disabled.get(server) ?? new Set()
      disabled.set(server, tools)
      if (enabled) tools.delete(tool)
      else tools.add(tool)
    },
    logLevel: (server) => levels.get(server),
    putLogLevel: (server, level) => void levels.set(server, level),
    trusted: () => new Map(),
    putTrust: () => undefined,
    folders: () => [],
    putFolders: () => undefined,
    rename(from, to) {
      for (const map of all) {
        if (!map.has(from)) continue
        map.set(to, map.get(from))
        map.delete(from)
      }
    },
    forget: (server) => {
      for (const map of [catalogues, sessions, disabled, launches]) map.delete(server)
    },
  }
}

export interface ConnectionTestRequest {
  /** An existing server is tried under the name that it has, so that what was allowed of it is compared. */
  readonly server: string
  readonly definition: ServerDefinition
  /** Values of its inputs by id, in place of the stored ones. */
  readonly values: ReadonlyMap<string, string>
  /** The server is saved under that name already: it may use the sign-in that is held for it. */
  readonly known: boolean
  /** Launches that the person agreed to in the same set-up: exactly those are not asked again. */
  readonly agreed: readonly ConnectionTestApproval[]
}

/** Services that all servers share. */
type ConnectionTestContext = Pick<ServersContext, 'broker' | 'secrets' | 'scope'> &
  Pick<
    ServerContext,
    'audit' | 'clock' | 'networkMonitor' | 'settings' | 'checker' | 'inputs' | 'startQueue' | 'resolveBuiltinVariables' | 'folderOf'
  > &
  Pick<ServerAuthContext, 'openUrl' | 'proxies'> & { readonly opener: OpenerOptions }

export interface ConnectionTest {
  readonly definition: ServerDefinition
  view(): ConnectionTestSummary
  /** Told of each change. Returns its undo. */
  onChange(listener: () => void): () => void
  /** Returns the person's agreement to the start, if they gave it. */
  yes(): ConnectionTestApproval | undefined
  /** Resolves when nothing of it is left. */
  end(): Promise<void>
}

const most = { tools: 200, text: 300 }
const cut = (text: string): string => (text.length > most.text ? `${text.slice(0, most.text).toWellFormed()}…` : text)

const noLogFile: ServerLogFile = { add: () => undefined, earlier: async () => [], discard: () => undefined }

/** MCP, "Sampling": the person said no. */
const rejected = -1
/** Nobody can answer for it: it is not theirs yet. */
const declines: ServerRequestHandlers = {
  sampling: () => Promise.reject(protocolError(rejected, 'It is only being tried out')),
  elicitation: async () => ({ action: 'decline' }),
  roots: async () => ({ roots: [] }),
}

/** Asks about the launch as a test, and notes the agreement; a sign-in is only noted. */
function createTestBroker(broker: ServersContext['broker'], agreed: ConnectionTestRequest['agreed']) {
  const noted: { yes: ConnectionTestApproval | undefined; issuer: string | undefined } = { yes: undefined, issuer: undefined }
  const own: ServersContext['broker'] = {
    place: broker.place,
    stillAllowed: broker.stillAllowed,
    toolsListed: () => undefined,
    async launch(asked) {
      const verdict = await broker.launch({ ...asked, trial: { agreed } })
      noted.yes = verdict.yes
      return verdict
    },
    async signIn(asked) {
      noted.issuer = asked.issuer
      return { kind: 'withdrawn' }
    },
  }
  return Object.assign(noted, { broker: own })
}

export function startConnectionTest(question: ConnectionTestRequest, context: ConnectionTestContext): ConnectionTest {
  const { server: name, values, known, agreed } = question
  const { clock, broker } = context
  // It is to run now, whatever is planned for it.
  const definition = { ...question.definition, enabled: true }
  const listeners = new Set<() => void>()
  let revision = 0
  let phase: ConnectionTestPhase = { kind: 'starting', step: 'launching' }
  let over = false
  let ending: Promise<void> | undefined

  const changed = (): void => {
    revision += 1
    for (const listener of [...listeners]) listener()
  }
  const lines = createLogBuffer({ clock, onLines: () => undefined })
  const inputs: ServerContext['inputs'] = { ...context.inputs, values: (server, current) => context.inputs.values(server, current, values) }
  const opener = { ...context.opener, inputs, handlers: declines }
  const trial = createTestBroker(broker, agreed)
  const attribution = createRequestAttribution(trial.broker)
  const doctor = createDoctor({ server: name, clock, log: lines })
  const running = createRunningProcesses()
  const signIn = createServerAuth(name, {
    ...context,
    secrets: known ? context.secrets : memorySecrets(),
    broker: attribution.broker,
    waits: createPausableTimeouts(),
    log: lines,
    fill: (current) => fillDefinition(opener, name, context.resolveBuiltinVariables(name, current) as typeof current, lines),
    onChange: () => server.supervisor.signingIn(signIn.asking),
  })
  const server: Server = createServer(name, definition, {
    ...context,
    inputs,
    store: memoryServerStore(),
    broker: { ...trial.broker, ...attribution.broker },
    attribution,
    log: lines,
    logFile: noLogFile,
    doctor,
    connect: createOpener(opener)({ server: name, log: lines, signIn, recorder: doctor.recorder, running }),
    running,
    signIn,
    onChange: observe,
    onUpdated: () => undefined,
  })
  let report = server.report()

  function observe(): void {
    if (over || ending !== undefined) return
    const { state } = server.supervisor
    if (state.kind === 'waiting') phase = { kind: 'waiting', requestId: state.requestId }
    else if (state.kind === 'starting')
      phase = { kind: 'starting', step: state.step, ...(state.diagnosis ? { diagnosis: state.diagnosis } : {}) }
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
    if (trial.issuer !== undefined) return { kind: 'asks-sign-in', issuer: trial.issuer }
    if (state.kind === 'refused') return { kind: 'refused' }
    if (state.kind === 'failed') return { kind: 'failed', error: state.error, ...(state.diagnosis ? { diagnosis: state.diagnosis } : {}) }
    return { kind: 'failed', error: toErrorValue(error) }
  }

  const begun = server.supervisor.ready('person').then(
    ({ session }) => end({ kind: 'works', offers: offersOf(server, session) }),
    (error: unknown) => end(outcomeOf(error)),
  )
  begun.catch(() => undefined) // Its phase says what came of it.

  return {
    definition: question.definition,
    view: () => ({ revision, phase, over, report: ending === undefined ? server.report() : report }),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    yes: () => trial.yes,
    end: () => end({ kind: 'called-off' }),
  }
}

function offersOf({ catalogue, supervisor }: Server, agreed: TestedCapabilities['session']): TestedCapabilities {
  const { tools, resources, resourceTemplates, prompts, stale } = catalogue.current()
  return {
    // As it is shown elsewhere: without what the server was given in confidence.
    session: supervisor.session ?? agreed,
    tools: tools.slice(0, most.tools).map(({ name, title, description }) => ({
      name,
      ...(title === undefined ? {} : { title: cut(title) }),
      ...(description === undefined ? {} : { description: cut(description) }),
    })),
    counts: { tools: tools.length, resources: resources.length + resourceTemplates.length, prompts: prompts.length },
    tokens: tools.reduce((sum, tool) => sum + tool.tokens, 0),
    warnings: [...catalogue.warnings, ...(stale ? [t`Not all that it offers could be read: ${stale}.`] : [])],
  }
}

function memorySecrets(): ConnectionTestContext['secrets'] {
  const kept = new Map<string, string>()
  return {
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, value),
    delete: async (key) => void kept.delete(key),
  }
}
