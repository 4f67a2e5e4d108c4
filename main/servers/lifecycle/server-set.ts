// The set of configured servers, changed as little as a new configuration requires. A server that is removed goes on ending here;
// another of its name waits for that. It holds the services that all servers share.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { ServerDefinition, StdioDefinition } from '#app/server/definition.ts'
import { inputsIn, referencesIn } from '#app/server/inputs/variable-references.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { lookAlikes } from '#app/text/look-alike.ts'
import { createListeners } from '#main/base/listeners.ts'
import { createMemorySecrets } from '#main/base/secret-store.ts'
import { auditedAccount } from '#main/consent/audit-writer.ts'
import type { AuditStore } from '#main/store/store-api.ts'
import { createServerAuth, type Released, type ServerAuth } from '../auth/server-auth.ts'
import { inheritsSignIn } from '../auth/token-store.ts'
import { createCallStatistics } from '../client/calls/call-statistics.ts'
import { createOpener, fillDefinition, type OpenerOptions } from '../client/connection/open-connection.ts'
import { createSchemaChecker } from '../client/validation/schema-validator.ts'
import { createInputs } from '../config/inputs/input-values.ts'
import { resolveBuiltinVariables } from '../config/inputs/resolve-variables.ts'
import { createDoctor } from '../doctor/doctor.ts'
import { createEnvironment } from '../process/environment/environment.ts'
import { createProcessLedger } from '../process/ledger/ledger.ts'
import { createLogBuffer, type LogBuffer } from '../process/logs/log-buffer.ts'
import { createLogFiles } from '../process/logs/log-files.ts'
import { createRunningProcesses } from '../process/running-processes.ts'
import { createAttemptJournal } from '../process/sandbox/attempts/attempt-journal.ts'
import { createSandboxMonitor, type SandboxMonitor } from '../process/sandbox/attempts/sandbox-monitor.ts'
import { createSandbox } from '../process/sandbox/sandbox.ts'
import { createWatchdog } from '../process/watchdog.ts'
import { proxiesIn, wayTo } from '../transport/http/dispatchers.ts'
import { createGetJson } from '../transport/http/get-json.ts'
import { createInspectors } from '../transport/inspector/inspector.ts'
import { createConnectionTests } from './connection-test/connection-tests.ts'
import { createNetworkMonitor } from './network-monitor.ts'
import { createPackages } from './packages/packages.ts'
import { createRequestAttribution, type RequestAttribution } from './request-attribution.ts'
import { sandboxStatus } from './sandbox-status.ts'
import { createServer, type Server } from './server.ts'
import type { ServersContext } from './servers-context.ts'
import { createStartQueue } from './start-queue.ts'

/** One check of a structured result against its schema may take this long. */
const checkLimitMs = 2000

export type SharedServices = ReturnType<typeof createSharedServices>

/** `onInspected`: told of a server whose messages are shown from now on, or not any more. */
export function createSharedServices(context: ServersContext, onInspected: (name: string) => void) {
  const { clock, emit, log } = context
  const statistics = createCallStatistics(context.audit, clock)
  const environment = context.environment ?? createEnvironment()
  let variablesNow = context.variables ?? process.env
  const variables = async () => (variablesNow = context.variables ?? (await environment.variables()))
  const inputs = context.inputs ?? createInputs({ secrets: createMemorySecrets() })
  const guard = createWatchdog({
    onMissing: () => log.warn('No watchdog can be kept: if this host is killed, its servers may outlive it until the next start.'),
  })
  const ledger = createProcessLedger({ dataDir: context.dataDir, log })
  const inspectors = createInspectors({ clock, emit, mask: context.mask ?? String, onMode: onInspected })
  const sandbox = createSandbox({
    dataDir: context.dataDir,
    findParent: async (url) => (await wayTo(url, proxiesIn(await variables()))).uri,
    ...defined({ scope: context.scope }),
  })
  const packages = createPackages({
    json: createGetJson(async () => proxiesIn(await variables()), { maxBytes: 32 * 1024 * 1024, timeoutMs: 6000 }),
    environment,
    sandbox,
    home: homedir(),
    locks: join(context.dataDir, 'packages'),
    installs: join(context.dataDir, 'packages', 'installed'),
    now: () => clock.now(),
  })
  const openerOptions: OpenerOptions = { ...context, environment, sandbox, variables, inputs, guard, ledger, inspectors }
  return {
    audit: withStatistics(context.audit, statistics.add),
    statistics,
    environment,
    variables,
    proxies: () => proxiesIn(variablesNow),
    inputs,
    guard,
    ledger,
    inspectors,
    allowance: sandbox.allowance,
    findSandbox: sandbox.engine,
    proposeSandbox: async (definition: StdioDefinition, cwd: string) =>
      sandbox.propose({ definition, cwd, option: context.sandbox, registries: await packages.registriesFor(definition) }),
    sandboxStatus: (name: string, definition: ServerDefinition, last: Parameters<typeof sandboxStatus>[0]['last']) =>
      sandboxStatus({ definition, option: context.sandbox, engine: sandbox.known, last, kept: context.broker.approvedSandbox(name) }),
    openerOptions,
    opener: createOpener(openerOptions),
    packages,
    files: createLogFiles({ dataDir: context.dataDir, clock, log }),
    checker: createSchemaChecker({ limitMs: checkLimitMs }),
    networkMonitor: context.networkMonitor ?? createNetworkMonitor({ clock }),
    startQueue: createStartQueue({ clock }),
    connectionTests: createConnectionTests({ clock }),
    resolveBuiltinVariables: <T extends ServerDefinition>(name: string, current: T): T =>
      resolveBuiltinVariables(name, current, { folder: context.folder?.() }) as T,
  }
}

