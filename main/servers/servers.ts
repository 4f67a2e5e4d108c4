// All configured servers: what is asked of them by name goes to the right one, and what is configured anew becomes the
// smallest change of what runs.
import { toolInterface } from '#app/apps/tool-interface.ts'
import { HostError } from '#app/errors.ts'
import type { LastError } from '#app/server/activity.ts'
import { isLocal, type ServerDefinition } from '#app/server/definition.ts'
import { inputsIn } from '#app/server/references.ts'
import type { ServerView } from '#app/server/view.ts'
import { t } from '#app/words/translate.ts'
import type { AuditStore } from '#main/store/types.ts'
import { createCallStatistics } from './calls/call-statistics.ts'
import { createCauses } from './causes.ts'
import { createOpener, expectStarts, fillDefinition } from './connection/open-connection.ts'
import { createWaits } from './connection/waits.ts'
import { createDoctor } from './doctor/doctor.ts'
import { proxiesIn } from './http/dispatchers.ts'
import { fillPlaces } from './inputs/fill.ts'
import { createInputs } from './inputs/inputs.ts'
import { memoryInputStore } from './inputs/store.ts'
import { createInspectors } from './inspector/inspectors.ts'
import { createLogBuffer } from './logs/log-buffer.ts'
import { createLogFiles } from './logs/log-files.ts'
import { createProcessLedger } from './processes/ledger.ts'
import { listProcesses } from './processes/process-list.ts'
import { createRunningProcesses } from './processes/running.ts'
import { createServer, type Server } from './server.ts'
import { changedWarnings, serverWarnings } from './server-warnings.ts'
import type { ServersOptions } from './servers-options.ts'
import { signInFailed } from './sign-in/failures.ts'
import { inheritsSignIn } from './sign-in/inherits.ts'
import { createServerSignIn, type Released } from './sign-in/server-sign-in.ts'
import type { SignInSession } from './sign-in/session.ts'
import { isUp, signInNow } from './sign-in/sign-in-now.ts'
import { createEnvironment } from './stdio/environment.ts'
import { createProcessGuard } from './stdio/guard.ts'
import { createTrials } from './trial/trials.ts'
import { tryOut } from './trial/try-out.ts'
import type { Servers } from './types.ts'
import { awaitLists } from './upkeep/await-lists.ts'
import { createRemoteCare } from './upkeep/remote-care.ts'
import { createStartTurns } from './upkeep/start-turns.ts'
import { createSchemaChecker } from './validation/check.ts'

/** One check of a structured result against its schema may take this long. */
const checkLimitMs = 2000

