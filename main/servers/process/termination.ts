// Ends a server's process tree: stdin end, SIGTERM, SIGKILL. On POSIX a server leads its own process group, so wrappers (`npx`, `sh
// -c`) cannot leave the real server behind; processes that left the group are found by their tag, on Linux. On Windows `taskkill
// /T` ends the tree. Nothing is signalled once nothing is left: the id may be reused.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { assertNever } from '#app/json.ts'
import { orElse } from '#app/or-else.ts'
import type { Clock } from '#main/base/clock.ts'
import { system32 } from '#main/base/powershell.ts'
import { sendSignal } from './ledger/reap.ts'
import { createProcessTable, type ProcessTable, statOf, type TaggedProcess } from './process-table.ts'
import type { ShutdownGrace } from './stdio-limits.ts'

type EscapedProcesses = ReturnType<typeof createEscapedProcesses>

/** Processes with the server's tag outside of its group. Each look reads all of /proc, a few milliseconds. */
function createEscapedProcesses(ownTag: string, ownGroup: number, table: ProcessTable) {
  let known: readonly TaggedProcess[] = []
  let sent: NodeJS.Signals | undefined

  const look = (): void => {
    known = table.tagged().filter(({ tag, group }) => tag === ownTag && group !== ownGroup)
    if (sent !== undefined) for (const { pid } of known) sendSignal(pid, sent)
  }

  return {
    signal(name: NodeJS.Signals): void {
      sent = name
      look()
    },
    alive(): boolean {
      if (!known.some(({ pid, start }) => table.start(pid) === start)) look()
      return known.length > 0
    },
  }
}

interface ProcessGroup {
  /** Whether the system has SIGTERM, and finds processes that outlive their leader. */
  readonly signals: boolean
  terminate(): void
  kill(): void
  alive(): boolean
}

/**
 * Process group of a server. `tag`: finds processes that left the group; without it they are left alone. `wrapped`: a sandbox leads the
 * group and takes all down at once, so SIGTERM goes to the processes with the tag alone, which it has not.
 */
export function processGroup(pid: number, platform: NodeJS.Platform, tag?: string, wrapped = false): ProcessGroup {
  if (platform === 'win32') return windowsTree(pid)
  const table = platform === 'linux' ? createProcessTable(platform) : undefined
  const group = posixGroup(pid, tag !== undefined && table ? createEscapedProcesses(tag, pid, table) : noStrays)
  if (!wrapped || tag === undefined || !table) return group
  return {
    ...group,
    terminate() {
      const inside = table.tagged().filter((one) => one.tag === tag)
      for (const one of inside) sendSignal(one.pid, 'SIGTERM')
      if (inside.length === 0) group.terminate()
    },
  }
}

const noStrays: EscapedProcesses = { signal() {}, alive: () => false }

function posixGroup(pid: number, strays: EscapedProcesses): ProcessGroup {
  // False for ESRCH (nothing is left) and EPERM (only zombies on macOS, or another user's): both are out of reach.
  const signal = (name: NodeJS.Signals | 0): boolean => orElse(() => process.kill(-pid, name), false)
  const signalAll = (name: NodeJS.Signals): void => {
    signal(name)
    strays.signal(name)
  }
  return {
    signals: true,
    terminate: () => signalAll('SIGTERM'),
    kill: () => signalAll('SIGKILL'),
    alive: () => (signal(0) && !isAllZombies(pid)) || strays.alive(),
  }
}

/** Whether only zombies are left: in a container whose init does not reap they stay members, and a shutdown would wait in vain. */
function isAllZombies(pgid: number): boolean {
  if (process.platform !== 'linux') return false
  return readdirSync('/proc').every((name) => !/^\d+$/.test(name) || statOf(Number(name))?.group !== pgid)
}

/** Exit codes of `taskkill` after which nothing is left: ended, and not found (ERROR_WAIT_NO_CHILDREN, in its own use). */
const taskkillDone: ReadonlySet<number | null> = new Set([0, 128])

type RunTaskkill = (args: readonly string[]) => Pick<ChildProcess, 'on'>
const runTaskkill: RunTaskkill = (args) => spawn(system32('taskkill.exe'), args, { stdio: 'ignore', windowsHide: true })

/** `run` and `send` are replaced in tests. */
export function windowsTree(pid: number, run = runTaskkill, send: (pid: number, name: 'SIGKILL') => unknown = sendSignal): ProcessGroup {
  const kill = (): void => {
    const taskkill = run(['/PID', String(pid), '/T', '/F'])
    const without = (): void => void send(pid, 'SIGKILL')
    taskkill.on('error', without)
    taskkill.on('exit', (code: number | null) => {
      if (!taskkillDone.has(code)) without()
    })
  }
  return { signals: false, terminate: kill, kill, alive: () => false }
}

