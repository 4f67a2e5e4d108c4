// Ledger of the processes that this host started (`processes/` in the data folder), and the clean-up after hosts that ended: their
// left-over processes are ended and their ledgers removed. It serves when the watchdog was killed too. Nothing is flushed: a power
// loss ends the processes as well. A ledger that cannot be written costs a warning, never a start.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { defined } from '#app/or-else.ts'
import type { Log } from '#main/base/host-log.ts'
import { createProcessTable, type ProcessTable } from '../process-table.ts'
import { newTag, type WatchedProcess } from '../server-process.ts'
import { type ListWindows, listWindows, type WindowsProcess } from '../windows-process-table.ts'
import { type LedgerContent, type LedgerLine, ledgerLine, parseLedger } from './ledger-file.ts'
import { isGone, reap, type SendSignal, sendSignal } from './reap.ts'

/** Operating system: how a process is recorded and recognised. POSIX goes by tags and times (`reap.ts`), Windows by times alone. */
interface LedgerSystem {
  readonly boot: string
  /** Delays in milliseconds after which a running server is confirmed in the ledger. */
  readonly confirmMs: readonly number[]
  /** Start time of a process; undefined: it has ended. `expected`: milliseconds since the epoch just before the start. */
  began(pid: number, expected: number): { readonly start: number; readonly from?: number } | undefined
  isGone(content: LedgerContent): Promise<boolean>
  /** Ends left-over processes. Returns how many were found, and how many remain. */
  reap(content: LedgerContent): Promise<{ readonly found: number; readonly left: number }>
}

const posixSystem = (table: ProcessTable, { signal, grace }: Pick<ProcessLedgerOptions, 'signal' | 'grace'> = {}): LedgerSystem => ({
  boot: table.boot,
  confirmMs: [],
  began(pid) {
    const start = table.start(pid)
    return start === undefined ? undefined : { start }
  },
  isGone: async (content) => isGone(content, table),
  reap: (content) => reap(content, { table, ...defined({ signal, grace }) }),
})

/** Resolution in milliseconds of a process's start time on Windows. */
const stepMs = 20

/** Whether no process has the host's id and a start time up to when it wrote. */
export const isGoneOnWindows = ({ host }: LedgerContent, all: readonly WindowsProcess[]): boolean =>
  !all.some(({ pid, start }) => pid === host.pid && start <= host.start + stepMs)

/**
 * Lists the processes that a host left behind on Windows, where tags cannot be read, by their times. A process of the recorded id and
 * start time is the server. A child of that id is the server's when it started before the last confirmation, also when the server is
 * gone. Children of these are taken too; anything else is left alone. Never run on Windows.
 */
export function leftBehindOnWindows({ entries }: LedgerContent, all: readonly WindowsProcess[]): WindowsProcess[] {
  const byParent = Map.groupBy(all, ({ parent }) => parent)
  const ours = new Map<number, WindowsProcess>()
  const take = (one: WindowsProcess): void => {
    if (ours.has(one.pid) || one.pid === process.pid) return
    ours.set(one.pid, one)
    for (const child of byParent.get(one.pid) ?? []) if (child.start >= one.start) take(child)
  }
  for (const { leader, seen } of entries) {
    if (leader?.from === undefined) continue
    const from = leader.from - stepMs
    for (const one of all) if (one.pid === leader.pid && one.start >= from && one.start <= leader.start) take(one)
    for (const child of byParent.get(leader.pid) ?? []) if (child.start >= from && child.start <= (seen ?? leader.start)) take(child)
  }
  return [...ours.values()]
}

const lookMs = 200
const kills = 5