const withStatistics = (audit: AuditStore, add: (row: ReturnType<AuditStore['append']>) => void): AuditStore => ({
  ...audit,
  append(entry) {
    const row = audit.append(entry)
    add(row)
    return row
  },
})

/** Audit store whose rows of exchanges name the account. */
const withAccount = (audit: AuditStore, signIn: Pick<ServerAuth, 'account'>): AuditStore => ({
  ...audit,
  append(entry) {
    const named = entry.kind === 'exchange' ? { detail: { ...entry.detail, ...auditedAccount(signIn.account) } } : {}
    return audit.append({ ...entry, ...named })
  },
})

/** Whether a secret value is filled into the arguments, which every account of the machine can read. */
function hasSecretArgument(name: string, definition: ServerDefinition | undefined, inputs: ServersContext['inputs']): boolean {
  if (definition?.transport !== 'stdio') return false
  const ids = definition.args.flatMap((arg) => referencesIn(arg).flatMap((one) => (one.kind === 'input' ? one.id : [])))
  const views = inputs?.views(name, definition) ?? []
  return ids.some((id) => views.find((view) => view.id === id)?.password !== false)
}

/** The warnings of each server, by name. `claimsTrust`: its file says "trusted", which the person did not answer. */
function serverWarnings(
  definitions: ReadonlyMap<string, ServerDefinition>,
  { claimsTrust = () => false, inputs }: Pick<ServersContext, 'claimsTrust' | 'inputs'>,
): Map<string, string[]> {
  const all = [...definitions.keys()]
  const alike = lookAlikes(all)
  const warningsOf = (name: string): string[] => {
    const others = (alike.get(name) ?? []).map((other) => `“${other}”`)
    return [
      ...(others.length > 0 ? [t`The name looks like “${others.join(', ')}”.`] : []),
      ...(hasSecretArgument(name, definitions.get(name), inputs)
        ? [t`A secret is an argument, which other accounts can read. Use a variable.`]
        : []),
      ...(claimsTrust(name) ? [t`Its file says “trusted”. Switch that on under Tools.`] : []),
    ]
  }
  return new Map(all.map((name) => [name, warningsOf(name)]))
}

function changedWarnings(before: ReadonlyMap<string, readonly string[]>, now: ReadonlyMap<string, readonly string[]>): string[] {
  const text = (warnings: readonly string[] | undefined): string => (warnings ?? []).join('\n')
  return [...new Set([...before.keys(), ...now.keys()])].filter((name) => text(before.get(name)) !== text(now.get(name)))
}

export class ServerSet {
  readonly #options: ServersContext
  readonly #shared: SharedServices
  readonly #servers = new Map<string, Server>()
  /** Servers that were taken out of the configuration and are still being ended. */
  readonly #leaving = new Map<string, Promise<void>>()
  readonly #released = new Map<string, Promise<Released | undefined>>()
  readonly #listeners = createListeners()
  readonly onChanged = this.#listeners.add
  #warnings = new Map<string, string[]>()
  #isConfigured: boolean
  #disposed: Promise<void> | undefined

