import { describe, expect, it } from 'vitest'
import type { LogLine } from '#app/server/server-state.ts'
import type { LogRow } from './log-lines.ts'
import { findRows, nextMatch, splitAtMatches } from './log-list.tsx'

const line = (text: string): LogLine => ({ seq: 1, time: 0, source: 'stderr', text })
const rows = (...texts: string[]): LogRow[] => texts.map((text, index) => ({ kind: 'line', key: String(index), line: line(text) }))
const cut = (text: string, query: string): string =>
  splitAtMatches(line(text), query)
    .map((piece) => (piece.found ? `[${piece.text}]` : piece.text))
    .join('|')

describe('looking for words in a log', () => {
  it('finds rows whatever the case and whatever colours lie between the letters', () => {
    const log: LogRow[] = [...rows('An Error', 'fine'), { kind: 'this-run', key: 'this-run' }, ...rows('er\u001b[31mror\u001b[0m')]
    expect([findRows(log, 'ERROR'), findRows(log, ''), findRows(log, 'this run')]).toEqual([[0, 3], [], []])
  })

  it.each([
    ['say error, error', 'ERROR', 'say |[error]|, |[error]'],
    ['a\u001b[31mbc\u001b[0md', 'bcd', 'a|[bc]|[d]'],
    ['aaaa', 'aa', '[aa]|[aa]'],
    ['none', 'x', 'none'],
    ['a.b', '.', 'a|[.]|b'],
    ['İstanbul error', 'error', 'İstanbul |[error]'],
  ])('marks in %j what is %j', (text, query, marked) => {
    expect(cut(text, query)).toBe(marked)
  })

  it('keeps the style of each piece', () => {
    expect(splitAtMatches(line('\u001b[32mgreen'), 'een')).toEqual([
      { text: 'gr', style: { colour: 'green' }, found: false },
      { text: 'een', style: { colour: 'green' }, found: true },
    ])
  })

  it('goes from match to match and round the ends', () => {
    const matches = [2, 5, 9]
    expect([nextMatch(matches, undefined, 1), nextMatch(matches, 5, 1), nextMatch(matches, 9, 1), nextMatch(matches, 6, 1)]).toEqual([
      2, 9, 2, 9,
    ])
    expect([nextMatch(matches, undefined, -1), nextMatch(matches, 5, -1), nextMatch(matches, 2, -1)]).toEqual([9, 2, 9])
    expect(nextMatch([], 1, 1)).toBeUndefined()
  })
})
