import { describe, expect, it } from 'vitest'
import { neighboursOf, nextAfter } from './review-order.ts'

describe('nextAfter', () => {
  it.each([
    ['the one that followed', ['a', 'b', 'c'], 'b', ['a', 'c'], 'c'],
    ['the first after the last', ['a', 'b'], 'b', ['a'], 'a'],
    ['the one after that where it went too', ['a', 'b', 'c', 'd'], 'b', ['a', 'd'], 'd'],
    ['one that came in the meantime', ['a'], 'a', ['new'], 'new'],
    ['nothing', ['a'], 'a', [], undefined],
  ] as const)('is %s', (_name, before, id, waiting, expected) => {
    expect(nextAfter(before, id, waiting)).toBe(expected)
  })
})

describe('neighboursOf', () => {
  it('goes around', () => {
    expect([neighboursOf(['a', 'b', 'c'], 'a'), neighboursOf(['a', 'b', 'c'], 'c')]).toEqual([
      { previous: 'c', next: 'b' },
      { previous: 'b', next: 'a' },
    ])
  })

  it('knows none of the only one, or of one that is gone', () => {
    expect([neighboursOf(['a'], 'a'), neighboursOf(['a', 'b'], 'x')]).toEqual([undefined, undefined])
  })
})
