import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { createReadCache } from './server-queries.ts'

function makeCache(maxBytes?: number) {
  let now = 0
  const cache = createReadCache({ clock: { now: () => now, after: () => () => {} }, ...(maxBytes === undefined ? {} : { maxBytes }) })
  return {
    ...cache,
    put: (uri: string, result: JsonObject) => cache.keeper(uri)(result),
    pass(ms: number) {
      now += ms
    },
  }
}
const said = (text: string, ttlMs?: number): JsonObject => ({ contents: [{ text }], ...(ttlMs === undefined ? {} : { ttlMs }) })

describe('a read cache', () => {
  it('keeps a result until its time is over', () => {
    const cache = makeCache()
    cache.put('a:1', said('one', 100))
    cache.pass(99)
    expect(cache.get('a:1')).toEqual(said('one', 100))
    cache.pass(1)
    expect(cache.get('a:1')).toBeUndefined()
  })

  it.each([[undefined], [0], [-5]])('keeps nothing for a time of %s', (ttlMs) => {
    const cache = makeCache()
    cache.put('a:1', said('one', ttlMs))
    expect(cache.get('a:1')).toBeUndefined()
  })

  it('drops what changed, with its parts and what it is part of', () => {
    const cache = makeCache()
    for (const uri of ['a:1', 'a:1/x', 'b:1']) cache.put(uri, said(uri, 100))
    cache.drop('a:1/x')
    expect(['a:1', 'a:1/x', 'b:1'].map((uri) => cache.get(uri) !== undefined)).toEqual([false, false, true])
    cache.clear()
    expect(cache.get('b:1')).toBeUndefined()
  })

  it('does not keep an answer that was overtaken by a change', () => {
    const cache = makeCache()
    const keep = cache.keeper('a:1')
    cache.drop('a:1')
    keep(said('old', 100))
    expect(cache.get('a:1')).toBeUndefined()
  })

  it('holds so many bytes and no more, the oldest first', () => {
    const cache = makeCache(250)
    for (const uri of ['a', 'b', 'c']) cache.put(uri, said('x'.repeat(60), 100))
    expect(['a', 'b', 'c'].map((uri) => cache.get(uri) !== undefined)).toEqual([false, true, true])
    cache.put('d', said('x'.repeat(300), 100))
    expect(['b', 'd'].map((uri) => cache.get(uri) !== undefined)).toEqual([true, false])
  })
})