export function createServers(options: ServersOptions): Servers {
  const { store, clock, emit, log } = options
  const checker = createSchemaChecker({ limitMs: checkLimitMs })
  const guard = createProcessGuard()
  const ledger = createProcessLedger({ dataDir: options.dataDir, log })
  const files = createLogFiles({ dataDir: options.dataDir, clock, log })
  const statistics = createCallStatistics(options.audit, clock)
  const audit: AuditStore = {
    ...options.audit,
    append(entry) {
      const row = options.audit.append(entry)
      statistics.add(row)
      return row
    },
  }
  const inputs = options.inputs ?? createInputs({ secrets: memoryInputStore() })
  const environment = options.environment ?? createEnvironment()
  let variablesNow = options.variables ?? process.env
  const variables = async () => (variablesNow = options.variables ?? (await environment.variables()))
  const inspectors = createInspectors({ clock, emit, mask: options.mask ?? String, onMode: changed })
  const openerOptions = { ...options, environment, variables, inputs, guard, ledger, inspectors }
  const opener = createOpener(openerOptions)
  const care = options.care ?? createRemoteCare({ clock })
  const turns = createStartTurns({ clock })
  const trials = createTrials({ clock })
  const servers = new Map<string, Server>()
  /** Servers that were taken out of the configuration and are still being ended. */
  const leaving = new Map<string, Promise<void>>()
  /** What servers were signed in with that were taken out in this run. */
  const released = new Map<string, Promise<Released | undefined>>()
  let warnings = new Map<string, string[]>()
  let configured = false
  let disposed: Promise<void> | undefined

  const known = (name: string): Server => {
    const server = servers.get(name)
    if (disposed !== undefined) throw new HostError('server.stopped', t`Assent is closing.`, { data: { server: name } })
    if (server) return server
    throw new HostError('server.unknown', t`There is no server named “${name}”.`, { data: { server: name } })
  }
  const sessionOf = async (name: string): Promise<SignInSession | undefined> => {
    const { signIn, supervisor } = known(name)
    return signIn.session(supervisor.definition)
  }
  const mustSignIn = async (name: string): Promise<SignInSession> => {
    const session = await sessionOf(name)
    if (session) return session
    throw signInFailed(name, 'not-offered')
  }
  const place = <T extends ServerDefinition>(name: string, current: T): T => fillPlaces(name, current, { folder: options.folder?.() }) as T
  const view = (name: string): ServerView | undefined => servers.get(name)?.view(warnings.get(name) ?? [], inspectors.mode(name))
  const definitions = () => [...servers].map(([name, { supervisor }]): [string, ServerDefinition] => [name, supervisor.definition])
  const names = (): string[] => [...servers.keys()].sort((a, b) => (a < b ? -1 : 1))

  const listeners = new Set<() => void>()
  const onChanged = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  function changed(name: string): void {
    for (const listener of listeners) listener()
    const server = view(name)
    if (server) emit('server.changed', { server })
  }

  function add(name: string, definition: ServerDefinition): Server {
    const logFile = files.of(name)
    const lines = createLogBuffer({
      clock,
      onLines: (batch, dropped) => emit('server.logged', { name, lines: [...batch], dropped }),
      keep: logFile.add,
    })
    const doctor = createDoctor({ server: name, clock, log: lines })
    const running = createRunningProcesses()
    const causes = createCauses(options.broker)
    const after = leaving.get(name)
    const onChange = (): void => {
      if (servers.get(name) === server) changed(name)
    }
    const signIn = createServerSignIn(name, {
      ...options,
      inherits: () => (options.scope ?? '') === '' && inheritsSignIn(name, definitions(), audit),
      released: released.get(name),
      broker: causes.broker,
      waits: createWaits(),
      proxies: () => proxiesIn(variablesNow),
      log: lines,
      fill: (current) => fillDefinition(openerOptions, name, place(name, current), lines),
      onChange() {
        if (servers.get(name) !== server) return
        server.supervisor.signingIn(signIn.asking)
        changed(name)
      },
    })
    // What is held from the last run shows before it is needed; a definition whose values are asked for waits for its start.
    if (inputsIn(definition).length === 0) signIn.session(definition).catch(() => undefined) // Its start says why.
    const server: Server = createServer(name, definition, {
      ...options,
      broker: { ...options.broker, ...causes.broker },
      causes,
      audit,
      care,
      checker,
      inputs,
      turns,
      fillPlaces: place,
      folderOf: environment.folder,
      log: lines,
      logFile,
      doctor,
      connect: opener({ server: name, log: lines, signIn, recorder: doctor.recorder, running }),
      running,
      signIn,
      onChange,
      onUpdated: (uri) => emit('server.resourceUpdated', { name, uri }),
      ...(after === undefined ? {} : { after }),
    })
    servers.set(name, server)
    return server
  }

  function startIfAtLaunch({ supervisor: { definition, ready } }: Server): void {
    if (!definition.enabled || definition.start !== 'launch') return
    // Its state says what went wrong, and so does the page.
    ready('launch').catch((error: unknown) => log.debug(`A server did not start: ${error instanceof Error ? error.message : error}`))
  }

  function remove(name: string, server: Server): void {
    servers.delete(name)
    // Another server may get this name: it must not be taken for this one. What was switched off stays off.
    server.catalogue.forget()
    store.putSession(name, undefined)
    server.logFile.discard()
    inspectors.remove(name)
    const signedIn = server.signIn.release()
    released.set(
      name,
      signedIn.catch(() => undefined),
    )
    const gone = Promise.all([server.supervisor.stop('user'), signedIn])
      .then(() => undefined)
      .catch((error: unknown) => log.error(`The server ${name} could not be ended`, error))
      .finally(() => {
        server.log.dispose()
        if (leaving.get(name) === gone) leaving.delete(name)
      })
    leaving.set(name, gone)
    emit('server.removed', { name })
  }

  function warn(): string[] {
    const before = warnings
    warnings = serverWarnings(servers.keys(), options.claimsTrust ?? (() => false))
    return changedWarnings(before, warnings)
  }

  return {
    views: () => names().flatMap((name) => view(name) ?? []),
    view,
    tools: () =>
      names().flatMap((name) => {
        const server = servers.get(name)
        if (!server?.supervisor.definition.enabled) return []
        const { trusted } = server.supervisor.definition
        const local = isLocal(server.supervisor.definition)
        server.utilities.needed()
        return server.catalogue
          .current()
          .tools.filter((tool) => tool.enabled && toolInterface(tool).forModel)
          .map((tool) => ({ server: name, tool, trusted, local }))
      }),
    listed: (of) => awaitLists(servers, { ...of, onChanged }),
    instructions: () =>
      names().flatMap((name) => {
        const supervisor = servers.get(name)?.supervisor
        const text = supervisor?.definition.enabled ? supervisor.session?.instructions : undefined
        return text ? [{ server: name, text }] : []
      }),
    catalogue(name) {
      const server = known(name)
      server.utilities.needed()
      return server.catalogue.current()
    },
    doctor: (name) => known(name).report(),
    log(name) {
      const { log: lines } = known(name)
      return { lines: [...lines.lines()], dropped: lines.dropped }
    },
    note: (name, level, text) => known(name).log.add({ source: 'host', level, text }),
    activity(name) {
      const { counts, lastFailure } = known(name).history
      const { run, day, lastFailed } = statistics.of(name)
      const failedCall: LastError | undefined = lastFailed && {
        kind: 'call',
        at: lastFailed.time,
        tool: lastFailed.tool,
        code: lastFailed.code,
      }
      const last = lastFailure && failedCall ? (lastFailure.at > failedCall.at ? lastFailure : failedCall) : (lastFailure ?? failedCall)
      return { counts, run, day, ...(last ? { lastError: last } : {}) }
    },
    async processes(name) {
      const { supervisor, running, log: lines } = known(name)
      const { state } = supervisor
      // A process of the shell's own kind is known by the connection alone.
      const others = state.kind === 'ready' && state.pid !== undefined ? [state.pid] : []
      return listProcesses([...running.pids(), ...others], lines.masked)
    },
    inspector: inspectors.of,
    earlierLog: (name) => known(name).logFile.earlier(),
    startAtLaunch() {
      servers.forEach(startIfAtLaunch)
      expectStarts(openerOptions, servers.values())
    },
    async start(name) {
      known(name).signIn.forgive()
      await known(name).supervisor.ready('person')
    },
    async stop(name) {
      await known(name).supervisor.stop('user')
    },
    async restart(name) {
      known(name).signIn.forgive()
      await known(name).supervisor.restart()
    },
    async readEnvironment() {
      const { folders, source } = await environment.readAgain()
      await variables()
      return { folders: folders.length, source }
    },
    inputsChanged(names) {
      for (const name of names) changed(name)
    },
    signIn: async (name) => signInNow(known(name).supervisor, await mustSignIn(name)),
    async signOut(name) {
      const session = await mustSignIn(name)
      const { supervisor, catalogue } = known(name)
      // What goes on in it goes on in that person's name.
      if (isUp(supervisor.state)) await supervisor.stop('user')
      // Lists that the server gave to this account alone are not another's.
      if (catalogue.current().cacheScope === 'private') catalogue.forget()
      return { revoked: await session.signOut() }
    },
    async moveSignIn(from, to) {
      // One whose values are missing was not signed in either.
      const session = await sessionOf(from).catch(() => undefined)
      return (await session?.moveTo(to)) ?? (async () => undefined)
    },
    cancelSignIn: async (name) => (await sessionOf(name))?.cancel(),
    finishSignIn: async (name, address) => (await mustSignIn(name)).finish(address),
    setToolEnabled: (name, tool, enabled) => known(name).catalogue.setEnabled(tool, enabled),
    call: async (call, callOptions) => known(call.server).call(call, callOptions),
    readResource: async (name, uri, { signal }) => known(name).utilities.read(uri, signal),
    getPrompt: async (name, prompt, args, { signal }) => known(name).ask('prompts/get', { name: prompt, arguments: { ...args } }, signal),
    complete: async (name, query, { signal }) => known(name).utilities.complete(query, signal),
    ping: async (name, { signal }) => known(name).utilities.ping(signal),
    subscribe: async (name, uri, { signal }) => known(name).utilities.subscribe(uri, signal),
    unsubscribe: async (name, uri, { signal }) => known(name).utilities.unsubscribe(uri, signal),
    setLogLevel: async (name, level, { signal }) => known(name).utilities.setLogLevel(level, signal),
    rootsChanged(name) {
      for (const [known, server] of servers) if (name === undefined || name === known) server.utilities.rootsChanged()
    },
    skills: async (name, { signal }) => known(name).use((await import('./catalogue/skills.ts')).listSkills, signal),
    readSkill: async (name, uri, file, { signal }) =>
      known(name).use(async (on, limited) => (await import('./catalogue/skills.ts')).readSkill(on, { uri, file }, audit, limited), signal),
    trials,
    tryOut(question) {
      if (disposed !== undefined) throw new HostError('server.stopped', t`Assent is closing.`)
      const proxies = () => proxiesIn(variablesNow)
      return tryOut(question, {
        ...options,
        audit,
        care,
        checker,
        inputs,
        turns,
        fillPlaces: place,
        folderOf: environment.folder,
        proxies,
        opener: openerOptions,
      })
    },
    configure(definitions) {
      if (disposed !== undefined) return
      for (const [name, server] of servers) if (!definitions.has(name)) remove(name, server)
      const added: string[] = []
      for (const [name, definition] of definitions) {
        const server = servers.get(name)
        if (server) server.supervisor.redefine(definition)
        else {
          add(name, definition)
          added.push(name)
        }
      }
      for (const name of new Set([...added, ...warn()])) changed(name)
      // At the first time the host decides what is started; later a server that was just added is.
      if (configured) for (const name of added) startIfAtLaunch(known(name))
      if (!configured) files.prune(definitions.keys())
      configured = true
    },
    dispose() {
      const run = async (): Promise<void> => {
        const all = [...servers.values()]
        const results = await Promise.allSettled([
          ...all.flatMap((server) => [server.supervisor.stop('quit'), server.signIn.dispose()]),
          ...leaving.values(),
          trials.dispose(),
        ])
        for (const server of all) server.log.dispose()
        inspectors.dispose()
        await files.dispose()
        await Promise.all([checker.dispose(), guard.dispose()])
        ledger.dispose()
        for (const result of results) if (result.status === 'rejected') log.error('A server could not be ended', result.reason)
      }
      disposed ??= run()
      return disposed
    },
  }
}
