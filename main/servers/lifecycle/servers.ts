// The servers for the rest of the host: requests by name go to the right server. Signing in to a server that is up restarts it,
// for a session belongs to the account that it was begun with; one that is down asks at its start. A turn waits for the first lists
// of servers that nobody stopped, refused or saw fail.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Skill } from '@modelcontextprotocol/client/ext/skills'
import type { AwaitedServer } from '#app/chat/conversation.ts'
import { HostError } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import { toolInterface } from '#app/mcp-apps/tool-interface.ts'
import type { Catalogue, ToolEntry } from '#app/server/catalogue.ts'
import type { Completion, CompletionQuery } from '#app/server/completion.ts'
import { isLocal, type ServerDefinition } from '#app/server/definition.ts'
import type { DoctorReport, PathSource } from '#app/server/doctor.ts'
import type { AnswerEffect, AttemptAnswer, AttemptTarget, ListedAttempt } from '#app/server/sandbox/sandbox-report.ts'
import type { SandboxSettings } from '#app/server/sandbox/sandbox-settings.ts'
import type { LastError, ProcessList, ServerActivity } from '#app/server/server-activity.ts'
import type { LogLevel, LogLine, ServerState } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import type { ApprovedCall } from '#main/consent/approved.ts'
import type { LaunchQuestion, RequestCause } from '#main/consent/broker-api.ts'
import type { OpenerOptions } from '#main/servers/client/connection/open-connection.ts'
import { signInFailed } from '../auth/auth-errors.ts'
import type { AuthSession } from '../auth/auth-session.ts'
import { cancelTask } from '../client/calls/follow-task.ts'
import { isSkillCall } from '../client/calls/resource-calls.ts'
import type { SkillText } from '../client/catalogue/skills.ts'
import type { CallContext, CallOptions, CallOutcome, MadeTask, OfferedTool } from '../client/requests/running-calls.ts'
import { productOf } from '../doctor/known-launchers.ts'
import { listProcesses } from '../process/list-process-tree.ts'
import { type ConnectionTest, type ConnectionTestRequest, startConnectionTest } from './connection-test/connection-test.ts'
import { previewLaunch } from './launch.ts'
import type { Server } from './server.ts'
import { createSharedServices, ServerSet, type SharedServices } from './server-set.ts'
import type { ServersContext } from './servers-context.ts'
import type { Supervisor } from './supervisor.ts'

type Cancellable = Pick<CallOptions, 'signal'>

interface AwaitedLists extends Cancellable {
  readonly conversationId?: string | undefined
  /** Cause of the starts; default: the conversation. */
  readonly cause?: RequestCause
  readonly wanted: (server: string) => boolean
  readonly onWaiting: (servers: readonly AwaitedServer[]) => void
}

async function awaitLists(
  set: ServerSet,
  { conversationId, cause = { conversationId }, signal, wanted, onWaiting }: AwaitedLists,
): Promise<void> {
  const unknown = [...set].filter(([name, { catalogue }]) => catalogue.current().fetchedAt === undefined && wanted(name))
  for (const [, server] of unknown) if (isForNow(server)) void begun(server)
  await nextTurn() // What fails at once has failed.
  const left = new Map(unknown.filter(([, server]) => isComing(server)))
  if (left.size === 0 || signal.aborted) return
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const tell = (): void => onWaiting([...left].map(([name, server]) => ({ name, asked: isAsked(server) })))
  const stop = set.onChanged(tell)
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
    const leave = attribution.add(cause)
    return supervisor.ready('launch').then(
      () => void leave(),
      () => void leave(),
    )
  }
}

const isForNow = ({ supervisor: { state } }: Server): boolean =>
  state.kind === 'stopped' && (state.reason === 'never-started' || state.reason === 'idle')

const isComing = ({ supervisor: { state } }: Server): boolean =>
  state.kind === 'starting' || state.kind === 'waiting' || (state.kind === 'stopping' && state.next === 'starting')

/** Whether the server waits for the person: for an answer to its launch, or a sign-in. */
const isAsked = ({ supervisor: { state } }: Server): boolean =>
  state.kind === 'waiting' || (state.kind === 'starting' && state.step === 'signing-in')

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

