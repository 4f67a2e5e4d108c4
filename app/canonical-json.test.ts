import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalToolJson } from './canonical-json.ts'
import type { Json } from './json.ts'

/** The same value with its keys in another order, all the way down. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}

test('spells the same value the same, whatever the order of its keys', () => {
  expect(canonicalToolJson({ b: [1, { d: null, c: 'é' }], a: true })).toBe('{"a":true,"b":[1,{"c":"é","d":null}]}')
  expect(canonicalToolJson({ a: true, b: [1, { c: 'é', d: null }] })).toBe('{"a":true,"b":[1,{"c":"é","d":null}]}')
})

test('is JSON of the value it was given', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const read = JSON.parse(JSON.stringify(value)) as Json
      expect(JSON.parse(canonicalToolJson(read))).toEqual(read)
      expect(canonicalToolJson(reversed(read))).toBe(canonicalToolJson(read))
    }),
  )
})

test('keeps a key that names the prototype', () => {
  expect(canonicalToolJson(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}')
})