export function windowsSystem(
  options: { readonly list?: ListWindows; readonly end?: (pid: number) => boolean; readonly now?: () => number } = {},
): LedgerSystem {
  const { list = listWindows, end = (pid) => sendSignal(pid, 'SIGKILL'), now = Date.now } = options
  return {
    boot: '', // Times of day compare across boots.
    confirmMs: [5000, 60_000],
    began: (_pid, expected) => ({ start: now(), from: expected }),
    isGone: async (content) => isGoneOnWindows(content, await list()),
    async reap(content) {
      let left = leftBehindOnWindows(content, await list())
      const seen = new Set(left.map(({ pid }) => pid))
      for (let n = 0; n < kills && left.length > 0; n += 1) {
        for (const { pid } of left) end(pid)
        await wait(lookMs)
        left = leftBehindOnWindows(content, await list())
        for (const { pid } of left) seen.add(pid)
      }
      return { found: seen.size, left: left.length }
    },
  }
}

export type ProcessLedger = ReturnType<typeof createProcessLedger>

interface ProcessLedgerOptions {
  readonly dataDir: string
  readonly log: Log
  /** Default: this operating system. */
  readonly system?: LedgerSystem
  readonly signal?: SendSignal
  /** Milliseconds from SIGTERM to SIGKILL for what was left behind. */
  readonly grace?: number
}

const suffix = '.jsonl'

export function createProcessLedger(options: ProcessLedgerOptions) {
  const { dataDir, log } = options
  const table = createProcessTable()
  const system = options.system ?? (table ? posixSystem(table, options) : windowsSystem())
  const folder = join(dataDir, 'processes')
  const path = join(folder, `${newTag()}${suffix}`)
  const live = new Set<string>()
  let begun = false
  let failed = false

  const add = (line: LedgerLine): void => {
    try {
      if (!begun) {
        const { start = 0 } = system.began(process.pid, 0) ?? {}
        const host: LedgerLine = { kind: 'host', version: 1, boot: system.boot, pid: process.pid, start }
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        appendFileSync(path, ledgerLine(host), { mode: 0o600 })
        begun = true
      }
      appendFileSync(path, ledgerLine(line))
    } catch (error) {
      if (!failed) log.error('The ledger of processes could not be written; should Assent be killed, servers may be left behind', error)
      failed = true
    }
  }

  return {
    /** Resolves when the processes of earlier hosts have ended or cannot be ended. Never rejects. */
    reaped: reapEarlier(folder, path, system, log).catch((error: unknown) =>
      log.error('What an earlier run left behind could not be looked for', error),
    ),
    expect(tag: string): WatchedProcess {
      live.add(tag)
      add({ kind: 'expected', tag })
      const expected = Date.now()
      const timers: NodeJS.Timeout[] = []
      const confirm = (): void => add({ kind: 'seen', tag, at: Date.now() })
      return {
        started(pid) {
          const began = system.began(pid, expected)
          if (!began) return
          add({ kind: 'started', tag, pid, ...began })
          timers.push(...system.confirmMs.map((ms) => setTimeout(confirm, ms).unref()))
        },
        ended() {
          for (const timer of timers) clearTimeout(timer)
          if (live.delete(tag)) add({ kind: 'ended', tag })
        },
      }
    },
    dispose(): void {
      if (live.size === 0) rmSync(path, { force: true })
    },
  }
}

async function reapEarlier(folder: string, own: string, system: LedgerSystem, log: Log): Promise<void> {
  const files = readFolder(folder).map((name) => join(folder, name))
  await Promise.all(
    files.map(async (path) => {
      if (path === own) return
      const text = readFileSync(path, 'utf8')
      const content = parseLedger(text)
      // The host was killed before its first line.
      if (text === '') return rmSync(path, { force: true })
      if (content === undefined) {
        const aside = `${path}.unreadable`
        renameSync(path, aside)
        log.warn(`${path} is no ledger of processes: it is now ${aside}, and what it may have named is left alone.`)
        return
      }
      if (!(await system.isGone(content))) return
      const { found, left } = content.entries.length === 0 ? { found: 0, left: 0 } : await system.reap(content)
      if (found > 0) log.warn(`An earlier run of Assent ended without its servers: ${found} of their processes were ended now.`)
      if (left > 0) log.error(`${left} processes that an earlier run left behind could not be ended`)
      else rmSync(path, { force: true })
    }),
  )
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(suffix))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
