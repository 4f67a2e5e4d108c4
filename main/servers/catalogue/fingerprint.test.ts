import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '#app/json.ts'
import { canonicalJson, toolFingerprint } from './fingerprint.ts'

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

describe('canonicalJson', () => {
  it('is the same in whatever order keys came, and means the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (made) => {
        const value = JSON.parse(JSON.stringify(made)) as Json
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
        expect(JSON.parse(canonicalJson(value))).toEqual(value)
      }),
    )
  })
})

describe('toolFingerprint', () => {
  const tool = {
    name: 'pay',
    title: 'Pay',
    description: 'Pays an invoice',
    inputSchema: { type: 'object', properties: { id: { type: 'string' }, sum: { type: 'number' } } },
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: false },
  }

  it('does not depend on the order of keys', () => {
    const { name, ...rest } = tool
    const inputSchema = { properties: { sum: { type: 'number' }, id: { type: 'string' } }, type: 'object' }
    expect(toolFingerprint({ ...rest, inputSchema, name })).toBe(toolFingerprint(tool))
  })

  it.each([
    { name: 'pay2' },
    { title: undefined },
    { description: 'Pays an invoice ' },
    { description: 'Pays an invoice\u200b' },
    { inputSchema: { type: 'object' } },
    { outputSchema: undefined },
    { annotations: { readOnlyHint: true } },
    { annotations: { readOnlyHint: false, extra: 1 } },
  ])('changes with %j', (change) => {
    expect(toolFingerprint({ ...tool, ...change })).not.toBe(toolFingerprint(tool))
  })

  it('is the same from one version of Assent to the next', () => {
    expect(toolFingerprint({ name: 'a', inputSchema: { type: 'object' } })).toBe(
      '60d4353e9a5499b483d09f13d9e28060e70f34edf787bb7040ba30bd390f85af',
    )
  })
})
