// Implements `Servers`: requests by name go to the right server. Signing in to a server that is up restarts it, for a session
// belongs to the account that it was begun with; one that is down asks at its start. A turn waits for the first lists of servers
// that nobody stopped, refused or saw fail.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { toolInterface } from '#app/mcp-apps/tool-interface.ts'
import { isLocal, type ServerDefinition } from '#app/server/definition.ts'
import type { LastError, ServerActivity } from '#app/server/server-activity.ts'
import type { ServerState } from '#app/server/server-state.ts'
import type { OpenerOptions } from '#main/servers/client/connection/open-connection.ts'
import { signInFailed } from '../auth/auth-errors.ts'
import type { AuthSession } from '../auth/auth-session.ts'
import { listProcesses } from '../process/process-list.ts'
import { startConnectionTest } from './connection-test/connection-test.ts'
import type { Server } from './server.ts'
import { createSharedServices, ServerSet, type SharedServices } from './server-set.ts'
import type { Servers } from './servers-api.ts'
import type { ServersContext } from './servers-context.ts'
import type { Supervisor } from './supervisor.ts'

type AwaitedLists = Parameters<Servers['listed']>[0] & {
  /** Told of each change of a server. Returns its undo. */
  readonly onChanged: (listener: () => void) => () => void
}

/** Resolves when each has started, has failed or was refused, and when the signal aborts. */
async function awaitLists(servers: Iterable<readonly [string, Server]>, options: AwaitedLists): Promise<void> {
  const { conversationId, signal, wanted, onWaiting, onChanged } = options
  const unknown = [...servers].filter(([name, { catalogue }]) => catalogue.current().fetchedAt === undefined && wanted(name))
  for (const [, server] of unknown) if (isForNow(server)) void begun(server)
  await nextTurn() // What fails at once has failed.
  const left = new Map(unknown.filter(([, server]) => isComing(server)))
  if (left.size === 0 || signal.aborted) return
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const tell = (): void => onWaiting([...left].map(([name, server]) => ({ name, asked: isAsked(server) })))
  const stop = onChanged(tell)
  const onAbort = (): void => resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  for (const [name, server] of left)
    void begun(server).then(() => {
      left.delete(name)
      if (left.size === 0) resolve()
      else tell()
    })
  tell()
  await over
  signal.removeEventListener('abort', onAbort)
  stop()

  /** Starts it if need be; what it asks meanwhile is asked in this chat. Its state says why it failed. */
  function begun({ supervisor, attribution }: Server): Promise<void> {
    const leave = attribution.add({ conversationId })
    return supervisor.ready('launch').then(
      () => void leave(),
      () => void leave(),
    )
  }
}

function isForNow({ supervisor: { state } }: Server): boolean {
  return state.kind === 'stopped' && (state.reason === 'never-started' || state.reason === 'idle')
}

function isComing({ supervisor: { state } }: Server): boolean {
  return state.kind === 'starting' || state.kind === 'waiting' || (state.kind === 'stopping' && state.next === 'starting')
}

/** Whether the server waits for the person: for an answer to its launch, or a sign-in. */
function isAsked({ supervisor: { state } }: Server): boolean {
  return state.kind === 'waiting' || (state.kind === 'starting' && state.step === 'signing-in')
}

const isUp = ({ kind }: ServerState): boolean => kind === 'ready' || kind === 'starting' || kind === 'waiting'

async function signInNow(supervisor: Supervisor, session: AuthSession): Promise<void> {
  if (supervisor.state.kind === 'ready') {
    await session.signIn({ guess: false })
    await supervisor.restart()
    return
  }
  session.forgive({ anew: true })
  try {
    await supervisor.ready('person')
  } catch (error) {
    session.forgive({ anew: false })
    throw error
  }
  // It began without asking who they are; what it offers to those who say so, they get now.
  if (!session.wanted) return
  await session.signIn({ guess: false })
  await supervisor.restart()
}

