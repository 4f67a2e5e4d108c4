// Makes a connection of each kind of definition: a command, the server that ships with Assent, or a URL. The SDK is loaded while
// the first process starts.
import { join } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { HttpDefinition, ServerDefinition, StdioDefinition } from '#app/server/definition.ts'
import { fetchedBy } from '#app/server/fetched.ts'
import type { Exit } from '#app/server/server-state.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ServerAuth } from '#main/servers/auth/server-auth.ts'
import type { Inputs } from '#main/servers/config/inputs/input-values.ts'
import { resolveVariables } from '#main/servers/config/inputs/resolve-variables.ts'
import { secretValues } from '#main/servers/config/mask-definition.ts'
import { saysItListens } from '#main/servers/doctor/listening-address.ts'
import type { Environment, PreparedLaunch } from '#main/servers/process/environment/environment.ts'
import type { ProcessLedger } from '#main/servers/process/ledger/ledger.ts'
import { readProcessTree } from '#main/servers/process/list-process-tree.ts'
import type { LogBuffer } from '#main/servers/process/logs/log-buffer.ts'
import type { RunningProcesses } from '#main/servers/process/running-processes.ts'
import type { SandboxMonitor } from '#main/servers/process/sandbox/attempts/sandbox-monitor.ts'
import type { ConfinedLaunch } from '#main/servers/process/sandbox/confined-launch.ts'
import type { Sandbox } from '#main/servers/process/sandbox/sandbox.ts'
import type { BuiltinLauncher, ServerProcess } from '#main/servers/process/server-process.ts'
import { type StartRecorder, whereFound } from '#main/servers/process/start-recorder.ts'
import type { ShutdownGrace } from '#main/servers/process/stdio-limits.ts'
import type { Watchdog } from '#main/servers/process/watchdog.ts'
import { type Passage, passageTo, proxiesIn } from '#main/servers/transport/http/dispatchers.ts'
import type { Inspectors } from '#main/servers/transport/inspector/inspector.ts'
import { type Tap, tappedTransport } from '#main/servers/transport/inspector/wire-tap.ts'
import { type RawTransport, withRawRequests } from '#main/servers/transport/stdio/raw-requests.ts'
import { type LaunchOptions, launchStdio } from '#main/servers/transport/stdio/stdio-process.ts'
import type { AuditStore } from '#main/store/store-api.ts'
import type { ServerRequestHandlers } from '../requests/server-request-handlers.ts'
import type { ProcessConnectOptions } from './connect.ts'
import { type Connection, type ConnectOptions, usualStartMs } from './connection.ts'
import type { ChannelEnd, ServerChannel } from './server-channel.ts'
import type { Trace } from './trace-context.ts'

const exitWords = (server: string, { code, signal }: Exit): string => {
  if (signal !== null) return t`“${server}” was ended by ${signal}.`
  return code === null ? t`“${server}” ended.` : t`“${server}” ended with exit code ${code}.`
}

export interface OpenerOptions {
  readonly audit: Pick<AuditStore, 'append'>
  readonly clock: Clock
  readonly trace?: Trace | undefined
  readonly version: string
  readonly dataDir: string
  readonly handlers: ServerRequestHandlers
  readonly launchBuiltin: BuiltinLauncher
  /** Starts a command; default: a process of its own (`launchStdio`). */
  readonly launchCommand?: ((options: LaunchOptions) => ServerProcess) | undefined
  readonly environment: Environment
  readonly sandbox: Sandbox
  readonly inputs: Inputs
  /** Values of `${env:NAME}` in a definition; the proxies are named there too. */
  readonly variables: () => Promise<Readonly<Record<string, string | undefined>>>
  /** Told of the values that a server is given in confidence, from wherever. */
  readonly onSecrets?: ((values: readonly string[]) => void) | undefined
  /** Absent: what goes over the wire is shown to nobody. */
  readonly inspectors?: Inspectors | undefined
  readonly guard: Watchdog
  readonly ledger: ProcessLedger
  /** How long servers may take to end; default: SAFETY's. */
  readonly grace?: ShutdownGrace
}

