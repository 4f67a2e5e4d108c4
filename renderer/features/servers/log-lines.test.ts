import { describe, expect, it } from 'vitest'
import type { LogLine } from '#app/server/state.ts'
import { addLines, emptyLog, passes, plainText } from './log-lines.ts'

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

  it.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007text', 'text'],
    ['\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001b[2J\u001b[Hclean', 'clean'],
    ['10%\r50%\r100%', '100%'],
    ['windows\r', 'windows'],
    ['plain [31m', 'plain [31m'],
  ])('draw %j as plain text', (text, plain) => {
    expect(plainText(text)).toBe(plain)
  })

  it('are filtered by level, and stderr without one is no error', () => {
    const kinds = [line(1), line(2, { level: 'warning' }), line(3, { level: 'critical' })]
    const kept = (filter: 'all' | 'warnings' | 'errors') => seqs(kinds.filter((one) => passes(one, filter)))
    expect([kept('all'), kept('warnings'), kept('errors')]).toEqual([[1, 2, 3], [2, 3], [3]])
  })
})