  constructor(context: ServersContext, shared: SharedServices) {
    this.#options = context
    this.#shared = shared
    this.#isConfigured = false
  }

  [Symbol.iterator](): Iterator<readonly [string, Server]> {
    return this.#servers.entries()
  }

  names(): string[] {
    return [...this.#servers.keys()].sort((a, b) => (a < b ? -1 : 1))
  }

  find(name: string): Server | undefined {
    return this.#servers.get(name)
  }

  /** @throws {HostError} `server.unknown`, `server.stopped` once Assent is closing. */
  known(name: string): Server {
    const server = this.#servers.get(name)
    this.mustBeOpen({ server: name })
    if (server) return server
    throw new HostError('server.unknown', t`There is no server named “${name}”.`, { data: { server: name } })
  }

  /** @throws {HostError} `server.stopped` once Assent is closing. */
  mustBeOpen(data: Readonly<Record<string, string>> = {}): void {
    if (this.#disposed !== undefined) throw new HostError('server.stopped', t`Assent is closing.`, { data })
  }

  view(name: string): ServerSummary | undefined {
    return this.#servers.get(name)?.view(this.#warnings.get(name) ?? [], this.#shared.inspectors.mode(name))
  }

  changed(name: string): void {
    this.#listeners.tell()
    const server = this.view(name)
    if (server) this.#options.emit('server.changed', { server })
  }

  startAtLaunch(): void {
    for (const [, server] of this) this.#startIfAtLaunch(server)
  }

  configure(definitions: ReadonlyMap<string, ServerDefinition>): void {
    if (this.#disposed !== undefined) return
    for (const [name, server] of this) if (!definitions.has(name)) this.#remove(name, server)
    const added: string[] = []
    for (const [name, definition] of definitions) {
      const server = this.#servers.get(name)
      if (server) server.supervisor.redefine(definition)
      else {
        this.#add(name, definition)
        added.push(name)
      }
    }
    for (const name of new Set([...added, ...this.#warn()])) this.changed(name)
    // At the first time the host decides what is started; later a server that was just added is.
    if (this.#isConfigured) for (const name of added) this.#startIfAtLaunch(this.known(name))
    else {
      this.#shared.files.prune(definitions.keys())
      this.#findSandbox()
    }
    this.#isConfigured = true
  }

  /** Looks for a sandbox of this computer, so that each server says whether it has one. */
  #findSandbox(): void {
    const isNeeded = [...this.#servers.values()].some(({ supervisor }) => supervisor.definition.transport === 'stdio')
    if (!isNeeded || this.#options.sandbox === 'off') return
    const tell = (): void => {
      if (this.#disposed === undefined) for (const name of this.names()) this.changed(name)
    }
    void this.#shared.findSandbox().then(tell)
  }

  dispose = (): Promise<void> => (this.#disposed ??= this.#endAll())

  async #endAll(): Promise<void> {
    const all = [...this.#servers.values()]
    const results = await Promise.allSettled([
      ...all.flatMap((server) => [server.supervisor.stop('quit'), server.signIn.dispose()]),
      ...this.#leaving.values(),
      this.#shared.connectionTests.dispose(),
    ])
    for (const server of all) {
      server.log.dispose()
      server.monitor.journal.flush()
    }
    for (const result of results) if (result.status === 'rejected') this.#options.log.error('A server could not be ended', result.reason)
  }

  #add(name: string, definition: ServerDefinition): void {
    const { clock, emit, broker } = this.#options
    const { files, opener, environment } = this.#shared
    const logFile = files.of(name)
    const log = createLogBuffer({
      clock,
      onLines: (batch, dropped) => emit('server.logged', { name, lines: [...batch], dropped }),
      keep: logFile.add,
      known: this.#options.mask,
    })
    const monitor = this.#monitorOf(name)
    const doctor = createDoctor({ server: name, clock, log, monitor })
    const running = createRunningProcesses()
    const attribution = createRequestAttribution(broker)
    const after = this.#leaving.get(name)
    const signIn = this.#signInOf(name, attribution, log)
    // What is held from the last run shows before it is needed; a definition whose values are asked for waits for its start.
    if (inputsIn(definition).length === 0 && 'url' in definition)
      broker.accountLoading(
        name,
        signIn.session(definition).then((session) => session?.loaded),
      )
    const server: Server = createServer(name, definition, {
      ...this.#options,
      ...this.#shared,
      audit: withAccount(this.#shared.audit, signIn),
      broker: { ...broker, ...attribution.broker },
      attribution,
      folderOf: environment.folder,
      log,
      logFile,
      doctor,
      connect: opener({ server: name, log, signIn, recorder: doctor.recorder, running, monitor }),
      running,
      monitor,
      signIn,
      onChange: () => {
        if (this.#servers.get(name) === server) this.changed(name)
      },
      onUpdated: (uri) => emit('server.resourceUpdated', { name, uri }),
      ...defined({ after }),
    })
    this.#servers.set(name, server)
  }

  #monitorOf(name: string): SandboxMonitor {
    const { store, clock, emit, log, maskHost } = this.#options
    let unanswered = 0
    const journal = createAttemptJournal({
      server: name,
      store,
      clock,
      onChange: (attempts) => {
        emit('server.sandboxAttempt', { name, attempts: [...attempts] })
        const now = journal.unanswered()
        if (now === unanswered) return
        unanswered = now
        if (this.#servers.get(name)?.monitor === monitor) this.changed(name)
      },
      onUnwritten: (error) => log.error(`What the sandbox of ${name} blocked could not be kept`, error),
    })
    unanswered = journal.unanswered()
    const monitor = createSandboxMonitor({ journal, clock, maskHost })
    return monitor
  }

  #signInOf(name: string, attribution: RequestAttribution, log: LogBuffer): ServerAuth {
    const { audit, proxies, openerOptions, resolveBuiltinVariables } = this.#shared
    const definitions = () => [...this].map(([one, { supervisor }]): [string, ServerDefinition] => [one, supervisor.definition])
    const signIn: ServerAuth = createServerAuth(name, {
      ...this.#options,
      inherits: () => (this.#options.scope ?? '') === '' && inheritsSignIn(name, definitions(), audit),
      released: this.#released.get(name),
      broker: attribution.broker,
      onAccount: (account, change) => {
        if (this.#servers.get(name)?.signIn === signIn) this.#options.broker.signedInAs(name, account, change)
      },
      waits: attribution.waits,
      proxies,
      log,
      fill: (current) => fillDefinition(openerOptions, name, resolveBuiltinVariables(name, current), log),
      onChange: () => {
        const server = this.#servers.get(name)
        if (server?.signIn !== signIn) return
        server.supervisor.signingIn(signIn.asking)
        this.changed(name)
      },
    })
    return signIn
  }

  #startIfAtLaunch({ supervisor }: Server): void {
    if (!supervisor.definition.enabled || supervisor.definition.start !== 'launch') return
    supervisor
      .ready('launch')
      .catch((error: unknown) => this.#options.log.debug(`A server did not start: ${error instanceof Error ? error.message : error}`))
  }

  #remove(name: string, server: Server): void {
    const { store, emit, log } = this.#options
    this.#servers.delete(name)
    this.#options.broker.signedInAs(name, undefined)
    // Another server may get this name: it must not be taken for this one. What was switched off stays off.
    server.catalogue.forget()
    store.putSession(name, undefined)
    server.logFile.discard()
    server.monitor.journal.clear()
    this.#shared.inspectors.remove(name)
    const signedIn = server.signIn.release()
    const released = signedIn.catch(() => undefined)
    this.#released.set(name, released)
    const gone = Promise.all([server.supervisor.stop('user'), signedIn])
      .then(() => undefined)
      .catch((error: unknown) => log.error(`The server ${name} could not be ended`, error))
      .finally(() => {
        server.log.dispose()
        if (this.#leaving.get(name) === gone) this.#leaving.delete(name)
      })
    this.#leaving.set(name, gone)
    emit('server.removed', { name })
  }

  #warn(): string[] {
    const before = this.#warnings
    this.#warnings = serverWarnings(
      new Map([...this.#servers].map(([name, { supervisor }]) => [name, supervisor.definition])),
      this.#options,
    )
    return changedWarnings(before, this.#warnings)
  }
}