interface OpenedFor {
  readonly server: string
  readonly log: LogBuffer
  readonly signIn: ServerAuth
  readonly recorder: StartRecorder
  readonly running: RunningProcesses
  readonly monitor: SandboxMonitor
}

export const createOpener =
  (options: OpenerOptions) =>
  (owner: OpenedFor): Connect =>
  async ({ definition, signal, onNegotiating, onNoise, onFetching, mayLaunch, requests, ...prior }) => {
    const { server, log, signIn, recorder, running } = owner
    const inspector = options.inspectors?.of(server)
    inspector?.connecting(log.masked)
    const tap = inspector?.tap
    const { startTimeoutMs } = definition
    const { waits } = signIn
    const common: ConnectOptions = { ...options, server, requests, steps: recorder, startTimeoutMs, signal, waits, onNegotiating }
    if (definition.transport === 'streamable-http' || definition.transport === 'sse') {
      const whole = await recorder.run('values', () => fillDefinition(options, server, definition, log))
      const { url, headers } = whole
      const proxies = proxiesIn(await options.variables())
      tellPassage(recorder, await passageTo(url, proxies))
      const to = { server, url, headers, clock: options.clock, proxies, signIn: await signIn.use(whole), tap }
      const [{ connectHttp, connectSse }, { httpChannel, sseChannel }] = await Promise.all([
        import('./connect.ts'),
        import('./server-channel.ts'),
      ])
      const http = { ...common, grant: whole.oauth?.grant, open: () => httpChannel(to), openSse: () => sseChannel(to) }
      return definition.transport === 'sse' ? connectSse(http) : connectHttp({ ...http, remembered: prior.remembered })
    }
    const stdio = definition.transport === 'stdio' ? definition : undefined
    owner.monitor.beginStart()
    const prepare = async () =>
      stdio === undefined ? () => tapped(launchDemo(options, server, running), tap) : prepareCommand(options, stdio, owner, { tap, signal })
    const launches = new AbortController()
    const limit = stdio && mayFetch(stdio) ? (startTimeoutMs ?? usualStartMs) : undefined
    const connecting = connectLaunched({
      ...common,
      ...prior,
      ...(limit === undefined ? {} : { startTimeoutMs: limit + mostFetchMs }),
      async launch() {
        signal.throwIfAborted()
        // What an earlier run left behind may hold a port or a file that this one needs.
        await options.ledger.reaped
        const start = await prepare()
        await mayLaunch()
        signal.throwIfAborted()
        const channel = recorded(server, start(), owner, onNoise)
        if (limit === undefined) return channel
        return withoutFetch(channel, { server, ms: limit, clock: options.clock, signal: launches.signal, onFetching })
      },
    })
    return connecting.finally(() => launches.abort())
  }

/** Milliseconds that a launcher may fetch, and between two looks at it. */
const mostFetchMs = 10 * 60_000
const lookMs = 1000

/** Tells a launcher that fetches in the course of the start: without a sandbox nothing is installed before. Docker’s tells nobody of it. */
function mayFetch({ command, args, sandbox }: StdioDefinition): boolean {
  const kind = sandbox?.kind === 'on' || process.platform === 'win32' ? undefined : fetchedBy(command, args)?.kind
  return kind !== undefined && kind !== 'image'
}

interface FetchLimit {
  readonly server: string
  /** Limit of the start, in which no time counts that the launcher is alone, which then fetches what it runs. */
  readonly ms: number
  readonly clock: Clock
  /** Aborts when the start is over. */
  readonly signal: AbortSignal
  readonly onFetching: (on: boolean) => void
}

