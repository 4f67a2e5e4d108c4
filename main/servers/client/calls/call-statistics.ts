// Figures about the calls to servers, from the audit log: those of this run and of the last 24 hours. The log is read back once,
// at the first question, and followed from then on; of each call only what the figures need is kept.
import type { AuditRow } from '#app/consent/audit-row.ts'
import type { CallFigures } from '#app/server/server-activity.ts'
import type { Clock } from '#main/base/clock.ts'
import type { AuditReader } from '#main/store/store-api.ts'

export interface CallEnd {
  readonly time: number
  readonly failed: boolean
  readonly durationMs: number
  readonly tool: string
  readonly code: string
}

const dayMs = 24 * 3600_000
const maxRows = 20_000
const maxKept = 10_000
const pageRows = 500

/** Undefined: no end of a call, or one that the person cancelled. A late result was counted when its call timed out. */
export function callEndOf({ kind, decision, time, tool, detail }: AuditRow): CallEnd | undefined {
  if (kind !== 'result' || decision === 'cancelled' || decision === 'late') return undefined
  const { durationMs, code } = detail
  return {
    time,
    failed: decision !== 'done',
    durationMs: typeof durationMs === 'number' ? durationMs : 0,
    tool: tool ?? '',
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : (decision ?? ''),
  }
}

/** Counts, and the durations in milliseconds that half and 95 of 100 calls stayed within (nearest rank). */
export function figuresOf(ends: readonly CallEnd[]): CallFigures {
  const durations = ends.map(({ durationMs }) => durationMs).sort((a, b) => a - b)
  const rank = (share: number): number | null => durations[Math.max(0, Math.ceil(share * durations.length) - 1)] ?? null
  return { calls: ends.length, failed: ends.filter(({ failed }) => failed).length, p50: rank(0.5), p95: rank(0.95) }
}

export function createCallStatistics(audit: Pick<AuditReader, 'list'>, clock: Clock) {
  const begun = clock.now()
  let ends: Map<string, CallEnd[]> | undefined
  let readTo = 0

  function readBack(): Map<string, CallEnd[]> {
    const found = new Map<string, CallEnd[]>()
    const since = clock.now() - dayMs
    let before: number | undefined
    for (let read = 0; read < maxRows; read += pageRows) {
      const rows = audit.list({ limit: pageRows, ...(before === undefined ? {} : { before }) })
      readTo = Math.max(readTo, rows[0]?.seq ?? 0)
      for (const row of rows) keep(found, row)
      const last = rows.at(-1)
      if (rows.length < pageRows || last === undefined || last.time < since) break
      before = last.seq
    }
    for (const each of found.values()) each.reverse()
    return found
  }

  function keep(into: Map<string, CallEnd[]>, row: AuditRow): void {
    const end = row.server === null ? undefined : callEndOf(row)
    if (!end || row.server === null) return
    const known = into.get(row.server)
    if (known) known.push(end)
    else into.set(row.server, [end])
  }

  return {
    add(row: AuditRow): void {
      if (!ends || row.seq <= readTo) return
      keep(ends, row)
      const all = row.server === null ? undefined : ends.get(row.server)
      if (all && all.length > maxKept) all.splice(0, all.length - maxKept / 2)
    },
    of(server: string) {
      ends ??= readBack()
      const all = ends.get(server) ?? []
      const day = all.filter(({ time }) => time >= clock.now() - dayMs)
      const run = all.filter(({ time }) => time >= begun)
      return { run: figuresOf(run), day: figuresOf(day), lastFailed: all.findLast(({ failed }) => failed) }
    },
  }
}
