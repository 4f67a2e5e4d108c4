// Attempts of one sandboxed server: counted by target and outcome, bounded, and written in batches, so that a flood of them costs a
// count each. They outlive this run by the store.
import { type AttemptTarget, attemptDays, type SandboxAttempt, unansweredAttempts } from '#app/server/sandbox/sandbox-report.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ServerStore } from '#main/store/store-api.ts'

/** Kept for one server: the first, and the latest of what came later, so that a flood hides neither. */
const most = { first: 120, all: 200 }
/** Milliseconds between two writes, and two events. */
const batchMs = 250
/** Attempts in one event. */
const mostTold = 20
const dayMs = 24 * 60 * 60_000

type AttemptSeen = Omit<SandboxAttempt, 'count' | 'firstAt' | 'lastAt'>

interface JournalOptions {
  readonly server: string
  readonly store: Pick<ServerStore, 'attempts' | 'changeAttempts' | 'clearAttempts'>
  readonly clock: Clock
  /** Told of attempts that are new or counted further, the latest at the end, and of those that are gone (`[]`). */
  readonly onChange: (attempts: readonly SandboxAttempt[]) => void
  /** Told when a batch could not be written, for instance on a full disk. It is kept in memory. */
  readonly onUnwritten: (error: unknown) => void
}

export type AttemptJournal = ReturnType<typeof createAttemptJournal>

const keyOf = ({ kind, target, port = 0, refused }: AttemptTarget & Pick<SandboxAttempt, 'refused'>): string =>
  `${kind} ${port} ${refused ?? ''} ${target}`

export function createAttemptJournal({ server, store, clock, onChange, onUnwritten }: JournalOptions) {
  const expired = (): number => clock.now() - attemptDays * dayMs
  /** In the order of their last time. */
  const rows = new Map<string, SandboxAttempt>()
  const changed = new Map<string, SandboxAttempt>()
  const dropped = new Map<string, SandboxAttempt>()
  let early = new Set<string>()
  let lost = 0
  let cancel: (() => void) | undefined
  for (const one of store.attempts(server, expired()).toReversed()) rows.set(keyOf(one), one)
  early = new Set([...rows.keys()].slice(0, most.first))

  function drop(key: string, row: SandboxAttempt): void {
    rows.delete(key)
    early.delete(key)
    changed.delete(key)
    dropped.set(key, row)
  }

  function makeRoom(): void {
    for (const [key, row] of rows) {
      if (rows.size <= most.all) return
      if (early.has(key)) continue
      drop(key, row)
      lost += 1
    }
  }

  function write(): void {
    cancel?.()
    cancel = undefined
    if (changed.size === 0 && dropped.size === 0) return
    const put = [...changed.values()]
    try {
      store.changeAttempts(server, { put, drop: [...dropped.values()] })
    } catch (error) {
      onUnwritten(error)
    }
    changed.clear()
    dropped.clear()
    onChange(put.slice(-mostTold))
  }

  return {
    /** Counts one more attempt. */
    add(attempt: AttemptSeen): SandboxAttempt {
      const kept = { ...attempt, refused: 'denied' as const }
      // What the person keeps blocked is not new again, whatever refuses it by now.
      const seen = attempt.refused !== undefined && rows.has(keyOf(kept)) ? kept : attempt
      const key = keyOf(seen)
      const now = clock.now()
      const { count = 0, firstAt = now } = rows.get(key) ?? {}
      const row = { ...seen, count: count + 1, firstAt, lastAt: now }
      rows.delete(key)
      rows.set(key, row)
      dropped.delete(key)
      changed.delete(key)
      changed.set(key, row)
      if (early.size < most.first) early.add(key)
      makeRoom()
      cancel ??= clock.after(batchMs, write)
      return row
    },
    /** Attempts of the last days, the latest first. */
    list(): SandboxAttempt[] {
      const old = expired()
      for (const [key, row] of rows) if (row.lastAt <= old) drop(key, row)
      return [...rows.values()].toReversed()
    },
    find: (target: AttemptTarget): SandboxAttempt | undefined =>
      [...rows.values()].findLast(
        (one) => one.kind === target.kind && one.target === target.target && one.port === target.port && one.refused !== undefined,
      ),
    /** Attempts that there was no room for, in this run. */
    lost: (): number => lost,
    unanswered: (): number => unansweredAttempts([...rows.values()]).length,
    /** Marks what was refused at a target as kept blocked, or takes the mark away. */
    answered(target: AttemptTarget, refused: 'denied' | undefined): void {
      for (const [key, row] of [...rows]) {
        if (row.kind !== target.kind || row.target !== target.target || row.port !== target.port || row.refused === undefined) continue
        drop(key, row)
        if (refused === undefined) continue
        const kept = { ...row, refused }
        rows.set(keyOf(kept), kept)
        changed.set(keyOf(kept), kept)
      }
      write()
    },
    clear(): void {
      rows.clear()
      early.clear()
      changed.clear()
      dropped.clear()
      lost = 0
      cancel?.()
      cancel = undefined
      store.clearAttempts(server)
      onChange([])
    },
    /** Writes what waits. */
    flush: write,
  }
}