/** Ends the channel of a server that did not answer in its time. */
function withoutFetch(channel: RecordedChannel, { server, ms, clock, signal, onFetching }: FetchLimit): RecordedChannel {
  const { pid } = channel
  if (pid === undefined) return channel
  const { promise: lapsed, resolve: lapse } = Promise.withResolvers<ChannelEnd>()
  let left = ms
  let fetches = false
  let isOver = false
  void channel.ended.then(() => {
    isOver = true
  })
  const look = async (): Promise<void> => {
    const tree = channel.answered() ? undefined : await readProcessTree(pid).catch(() => undefined)
    if (isOver || signal.aborted) return
    const alone = tree?.length === 1
    if (alone !== fetches) onFetching(alone)
    fetches = alone
    if (!alone) left -= lookMs
    if (left > 0) return void clock.after(lookMs, () => void look())
    lapse({ error: new HostError('server.start-timeout', t`“${server}” did not answer in time.`, { data: { server, timeoutMs: ms } }) })
    await channel.close()
  }
  clock.after(lookMs, () => void look())
  return { ...channel, ended: Promise.race([lapsed, channel.ended]) }
}

type RecordedChannel = ServerChannel<RawTransport> & { readonly answered: () => boolean }

function tellPassage(recorder: StartRecorder, { proxy, passedOver }: Passage): void {
  if (proxy !== undefined) recorder.step('proxy')(true, proxy)
  else if (passedOver !== undefined) recorder.step('proxy')(true, t`the SOCKS proxy ${passedOver} is not used`)
}

/** The SDK is loaded while the first process starts: it has something to say only a while later. */
async function connectLaunched(options: ProcessConnectOptions): Promise<Connection> {
  const first = await options.launch()
  const { connectProcess } = await import('./connect.ts').catch(async (error: unknown) => {
    await first.close()
    throw error
  })
  let begun: typeof first | undefined = first
  return connectProcess({
    ...options,
    async launch() {
      const link = begun ?? (await options.launch())
      begun = undefined
      return link
    },
  })
}

/** Fills in all values; from here on none of them turns up in the log. */
export async function fillDefinition<T extends StdioDefinition | HttpDefinition>(
  { inputs, variables, onSecrets }: Pick<OpenerOptions, 'inputs' | 'variables' | 'onSecrets'>,
  server: string,
  definition: T,
  log: LogBuffer,
): Promise<T> {
  const values = await inputs.values(server, definition)
  log.mask([...values.values()])
  const whole = resolveVariables(server, definition, { environment: await variables(), inputs: values })
  log.mask(secretValues(definition, whole))
  // A folder of the person's that was filled in is no secret: only what a name says, or a reference to one.
  onSecrets?.([...values.values(), ...secretValues(whole, whole)])
  return whole
}

/** Nobody is asked: it is trusted as Assent itself is. What cannot be put on record is not started all the same. */
function launchDemo(
  { audit, launchBuiltin, dataDir, guard, ledger, grace }: OpenerOptions,
  server: string,
  running: RunningProcesses,
): ServerProcess {
  audit.append({ kind: 'launch', server, decision: 'allowed', by: 'policy', detail: { builtin: 'demo' } })
  return launchBuiltin('demo', { ASSENT_DEMO_DIR: join(dataDir, 'demo') }, { watches: [guard, ledger, running], grace })
}

function tapped(process: ServerProcess, tap: Tap | undefined): ServerProcess {
  if (!tap) return process
  return {
    ...process,
    transport: tappedTransport(process.transport, tap),
    // Known once it runs.
    get pid() {
      return process.pid
    },
  }
}