/** Prepares what the first start will need: a shell may take long to tell its variables. */
function expectStarts(
  { variables, guard, clock }: Pick<OpenerOptions, 'variables' | 'guard' | 'clock'>,
  servers: Iterable<{ readonly supervisor: { readonly definition: ServerDefinition } }>,
): void {
  if (![...servers].some(({ supervisor: { definition } }) => definition.enabled && definition.transport === 'stdio')) return
  guard.ready()
  // The start itself says what is wrong.
  for (const ready of [variables(), import('#main/servers/client/catalogue/warm-up.ts').then(({ warmUp }) => warmUp(clock))])
    ready.catch(() => undefined)
}

export function createServers(context: ServersContext): Servers {
  const shared: SharedServices = createSharedServices(context, (name) => set.changed(name))
  const set = new ServerSet(context, shared)
  let disposed: Promise<void> | undefined
  return {
    ...offersOf(set),
    ...lifecycleOf(set, shared),
    ...observationsOf(set, shared),
    ...signInsOf(set),
    ...requestsTo(set, shared),
    trials: shared.trials,
    tryOut(question) {
      set.mustBeOpen()
      const { environment, openerOptions: opener } = shared
      return startConnectionTest(question, { ...context, ...shared, folderOf: environment.folder, opener })
    },
    configure: (definitions) => set.configure(definitions),
    dispose() {
      disposed ??= set.dispose().then(() => endShared(shared))
      return disposed
    },
  }
}

async function endShared({ inspectors, files, checker, guard, ledger }: SharedServices): Promise<void> {
  inspectors.dispose()
  await files.dispose()
  await Promise.all([checker.dispose(), guard.dispose()])
  ledger.dispose()
}

/** Tools, lists and instructions. */
const offersOf = (set: ServerSet): Pick<Servers, 'tools' | 'listed' | 'instructions' | 'catalogue' | 'setToolEnabled'> => ({
  tools: () =>
    set.names().flatMap((name) => {
      const server = set.find(name)
      if (!server?.supervisor.definition.enabled) return []
      const { trusted } = server.supervisor.definition
      const local = isLocal(server.supervisor.definition)
      server.queries.needed()
      return server.catalogue
        .current()
        .tools.filter((tool) => tool.enabled && toolInterface(tool).forModel)
        .map((tool) => ({ server: name, tool, trusted, local }))
    }),
  listed: (of) => awaitLists(set, { ...of, onChanged: (listener) => set.onChanged(listener) }),
  instructions: () =>
    set.names().flatMap((name) => {
      const supervisor = set.find(name)?.supervisor
      const text = supervisor?.definition.enabled ? supervisor.session?.instructions : undefined
      return text ? [{ server: name, text }] : []
    }),
  catalogue(name) {
    const server = set.known(name)
    server.queries.needed()
    return server.catalogue.current()
  },
  setToolEnabled: (name, tool, enabled) => set.known(name).catalogue.setEnabled(tool, enabled),
})

type Lifecycle = Pick<Servers, 'startAtLaunch' | 'start' | 'stop' | 'restart' | 'readEnvironment' | 'inputsChanged' | 'rootsChanged'>

const lifecycleOf = (set: ServerSet, { environment, variables, openerOptions }: SharedServices): Lifecycle => ({
  startAtLaunch() {
    set.startAtLaunch()
    expectStarts(
      openerOptions,
      [...set].map(([, server]) => server),
    )
  },
  async start(name) {
    set.known(name).signIn.forgive()
    await set.known(name).supervisor.ready('person')
  },
  async stop(name) {
    await set.known(name).supervisor.stop('user')
  },
  async restart(name) {
    set.known(name).signIn.forgive()
    await set.known(name).supervisor.restart()
  },
  async readEnvironment() {
    const { folders, source } = await environment.readAgain()
    await variables()
    return { folders: folders.length, source }
  },
  inputsChanged(names) {
    for (const name of names) set.changed(name)
  },
  rootsChanged(name) {
    for (const [known, server] of set) if (name === undefined || name === known) server.queries.rootsChanged()
  },
})

