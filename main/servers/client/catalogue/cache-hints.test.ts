import { describe, expect, it } from 'vitest'
import { cacheHints, tightest } from './cache-hints.ts'

describe('cacheHints', () => {
  it.each([
    [
      { ttlMs: 5000, cacheScope: 'public' },
      { ttlMs: 5000, scope: 'public' },
    ],
    [
      { ttlMs: 0, cacheScope: 'private' },
      { ttlMs: 0, scope: 'private' },
    ],
    [{ ttlMs: 5 }, { ttlMs: 5, scope: 'private' }],
    [
      { ttlMs: 5, cacheScope: 'everyone' },
      { ttlMs: 5, scope: 'private' },
    ],
    [
      { ttlMs: 1e15, cacheScope: 'public' },
      { ttlMs: 86_400_000, scope: 'public' },
    ],
    [{ ttlMs: -1 }, undefined],
    [{ ttlMs: 'long' }, undefined],
    [{}, undefined],
  ])('reads %j', (result, hints) => {
    expect(cacheHints(result)).toEqual(hints)
  })
})

describe('tightest', () => {
  const long = { ttlMs: 900, scope: 'public' } as const
  it.each([
    [[], undefined],
    [[long], long],
    [[long, { ttlMs: 5, scope: 'private' } as const], { ttlMs: 5, scope: 'private' }],
    [[long, undefined], undefined],
  ])('of %j', (hints, expected) => {
    expect(tightest(hints)).toEqual(expected)
  })
})