function expectStarts({ variables, guard, clock }: Pick<OpenerOptions, 'variables' | 'guard' | 'clock'>, servers: ServerSet): void {
  const definitions = [...servers].map(([, { supervisor }]) => supervisor.definition)
  if (!definitions.some(({ enabled, transport }) => enabled && transport === 'stdio')) return
  guard.ready()
  // The start itself says what is wrong.
  for (const ready of [variables(), import('#main/servers/client/catalogue/warm-up.ts').then(({ warmUp }) => warmUp(clock))])
    ready.catch(() => undefined)
}

export type Servers = ReturnType<typeof createServers>

export function createServers(context: ServersContext) {
  const shared = createSharedServices(context, (name) => set.changed(name))
  const set = new ServerSet(context, shared)
  let disposed: Promise<void> | undefined
  return {
    ...offersOf(set),
    ...lifecycleOf(set, shared),
    ...observationsOf(set, shared),
    ...signInsOf(set),
    ...sandboxesOf(set, shared),
    ...requestsTo(set, { ...shared, clock: context.clock }),
    ...previewsOf(shared),
    connectionTests: shared.connectionTests,
    testConnection(question: ConnectionTestRequest): ConnectionTest {
      set.mustBeOpen()
      const { environment, openerOptions: opener } = shared
      return startConnectionTest(question, { ...context, ...shared, folderOf: environment.folder, opener })
    },
    configure: (definitions: ReadonlyMap<string, ServerDefinition>): void => set.configure(definitions),
    dispose: (): Promise<void> => (disposed ??= set.dispose().then(() => endShared(shared))),
  }
}

async function endShared({ inspectors, files, checker, guard, ledger }: SharedServices): Promise<void> {
  inspectors.dispose()
  await files.dispose()
  await Promise.all([checker.dispose(), guard.dispose()])
  ledger.dispose()
}

const offersOf = (set: ServerSet) => ({
  /** The enabled tools of enabled servers, running or remembered, in a stable order, without those for views alone. */
  tools: (): OfferedTool[] =>
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
  /** Starts the servers whose tools nobody knows yet. Resolves when each has started, failed or was refused, and on abort. */
  listed: (options: AwaitedLists): Promise<void> => awaitLists(set, options),
  instructions: (): { readonly server: string; readonly text: string }[] =>
    set.names().flatMap((name) => {
      const supervisor = set.find(name)?.supervisor
      const text = supervisor?.definition.enabled ? supervisor.session?.instructions : undefined
      return text ? [{ server: name, text }] : []
    }),
  catalogue(name: string): Catalogue {
    const server = set.known(name)
    server.queries.needed()
    return server.catalogue.current()
  },
  setToolEnabled: (name: string, tool: string, enabled: boolean): void => set.known(name).catalogue.setEnabled(tool, enabled),
})

const lifecycleOf = (set: ServerSet, { environment, variables, openerOptions }: SharedServices) => ({
  startAtLaunch(): void {
    set.startAtLaunch()
    expectStarts(openerOptions, set)
  },
  /**
   * Resolves when it is ready. One start is ever in flight; further callers share it. `cause`: what it is asked for, if not in a window.
   * @throws {HostError} why it is not
   */
  async start(name: string, cause?: RequestCause): Promise<void> {
    const { signIn, supervisor, attribution } = set.known(name)
    signIn.forgive()
    const leave = cause && attribution.add(cause)
    try {
      await supervisor.ready('person')
    } finally {
      leave?.()
    }
  },
  stop: async (name: string): Promise<void> => set.known(name).supervisor.stop('user'),
  async restart(name: string): Promise<void> {
    set.known(name).signIn.forgive()
    await set.known(name).supervisor.restart()
  },
  offerUpdate: (name: string): Promise<boolean> => set.known(name).supervisor.offerUpdate(),
  /** Approves the server's launch with another sandbox, from its next start on. @throws {HostError} as `ConsentBroker.setSandbox` */
  async setSandbox(name: string, settings: SandboxSettings): Promise<void> {
    await set.known(name).supervisor.setSandbox(settings)
    set.changed(name)
  },
  /** Asks the person's shell for PATH and variables anew. @throws {HostError} `environment.no-answer` */
  async readEnvironment(): Promise<{ readonly folders: number; readonly source: PathSource }> {
    const { folders, source } = await environment.readAgain()
    await variables()
    return { folders: folders.length, source }
  },
  /** More or less is known of the values that these servers need. */
  inputsChanged(names: readonly string[]): void {
    for (const name of names) set.changed(name)
  },
  /** The folders that servers, or this one, may be told of are not those of before. */
  rootsChanged(name?: string): void {
    for (const [known, server] of set) if (name === undefined || name === known) server.queries.rootsChanged()
  },
})

