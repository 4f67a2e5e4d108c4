import { describe, expect, it } from 'vitest'
import type { AuditRow } from '#app/consent/audit-row.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { type CallEnd, callEndOf, createCallStatistics, figuresOf } from './call-statistics.ts'

let seq = 0
const row = (time: number, change: Partial<AuditRow> = {}): AuditRow => ({
  seq: ++seq,
  time,
  kind: 'result',
  server: 'a',
  tool: 'read',
  decision: 'done',
  by: null,
  conversationId: null,
  detail: { durationMs: 10 },
  previous: '',
  hash: '',
  ...change,
})
const end = (durationMs: number, failed = false): CallEnd => ({ time: 0, failed, durationMs, tool: 'read', code: '' })
const hour = 3600_000
const start = 100 * hour

/** A record that counts how often it is read. */
function makeRecord(rows: AuditRow[]) {
  let reads = 0
  return {
    list({ before = Number.POSITIVE_INFINITY, limit }: { before?: number; limit: number }) {
      reads += 1
      return rows
        .filter((one) => one.seq < before)
        .sort((a, b) => b.seq - a.seq)
        .slice(0, limit)
    },
    reads: () => reads,
  }
}

describe('the figures of calls', () => {
  it.each([
    [[], { calls: 0, failed: 0, p50: null, p95: null }],
    [[end(7)], { calls: 1, failed: 0, p50: 7, p95: 7 }],
    [[end(30), end(10, true), end(20)], { calls: 3, failed: 1, p50: 20, p95: 30 }],
    [Array.from({ length: 100 }, (_, index) => end(100 - index)), { calls: 100, failed: 0, p50: 50, p95: 95 }],
  ])('of %j', (ends, figures) => {
    expect(figuresOf(ends)).toEqual(figures)
  })

  it.each([
    ['a call that was done', row(1), { failed: false, code: 'done' }],
    ['a tool that said no', row(1, { decision: 'tool-error' }), { failed: true, code: 'tool-error' }],
    [
      'a call that failed',
      row(1, { decision: 'failed', detail: { durationMs: 1, code: 'tool.timeout' } }),
      { failed: true, code: 'tool.timeout' },
    ],
    ['an error of the protocol', row(1, { decision: 'failed', detail: { code: -32602 } }), { failed: true, code: '-32602' }],
    ['an outcome that nobody knows', row(1, { decision: 'unknown', detail: { code: 'tool.outcome-unknown' } }), { failed: true }],
  ])('count %s', (_, one, counted) => {
    expect(callEndOf(one)).toMatchObject(counted)
  })

  it('count neither what was cancelled, nor a result that came late, nor what is no end of a call', () => {
    expect(
      [row(1, { decision: 'cancelled' }), row(1, { decision: 'late' }), row(1, { kind: 'call', decision: 'sent' })].map(callEndOf),
    ).toEqual([undefined, undefined, undefined])
  })

  it('are those of this run and of the last day, by server, and the record is read once', () => {
    const rows = [row(start - 30 * hour), row(start - 2 * hour, { decision: 'tool-error' }), row(start - hour, { server: 'b' })]
    const record = makeRecord(rows)
    const clock = manualClock(start)
    const statistics = createCallStatistics(record, clock)
    // Before anybody asked: it is found in the record.
    const early = row(start + 1)
    rows.push(early)
    statistics.add(early)
    const counts = (): number[] => {
      const { run, day } = statistics.of('a')
      return [run.calls, run.failed, day.calls, day.failed]
    }
    expect(counts()).toEqual([1, 0, 2, 1])
    const late = row(start + 2, { decision: 'failed', detail: { durationMs: 90, code: 'tool.timeout' } })
    rows.push(late)
    statistics.add(late)
    statistics.add(early)
    expect(counts()).toEqual([2, 1, 3, 2])
    expect(statistics.of('a').lastFailed).toMatchObject({ time: start + 2, tool: 'read', code: 'tool.timeout' })
    clock.advance(23.5 * hour)
    expect([counts(), statistics.of('b').day.calls, record.reads()]).toEqual([[2, 1, 2, 1], 0, 1])
  })

  it('of a day with more calls than are read at once take all of them, and of a long record only that day', () => {
    const rows = Array.from({ length: 3000 }, (_, index) => row(start - 40 * hour + index * 60_000))
    const record = makeRecord(rows)
    const statistics = createCallStatistics(record, manualClock(start + 10 * hour))
    expect(statistics.of('a').day.calls).toBe(rows.filter(({ time }) => time >= start - 14 * hour).length)
    expect(record.reads()).toBeLessThan(6)
  })
})
