import { describe, expect, it } from 'vitest'
import { neighboursOf, nextAfter, oneOfEachForm } from './use-review.ts'

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

describe('oneOfEachForm', () => {
  const step = (id: string, index: number) => ({ id, step: { group: 'g', index, count: 2 } })
  const all = [{ id: 'a' }, step('s1', 1), step('s2', 2), { id: 'b' }]

  it.each([
    ['the first step', undefined, ['a', 's1', 'b']],
    ['the first step beside another request', 'b', ['a', 's1', 'b']],
    ['the step that is shown', 's2', ['a', 's2', 'b']],
  ])('has %s', (_name, shown, expected) => {
    expect(oneOfEachForm(all, shown).map(({ id }) => id)).toEqual(expected)
  })
})
