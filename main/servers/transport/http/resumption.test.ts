import { describe, expect, it } from 'vitest'
import { createResumption } from './resumption.ts'

describe('a stream that is asked for again', () => {
  it('in vain is asked for ever more seldom, and then no more', () => {
    const resumption = createResumption(() => 0)
    const waits = Array.from({ length: 10 }, () => resumption.next('a'))
    expect(waits).toEqual([0, 0, 1000, 2000, 4000, 8000, 16_000, 30_000, 'enough', 'enough'])
    expect(resumption.next('b')).toBe(0)
  })

  it('is asked for at once when it brought something, or stood for a while', () => {
    let now = 0
    const resumption = createResumption(() => now)
    for (let times = 0; times < 5; times += 1) resumption.next(undefined)
    resumption.resume(undefined).brought()
    expect(resumption.next(undefined)).toBe(0)
    for (let times = 0; times < 5; times += 1) resumption.next(undefined)
    now = 60_000
    expect(resumption.next(undefined)).toBe(0)
  })
})
