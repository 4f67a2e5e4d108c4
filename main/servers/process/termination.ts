// Performs the steps of `shutdown.ts` on one process: the one timer, the signals, and the wait for what the process left
// behind. Nothing is signalled once nothing is left, for the operating system may give the number to somebody else. The signals
// of one server's process tree. On POSIX the server leads a group of its own, so that a wrapper (`npx`, `sh -c`) cannot leave
// the real server behind; what makes itself a group of its own is found by its tag, on Linux. On Windows `taskkill
// /T` walks the tree, which works only while the process at its top is there. What a server started and what then left its
// process group (setsid, a double fork): found by the tag that it inherited, and ended one by one. All of /proc is looked
// through for it, a few milliseconds, and only at a stop or an exit.

import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { assertNever } from '#app/json.ts'
import type { Clock } from '#main/base/clock.ts'
import { system32 } from '#main/base/powershell.ts'
import { type SendSignal, sendSignal } from './ledger/reap.ts'
import { createProcessTable, type ProcessTable, statOf, type TaggedProcess } from './process-table.ts'
import type { ShutdownGrace } from './stdio-limits.ts'

interface EscapedProcesses {
  signal(name: NodeJS.Signals): void
  /** Whether there are any; those that came since the last signal get it now. */
  alive(): boolean
}

function createEscapedProcesses(options: {
  readonly tag: string
  /** Its group: who is in there needs no looking for. */
  readonly group: number
  readonly table: Pick<ProcessTable, 'start' | 'tagged'>
  readonly send?: SendSignal
}): EscapedProcesses {
  const { table, send = sendSignal } = options
  let known: readonly TaggedProcess[] = []
  let sent: NodeJS.Signals | undefined

  const look = (): void => {
    known = table.tagged().filter(({ tag, group }) => tag === options.tag && group !== options.group)
    if (sent !== undefined) for (const { pid } of known) send(pid, sent)
  }

  return {
    signal(name) {
      sent = name
      look()
    },
    alive() {
      if (!known.some(({ pid, start }) => table.start(pid) === start)) look()
      return known.length > 0
    },
  }
}

interface ProcessGroup {
  /** Whether there is a SIGTERM, and a way to find those that outlive their leader. */
  readonly signals: boolean
  terminate(): void
  kill(): void
  /** Whether any process of it is left that we can reach. */
  alive(): boolean
}

/** `tag`: by which those are found that leave the group; without it they are left alone. */
export function processGroup(pid: number, platform: NodeJS.Platform, tag?: string): ProcessGroup {
  if (platform === 'win32') return windowsTree(pid)
  const table = platform === 'linux' ? createProcessTable(platform) : undefined
  return posixGroup(pid, tag !== undefined && table ? createEscapedProcesses({ tag, group: pid, table }) : noStrays)
}

const noStrays: EscapedProcesses = { signal() {}, alive: () => false }

function posixGroup(pid: number, strays: EscapedProcesses): ProcessGroup {
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-pid, name)
    } catch {
      return false // ESRCH: nobody is left. EPERM: only the dead (macOS) or another user's are; both are out of reach.
    }
  }
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

/**
 * In a container whose first process reaps late or never, the dead still count as members of their group, and a shutdown
 * would wait for them in vain. Only Linux has such containers, and /proc to tell.
 */
function isAllZombies(pgid: number): boolean {
  if (process.platform !== 'linux') return false
  return readdirSync('/proc').every((name) => !/^\d+$/.test(name) || statOf(Number(name))?.group !== pgid)
}

function windowsTree(pid: number): ProcessGroup {
  const kill = (): void => {
    const taskkill = spawn(system32('taskkill.exe'), ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    taskkill.on('error', () => {
      try {
        process.kill(pid)
      } catch {
        // It is gone already.
      }
    })
  }
  return { signals: false, terminate: kill, kill, alive: () => false }
}

// Only the shutdown of a server: named steps (running → stdin ended → SIGTERM → SIGKILL), one timer, what to do at each.
// Pure: `termination.ts` owns the timer and the signals. The process itself (the leader of its group) may be gone while
// what it started is still there; that rest is ended by the same steps, also when nobody asked for a shutdown.

export type Shutdown =
  | { readonly kind: 'running' }
  | { readonly kind: 'input-ended' }
  | { readonly kind: 'terminating'; readonly leader: 'alive' | 'gone' }
  | { readonly kind: 'killing'; readonly leader: 'alive' | 'gone' }
  /** Nothing is left, or nothing that can be ended. */
  | { readonly kind: 'gone' }

export type ShutdownEvent =
  /** Somebody wants it to end; asking again changes nothing. */
  | { readonly kind: 'close' }
  /** Somebody wants it to end at once. */
  | { readonly kind: 'force' }
  | { readonly kind: 'timeout' }
  /** The process itself has ended; `left`: others of its group have not. */
  | { readonly kind: 'exited'; readonly left: boolean }
  | { readonly kind: 'group-empty' }

type ShutdownEffect = 'end-input' | 'terminate' | 'kill'

export interface ShutdownStep {
  readonly state: Shutdown
  readonly effect?: ShutdownEffect
  /** Which wait begins; absent: a running timer runs on. */
  readonly wait?: keyof ShutdownGrace
}

/** `signals`: whether there is a SIGTERM to send; Windows has none, so the step is left out. */
export function nextShutdown(state: Shutdown, event: ShutdownEvent, signals: boolean): ShutdownStep {
  switch (state.kind) {
    case 'running':
    case 'input-ended':
      return beforeSignals(state, event, signals)
    case 'terminating':
    case 'killing':
      return afterSignals(state, event)
    case 'gone':
      return { state }
    default:
      return assertNever(state)
  }
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

export interface Termination {
  /** Ends it, in good order. Asking again changes nothing. */
  close(): void
  /** Ends it, in good order; asked again, at once. */
  stop(): void
  /** The process itself has ended. */
  exited(): void
  /** Resolves when nothing is left of it, or with `given-up` when the kernel would not end what is. */
  readonly gone: Promise<'gone' | 'given-up'>
}

/** Looking costs a little, so each look waits longer than the one before. */
const pollMs = { first: 10, last: 200 }

export function createTermination(options: {
  readonly group: ProcessGroup
  readonly endInput: () => void
  readonly clock: Clock
  readonly grace: ShutdownGrace
}): Termination {
  const { group, clock, grace } = options
  const gone = Promise.withResolvers<'gone' | 'given-up'>()
  let state: Shutdown = { kind: 'running' }
  let stops = 0
  let cancelWait: (() => void) | undefined
  let cancelPoll: (() => void) | undefined
  // The clock's timers let Node end; a shutdown under way must not be cut short by that.
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
    close: () => send({ kind: 'close' }),
    stop() {
      send({ kind: stops === 0 ? 'close' : 'force' })
      stops += 1
    },
    exited() {
      send({ kind: 'exited', left: group.alive() })
      look(pollMs.first)
    },
    gone: gone.promise,
  }
}