const previewsOf = ({ environment, inputs, packages, proposeSandbox, resolveBuiltinVariables }: SharedServices) => ({
  /** The question that a start of a server would ask, before it is saved. `values`: of its inputs. @throws {HostError} as `previewLaunch` */
  previewLaunch: async (
    name: string,
    definition: ServerDefinition,
    values: ReadonlyMap<string, string>,
    { signal }: Cancellable,
  ): Promise<LaunchQuestion | undefined> =>
    previewLaunch(
      {
        ...{ name, packages, proposeSandbox, folderOf: environment.folder },
        resolveBuiltinVariables: (current) => resolveBuiltinVariables(name, current),
        inputValues: (current) => inputs.values(name, current, values),
      },
      definition,
      signal,
    ),
  /** Name of what has to be installed before a server can start; undefined: its command is there. */
  async missingProgram(name: string, definition: ServerDefinition): Promise<string | undefined> {
    if (definition.transport !== 'stdio') return undefined
    try {
      await environment.prepare(resolveBuiltinVariables(name, definition))
      return undefined
    } catch (error) {
      return error instanceof HostError && error.code === 'server.command-not-found' ? productOf(definition.command) : undefined
    }
  },
})

const observationsOf = (set: ServerSet, { statistics, inspectors }: SharedServices) => ({
  views: (): ServerSummary[] => set.names().flatMap((name) => set.view(name) ?? []),
  view: (name: string): ServerSummary | undefined => set.view(name),
  doctor: (name: string): DoctorReport => set.known(name).report(),
  log(name: string): { readonly lines: LogLine[]; readonly dropped: number } {
    const { log: lines } = set.known(name)
    return { lines: [...lines.lines()], dropped: lines.dropped }
  },
  note: (name: string, level: LogLevel, text: string): void => set.known(name).log.add({ source: 'host', level, text }),
  activity: (name: string): ServerActivity => activityOf(set.known(name).history, statistics.of(name)),
  async processes(name: string): Promise<ProcessList> {
    const { supervisor, running, log: lines } = set.known(name)
    const { state } = supervisor
    // A process of the shell's own kind is known by the connection alone.
    const others = state.kind === 'ready' && state.pid !== undefined ? [state.pid] : []
    return listProcesses([...running.pids(), ...others], lines.masked)
  },
  inspector: inspectors.of,
  earlierLog: async (name: string): Promise<LogLine[]> => set.known(name).logFile.earlier(),
})

type History = ReturnType<ServerSet['known']>['history']

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

function signInsOf(set: ServerSet) {
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
    /** Signs in, also to another account; resolves once it is ready. @throws {HostError} `server.sign-in-*`, or with why it does not start */
    signIn: async (name: string): Promise<void> => signInNow(set.known(name).supervisor, await mustSignIn(name)),
    /** Stops the server and forgets its tokens; `revoked`: their issuer was told, and took them back. */
    async signOut(name: string): Promise<{ readonly revoked: boolean }> {
      const session = await mustSignIn(name)
      const { supervisor, catalogue } = set.known(name)
      // What goes on in it goes on in that person's name.
      if (isUp(supervisor.state)) await supervisor.stop('user')
      // Lists that the server gave to this account alone are not another's.
      if (catalogue.current().cacheScope === 'private') catalogue.forget()
      return { revoked: await session.signOut() }
    },
    /** Gives a server's tokens to the name that it is about to get. Returns what undoes it. */
    async moveSignIn(from: string, to: string): Promise<() => Promise<void>> {
      // One whose values are missing was not signed in either.
      const session = await sessionOf(from).catch(() => undefined)
      return (await session?.moveTo(to)) ?? (async () => undefined)
    },
    /** Calls off the sign-in that is under way; whoever waits for it gets `server.sign-in-refused`. */
    cancelSignIn: async (name: string): Promise<void> => (await sessionOf(name))?.cancel(),
    /** Takes the address that the browser ended at, where it cannot reach this machine. @throws {HostError} `contract.invalid` for another one */
    finishSignIn: async (name: string, address: string): Promise<void> => (await mustSignIn(name)).finish(address),
  }
}