/** All that can fail without a process does so here; what comes back starts one. */
async function prepareCommand(
  options: OpenerOptions,
  definition: StdioDefinition,
  { server, log, recorder, running, monitor }: OpenedFor,
  { tap, signal }: { readonly tap: Tap | undefined; readonly signal: AbortSignal },
): Promise<() => ServerProcess> {
  const whole = await recorder.run('values', () => fillDefinition(options, server, definition, log))
  const windows = process.platform === 'win32'
  const prepared = await recorder.run(
    'find command',
    () => options.environment.prepare(whole),
    (launch) => log.masked(whereFound(launch, windows)),
  )
  recorder.found(prepared)
  const confined = await confine(options, definition, prepared, { server, recorder, monitor })
  const { guard, ledger, grace, clock, launchCommand = launchStdio } = options
  let isStarted = false
  const cancel = (): void => {
    if (!isStarted) confined?.dispose()
  }
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  return () => {
    isStarted = true
    const end = recorder.step('start process')
    try {
      const started = launchCommand({
        ...prepared,
        watches: [guard, ledger, running],
        clock,
        tap,
        ...defined({ confined, limits: grace && { grace } }),
      })
      // Without a process the reason comes with the first word to it.
      end(started.pid !== undefined, started.pid === undefined ? t`the system did not start it` : t`process ${started.pid}`)
      return started
    } catch (error) {
      end(false, error instanceof Error ? error.message : String(error))
      confined?.dispose()
      throw error
    }
  }
}

/** Prepares the sandbox of a start; undefined: it runs without one. */
async function confine(
  { sandbox }: OpenerOptions,
  { sandbox: settings }: StdioDefinition,
  launch: PreparedLaunch,
  { server, recorder, monitor }: Pick<OpenedFor, 'server' | 'recorder' | 'monitor'>,
): Promise<ConfinedLaunch | undefined> {
  recorder.sandboxed(settings?.kind ?? 'off')
  if (settings?.kind !== 'on') return undefined
  const grants = monitor.withOnce(settings.grants)
  const confined = await recorder.run('sandbox', () => sandbox.confine({ server, grants, launch, onAttempt: monitor.onAttempt }))
  const over = monitor.began(confined)
  return {
    ...confined,
    dispose() {
      over()
      confined.dispose()
    },
  }
}

function recorded(server: string, process: ServerProcess, { log, recorder, monitor }: OpenedFor, onNoise: () => void): RecordedChannel {
  const firstOutput = recorder.step('first output')
  let answered = false
  const told: Record<'noise' | 'listens', boolean> = { noise: false, listens: false }
  process.onOutput((source, text, droppedBefore) => {
    log.add({ source, text, droppedBefore })
    recorder.wrote(source, log.masked(text))
    monitor.wrote(text)
    firstOutput(true, source)
    if (answered) return
    const listens = !told.listens && saysItListens(text)
    if (!listens && (source === 'stderr' || told.noise)) return
    told.listens ||= listens
    told.noise ||= source === 'stdout'
    onNoise()
  })
  void process.exited.then(() => firstOutput(false, 'nothing'))
  const ended = process.exited.then((exit): ChannelEnd => {
    const data = { server, code: exit.code, signal: exit.signal }
    return { error: new HostError('server.exited', exitWords(server, exit), { data }), exit }
  })
  const onMessage = (): void => {
    answered = true
    firstOutput(true, 'MCP')
  }
  const transport = withRawRequests(process.transport, onMessage)
  const { pid, stray = () => 0 } = process
  return { kind: 'stdio', transport, pid, stray, ended, answered: () => answered, close: async () => void (await process.stop()) }
}

interface ConnectRequest
  extends Pick<ProcessConnectOptions, 'requests' | 'remembered' | 'shunsProbe' | 'onShunned' | 'onNegotiating' | 'signal'> {
  readonly definition: ServerDefinition
  readonly mayLaunch: () => Promise<void>
  /** Told when the process writes something else before its first MCP message, and when it says that it listens on an address. */
  readonly onNoise: () => void
  /** Told when the launcher begins to fetch what it runs, and when it has. */
  readonly onFetching: (on: boolean) => void
}

export type Connect = (request: ConnectRequest) => Promise<Connection>