type Observations = Pick<Servers, 'views' | 'view' | 'doctor' | 'log' | 'note' | 'activity' | 'processes' | 'inspector' | 'earlierLog'>

const observationsOf = (set: ServerSet, { statistics, inspectors }: SharedServices): Observations => ({
  views: () => set.names().flatMap((name) => set.view(name) ?? []),
  view: (name) => set.view(name),
  doctor: (name) => set.known(name).report(),
  log(name) {
    const { log: lines } = set.known(name)
    return { lines: [...lines.lines()], dropped: lines.dropped }
  },
  note: (name, level, text) => set.known(name).log.add({ source: 'host', level, text }),
  activity: (name) => activityOf(set.known(name).history, statistics.of(name)),
  async processes(name) {
    const { supervisor, running, log: lines } = set.known(name)
    const { state } = supervisor
    // A process of the shell's own kind is known by the connection alone.
    const others = state.kind === 'ready' && state.pid !== undefined ? [state.pid] : []
    return listProcesses([...running.pids(), ...others], lines.masked)
  },
  inspector: inspectors.of,
  earlierLog: (name) => set.known(name).logFile.earlier(),
})

type History = ReturnType<ServerSet['known']>['history']

/** Joins how a server's starts went with how its calls went; the later of the two failures is the last. */
function activityOf({ counts, lastFailure }: History, calls: ReturnType<SharedServices['statistics']['of']>): ServerActivity {
  const { run, day, lastFailed } = calls
  const failedCall: LastError | undefined = lastFailed && {
    kind: 'call',
    at: lastFailed.time,
    tool: lastFailed.tool,
    code: lastFailed.code,
  }
  const last = lastFailure && failedCall ? (lastFailure.at > failedCall.at ? lastFailure : failedCall) : (lastFailure ?? failedCall)
  return { counts, run, day, ...(last ? { lastError: last } : {}) }
}

type SignIns = Pick<Servers, 'signIn' | 'signOut' | 'moveSignIn' | 'cancelSignIn' | 'finishSignIn'>

function signInsOf(set: ServerSet): SignIns {
  const sessionOf = async (name: string): Promise<AuthSession | undefined> => {
    const { signIn, supervisor } = set.known(name)
    return signIn.session(supervisor.definition)
  }
  const mustSignIn = async (name: string): Promise<AuthSession> => {
    const session = await sessionOf(name)
    if (session) return session
    throw signInFailed(name, 'not-offered')
  }
  return {
    signIn: async (name) => signInNow(set.known(name).supervisor, await mustSignIn(name)),
    async signOut(name) {
      const session = await mustSignIn(name)
      const { supervisor, catalogue } = set.known(name)
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
  }
}

type Requests = Pick<
  Servers,
  'call' | 'readResource' | 'getPrompt' | 'complete' | 'ping' | 'subscribe' | 'unsubscribe' | 'setLogLevel' | 'skills' | 'readSkill'
>

const requestsTo = (set: ServerSet, { audit }: SharedServices): Requests => ({
  call: async (call, context) => set.known(call.server).call(call, context),
  readResource: async (name, uri, { signal }) => set.known(name).queries.read(uri, signal),
  getPrompt: async (name, prompt, args, { signal }) => set.known(name).queries.getPrompt(prompt, args, signal),
  complete: async (name, query, { signal }) => set.known(name).queries.complete(query, signal),
  ping: async (name, { signal }) => set.known(name).queries.ping(signal),
  subscribe: async (name, uri, { signal }) => set.known(name).queries.subscribe(uri, signal),
  unsubscribe: async (name, uri, { signal }) => set.known(name).queries.unsubscribe(uri, signal),
  setLogLevel: async (name, level, { signal }) => set.known(name).queries.setLogLevel(level, signal),
  skills: async (name, { signal }) => set.known(name).use((await import('../client/catalogue/skills.ts')).listSkills, signal),
  readSkill: async (name, uri, file, { signal }) =>
    set
      .known(name)
      .use(async (on, limited) => (await import('../client/catalogue/skills.ts')).readSkill(on, { uri, file }, audit, limited), signal),
})
