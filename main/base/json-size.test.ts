import { describe, expect, it } from 'vitest'
import type { Json } from '#app/json.ts'
import { isDeeperThan, jsonSize } from './json-size.ts'

const nested = (depth: number, wrap: (value: Json) => Json): Json => {
  let value: Json = 1
  for (let n = 0; n < depth; n += 1) value = wrap(value)
  return value
}

describe('jsonSize', () => {
  it.each<Json>([null, 1, 'text', 'grüße', [], {}, [1, 'a', null], { a: [{ b: 'c' }], d: false }])('of %j is that of its text', (value) => {
    expect(jsonSize(value)).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify(value)) - 1)
    expect(jsonSize(value)).toBeLessThanOrEqual(Buffer.byteLength(JSON.stringify(value)) + 1)
  })
})

describe('isDeeperThan', () => {
  it.each([
    ['lists', (value: Json) => [value]],
    ['objects', (value: Json) => ({ a: value })],
    ['both, with others beside', (value: Json) => [1, { x: null, a: value, z: 'z' }]],
  ])('counts %s within one another', (_, wrap) => {
    const levels = Array.isArray(wrap(1)) && JSON.stringify(wrap(1)).includes('{') ? 2 : 1
    expect([isDeeperThan(nested(10, wrap), 10 * levels), isDeeperThan(nested(10, wrap), 10 * levels - 1)]).toEqual([false, true])
  })

  it('has an answer at any depth', () => {
    expect(
      isDeeperThan(
        nested(200_000, (value) => [value]),
        500,
      ),
    ).toBe(true)
  })

  it.each([1, 'text', null, undefined, true])('takes %s for flat', (value) => {
    expect(isDeeperThan(value, 0)).toBe(false)
  })
})
