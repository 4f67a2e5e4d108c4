import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'
import type { Json } from './json.ts'

test('spells the same value the same, whatever the order of its keys', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'é' }], a: true })).toBe('{"a":true,"b":[1,{"c":"é","d":null}]}')
  expect(canonicalJson({ a: true, b: [1, { c: 'é', d: null }] })).toBe('{"a":true,"b":[1,{"c":"é","d":null}]}')
})

test('is JSON of the value it was given', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value as Json))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('keeps a key that names the prototype', () => {
  expect(canonicalJson(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}')
})