const sandboxesOf = (set: ServerSet, { allowance }: SharedServices) => ({
  /** Attempts of the server in the last days, the latest first. */
  sandboxAttempts(name: string): { readonly attempts: ListedAttempt[]; readonly lost: number } {
    const { journal } = set.known(name).monitor
    return { attempts: journal.list().map((one) => ({ ...one, allowance: allowance(one) })), lost: journal.lost() }
  },
  clearSandboxAttempts: (name: string): void => set.known(name).monitor.journal.clear(),
  /** Lets an answer of the person hold. */
  answerSandboxAttempt: (name: string, attempt: AttemptTarget, answer: AttemptAnswer): AnswerEffect['holds'] =>
    set.known(name).monitor.answer(attempt, answer),
})

const requestsTo = (set: ServerSet, { audit, clock }: Pick<SharedServices, 'audit'> & Pick<ServersContext, 'clock'>) => ({
  /** Starts the server if need be. @throws {HostError} @throws {ProtocolError} one that came over the wire */
  call: async (call: ApprovedCall, context: CallContext): Promise<CallOutcome> => set.known(call.server).call(call, context),
  /** Follows the task of a call of an earlier run to its end. */
  resumeTask: async (context: CallContext, task: MadeTask): Promise<CallOutcome> =>
    set.known(context.server).resumeTask(context.tool, task, context),
  /** Tells the server that nobody waits for that task any more. */
  callOff: async (name: string, taskId: string, { signal }: Cancellable): Promise<void> =>
    set.known(name).use((on) => cancelTask(on, taskId, clock), signal),
  readResource: async (name: string, uri: string, { signal }: Cancellable): Promise<JsonObject> =>
    set.known(name).queries.read(uri, signal),
  getPrompt: async (name: string, prompt: string, args: Readonly<Record<string, string>>, { signal }: Cancellable): Promise<JsonObject> =>
    set.known(name).queries.getPrompt(prompt, args, signal),
  /** Suggestions for what is being typed. @throws {HostError} `cancelled` when a later question about the same argument came */
  complete: async (name: string, query: CompletionQuery, { signal }: Cancellable): Promise<Completion> =>
    set.known(name).queries.complete(query, signal),
  /** Milliseconds. @throws {HostError} `server.not-offered` for a server of 2026-07-28, which knows no ping */
  ping: async (name: string, { signal }: Cancellable): Promise<number> => set.known(name).queries.ping(signal),
  /** `server.resourceUpdated` tells of its changes, also after the server was started anew, until it is stopped. */
  subscribe: async (name: string, uri: string, { signal }: Cancellable): Promise<void> => set.known(name).queries.subscribe(uri, signal),
  unsubscribe: async (name: string, uri: string, { signal }: Cancellable): Promise<void> =>
    set.known(name).queries.unsubscribe(uri, signal),
  /** Remembered for that server, and told to it if it runs. */
  setLogLevel: async (name: string, level: LogLevel, { signal }: Cancellable): Promise<void> =>
    set.known(name).queries.setLogLevel(level, signal),
  skills: async (name: string, { signal }: Cancellable): Promise<Skill[]> =>
    set.known(name).use((await import('../client/catalogue/skills.ts')).listSkills, signal),
  /** Definition of the call that lists, reads or looks up what is no tool; undefined: a skill that the server does not list. */
  readCall: async (name: string, call: string, { signal }: Cancellable): Promise<ToolEntry | undefined> => {
    const server = set.known(name)
    if (!isSkillCall(call)) return server.resources.entry(call)
    return server.use((on, limited) => server.resources.findSkill(on, call, limited), signal)
  },
  /** One file of a skill, checked against the list; `file` undefined: its SKILL.md. */
  readSkill: async (name: string, uri: string, file: string | undefined, { signal }: Cancellable): Promise<SkillText> =>
    set
      .known(name)
      .use(async (on, limited) => (await import('../client/catalogue/skills.ts')).readSkill(on, { uri, file }, audit, limited), signal),
})
