import { describe, expect, it } from 'vitest'
import type { LogLine } from '#app/server/server-state.ts'
import { addLines, emptyLog, linesOf, logRows, passes } from './log-lines.ts'

const line = (seq: number, extra: Partial<LogLine> = {}): LogLine => ({ seq, time: 0, source: 'stderr', text: `line ${seq}`, ...extra })
const seqs = (lines: readonly LogLine[]): number[] => lines.map((one) => one.seq)

describe('log lines', () => {
  it('take what is new of a batch that overlaps', () => {
    const page = addLines(addLines(emptyLog, [line(1), line(2)], 0), [line(2), line(3)], 0)
    expect(seqs(page.lines)).toEqual([1, 2, 3])
  })

  it('are bounded and say how many are gone', () => {
    const page = addLines(emptyLog, [line(1), line(2), line(3)], 5, 2)
    expect({ seqs: seqs(page.lines), dropped: page.dropped }).toEqual({ seqs: [2, 3], dropped: 6 })
  })

  it('stay the same object when nothing came', () => {
    const page = addLines(emptyLog, [line(1)], 0)
    expect(addLines(page, [line(1)], 0)).toBe(page)
  })

  it('are filtered by level, and stderr without one is no error', () => {
    const kinds = [line(1), line(2, { level: 'warning' }), line(3, { level: 'critical' })]
    const kept = (filter: 'all' | 'warnings' | 'errors') => seqs(kinds.filter((one) => passes(one, filter)))
    expect([kept('all'), kept('warnings'), kept('errors')]).toEqual([[1, 2, 3], [2, 3], [3]])
  })

  it('are filtered by where they come from', () => {
    const kinds = [line(1), line(2, { source: 'host' }), line(3, { source: 'message', level: 'error' })]
    const kept = (source: 'all' | 'stderr' | 'message') => seqs(kinds.filter((one) => passes(one, 'all', source)))
    expect([kept('all'), kept('stderr'), kept('message')]).toEqual([[1, 2, 3], [1], [3]])
  })

  it('of earlier runs stand above a divider, which is there only with something above it', () => {
    const page = { lines: [line(1), line(2)], dropped: 0, earlier: [line(-2), line(-1, { source: 'host' })] }
    const shown = { filter: 'all', source: 'all', clearedTo: Number.NEGATIVE_INFINITY } as const
    expect(logRows(page, shown).map(({ key }) => key)).toEqual(['-2', '-1', 'this-run', '1', '2'])
    expect(logRows(page, { ...shown, source: 'host' }).map(({ key }) => key)).toEqual(['-1', 'this-run'])
    expect(logRows(page, { ...shown, clearedTo: 1 }).map(({ key }) => key)).toEqual(['2'])
    expect(seqs(linesOf(logRows(page, shown)))).toEqual([-2, -1, 1, 2])
  })

  it('keep what is of earlier runs when new ones come', () => {
    expect(addLines({ ...emptyLog, earlier: [line(-1)] }, [line(1)], 0).earlier).toEqual([line(-1)])
  })
})