export type Shutdown =
  | { readonly kind: 'running' }
  | { readonly kind: 'input-ended' }
  | { readonly kind: 'terminating'; readonly leader: 'alive' | 'gone' }
  | { readonly kind: 'killing'; readonly leader: 'alive' | 'gone' }
  | { readonly kind: 'gone' }

export type ShutdownEvent =
  | { readonly kind: 'close' }
  | { readonly kind: 'force' }
  | { readonly kind: 'timeout' }
  /** The leader has ended; `left`: others of its group have not. */
  | { readonly kind: 'exited'; readonly left: boolean }
  | { readonly kind: 'group-empty' }

export interface ShutdownStep {
  readonly state: Shutdown
  readonly effect?: 'end-input' | 'terminate' | 'kill'
  /** Timer to start; absent: a running one goes on. */
  readonly wait?: keyof ShutdownGrace
}

/** Next step of a shutdown. Pure. `signals`: whether the system has SIGTERM; Windows skips that step. */
export function nextShutdown(state: Shutdown, event: ShutdownEvent, signals: boolean): ShutdownStep {
  if (state.kind === 'gone') return { state }
  return state.kind === 'running' || state.kind === 'input-ended' ? beforeSignals(state, event, signals) : afterSignals(state, event)
}

const gone: ShutdownStep = { state: { kind: 'gone' } }
const kill = (leader: 'alive' | 'gone'): ShutdownStep => ({ state: { kind: 'killing', leader }, effect: 'kill', wait: 'kill' })
const terminate = (leader: 'alive' | 'gone', signals: boolean): ShutdownStep =>
  signals ? { state: { kind: 'terminating', leader }, effect: 'terminate', wait: 'terminate' } : kill(leader)

function beforeSignals(state: Shutdown & { kind: 'running' | 'input-ended' }, event: ShutdownEvent, signals: boolean): ShutdownStep {
  switch (event.kind) {
    case 'close':
      return state.kind === 'running' ? { state: { kind: 'input-ended' }, effect: 'end-input', wait: 'stdin' } : { state }
    case 'force':
      return kill('alive')
    case 'timeout':
      return state.kind === 'input-ended' ? terminate('alive', signals) : { state }
    case 'exited':
      return event.left ? terminate('gone', signals) : gone
    case 'group-empty':
      return { state }
    default:
      return assertNever(event)
  }
}

function afterSignals(state: Shutdown & { kind: 'terminating' | 'killing' }, event: ShutdownEvent): ShutdownStep {
  switch (event.kind) {
    case 'close':
      return { state }
    case 'force':
      return state.kind === 'terminating' ? kill(state.leader) : { state }
    case 'timeout':
      return state.kind === 'terminating' ? kill(state.leader) : gone
    case 'exited':
      return event.left ? { state: { kind: state.kind, leader: 'gone' } } : gone
    case 'group-empty':
      return state.leader === 'gone' ? gone : { state }
    default:
      return assertNever(event)
  }
}

export type Termination = ReturnType<typeof createTermination>

const pollMs = { first: 10, last: 200 }

export function createTermination(options: {
  readonly group: ProcessGroup
  readonly endInput: () => void
  readonly clock: Clock
  readonly grace: ShutdownGrace
}) {
  const { group, clock, grace } = options
  const gone = Promise.withResolvers<'gone' | 'given-up'>()
  let state: Shutdown = { kind: 'running' }
  let stops = 0
  let cancelWait: (() => void) | undefined
  let cancelPoll: (() => void) | undefined
  // The clock's timers do not keep Node alive; a shutdown must.
  let keepAlive: NodeJS.Timeout | undefined

  const send = (event: ShutdownEvent): void => {
    const step = nextShutdown(state, event, group.signals)
    state = step.state
    if (step.wait) {
      cancelWait?.()
      cancelWait = clock.after(grace[step.wait], () => send({ kind: 'timeout' }))
      keepAlive ??= setInterval(() => {}, 2 ** 30)
    }
    if (step.effect === 'end-input') options.endInput()
    else if (step.effect) group[step.effect]()
    if (state.kind === 'gone') finish(event.kind === 'timeout' ? 'given-up' : 'gone')
  }

  const finish = (how: 'gone' | 'given-up'): void => {
    cancelWait?.()
    cancelPoll?.()
    clearInterval(keepAlive)
    gone.resolve(how)
  }

  const look = (wait: number): void => {
    if (state.kind === 'gone') return
    if (group.alive()) cancelPoll = clock.after(wait, () => look(Math.min(wait * 1.5, pollMs.last)))
    else send({ kind: 'group-empty' })
  }

  return {
    close: (): void => send({ kind: 'close' }),
    stop(): void {
      send({ kind: stops === 0 ? 'close' : 'force' })
      stops += 1
    },
    exited(): void {
      send({ kind: 'exited', left: group.alive() })
      look(pollMs.first)
    },
    /** Resolves when nothing is left, or with `given-up` after SIGKILL had no effect. */
    gone: gone.promise,
  }
}
