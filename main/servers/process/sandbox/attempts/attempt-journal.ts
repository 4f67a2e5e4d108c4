// Attempts of one sandboxed server: counted by target and outcome, bounded, and written in batches, so that a flood of them costs a
// count each. They outlive this run by the store.
import { type AttemptTarget, attemptDays, type SandboxAttempt, unansweredAttempts } from '#app/server/sandbox/sandbox-report.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ServerStore } from '#main/store/store-api.ts'

/** Rows of one server: the first, and the latest of what came later, so that a flood hides neither. */
const most = { first: 120, all: 200 }
/** Milliseconds between two writes, and two events. */
const batchMs = 250
/** Attempts in one event. */
const mostTold = 20
const dayMs = 24 * 60 * 60_000

type AttemptSeen = Omit<SandboxAttempt, 'count' | 'firstAt' | 'lastAt'>

const keyOf = ({ kind, target, port = 0, refused }: AttemptTarget & Pick<SandboxAttempt, 'refused'>): string =>
  `${kind} ${port} ${refused ?? ''} ${target}`

const isAt = (row: SandboxAttempt, { kind, target, port }: AttemptTarget): boolean =>
  row.kind === kind && row.target === target && row.port === port

/** Rows in the order of their last time, with what has changed since the last batch. */
function createRows(known: readonly SandboxAttempt[]) {
  const rows = new Map(known.map((row) => [keyOf(row), row]))
  const early = new Set([...rows.keys()].slice(0, most.first))
  /** Keys of the others, in the order of their last time. */
  const late = new Set([...rows.keys()].slice(most.first))
  const changed = new Map<string, SandboxAttempt>()
  const dropped = new Map<string, SandboxAttempt>()
  let lost = 0

  function drop(row: SandboxAttempt): void {
    const key = keyOf(row)
    rows.delete(key)
    early.delete(key)
    late.delete(key)
    changed.delete(key)
    dropped.set(key, row)
  }

  return {
    drop,
    get: (seen: AttemptSeen): SandboxAttempt | undefined => rows.get(keyOf(seen)),
    all: (): SandboxAttempt[] => [...rows.values()],
    lost: (): number => lost,
    put(row: SandboxAttempt): void {
      const key = keyOf(row)
      for (const map of [rows, changed]) {
        map.delete(key)
        map.set(key, row)
      }
      dropped.delete(key)
      if (early.has(key) || early.size < most.first) early.add(key)
      else {
        late.delete(key)
        late.add(key)
      }
      const oldest = rows.size > most.all ? rows.get(late.values().next().value ?? '') : undefined
      if (!oldest) return
      drop(oldest)
      lost += 1
    },
    takeBatch() {
      const batch = { put: [...changed.values()], drop: [...dropped.values()] }
      changed.clear()
      dropped.clear()
      return batch
    },
    clear(): void {
      for (const each of [rows, early, late, changed, dropped]) each.clear()
      lost = 0
    },
  }
}

interface JournalOptions {
  readonly server: string
  readonly store: Pick<ServerStore, 'attempts' | 'changeAttempts' | 'clearAttempts'>
  readonly clock: Clock
  /** Told of attempts that are new or counted further, the latest at the end; `[]`: others are gone. */
  readonly onChange: (attempts: readonly SandboxAttempt[]) => void
  /** Told when a batch could not be written, for instance on a full disk. Its attempts stay in memory. */
  readonly onUnwritten: (error: unknown) => void
}

export type AttemptJournal = ReturnType<typeof createAttemptJournal>

export function createAttemptJournal({ server, store, clock, onChange, onUnwritten }: JournalOptions) {
  const expired = (): number => clock.now() - attemptDays * dayMs
  const rows = createRows(store.attempts(server, expired()).toReversed())
  let cancel: (() => void) | undefined

  function stopTimer(): void {
    cancel?.()
    cancel = undefined
  }

  function write(): void {
    stopTimer()
    const batch = rows.takeBatch()
    if (batch.put.length === 0 && batch.drop.length === 0) return
    try {
      store.changeAttempts(server, batch)
    } catch (error) {
      onUnwritten(error)
    }
    onChange(batch.put.slice(-mostTold))
  }

  return {
    /** Counts one more attempt. */
    add(attempt: AttemptSeen): SandboxAttempt {
      const kept = { ...attempt, refused: 'denied' as const }
      // What the person keeps blocked is not new again, whatever refuses it by now.
      const seen = attempt.refused !== undefined && rows.get(kept) ? kept : attempt
      const now = clock.now()
      const { count = 0, firstAt = now } = rows.get(seen) ?? {}
      const row = { ...seen, count: count + 1, firstAt, lastAt: now }
      rows.put(row)
      cancel ??= clock.after(batchMs, write)
      return row
    },
    /** Attempts of the last days, the latest first. */
    list(): SandboxAttempt[] {
      const old = expired()
      for (const row of rows.all()) if (row.lastAt <= old) rows.drop(row)
      return rows.all().toReversed()
    },
    /** Attempts that there was no room for, in this run. */
    lost: rows.lost,
    unanswered: (): number => unansweredAttempts(rows.all()).length,
    /** Marks what was refused at a target as kept blocked. `undefined`: allowed, so that it is listed no longer. */
    answered(target: AttemptTarget, refused: 'denied' | undefined): void {
      for (const row of rows.all()) {
        if (row.refused === undefined || !isAt(row, target)) continue
        rows.drop(row)
        if (refused !== undefined) rows.put({ ...row, refused })
      }
      write()
    },
    clear(): void {
      rows.clear()
      stopTimer()
      store.clearAttempts(server)
      onChange([])
    },
    /** Writes what waits. */
    flush: write,
  }
}
