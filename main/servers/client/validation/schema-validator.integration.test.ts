import { afterAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '#app/json.ts'
import { createSchemaChecker } from './schema-validator.ts'

const checker = createSchemaChecker({ limitMs: 1500 })
afterAll(() => checker.dispose())

describe('the check of a value', () => {
  const total = {
    type: 'object',
    properties: { items: { type: 'array', items: { type: 'object', properties: { sum: { type: 'number' } } } } },
  }
  it.each<[title: string, schema: JsonObject, value: Json, result: object]>([
    ['that fits', total, { items: [{ sum: 1 }] }, { kind: 'valid' }],
    ['that does not, names the place', total, { items: [{ sum: 1 }, { sum: 'x' }] }, { kind: 'invalid', place: '/items/1/sum' }],
    ['that lacks something, names the whole', { type: 'object', required: ['a'] }, {}, { kind: 'invalid', place: '/' }],
    [
      'by an old draft',
      { $schema: 'http://json-schema.org/draft-04/schema#', type: 'number', minimum: 3, exclusiveMinimum: true },
      3,
      { kind: 'invalid' },
    ],
    [
      'by draft-07',
      { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }], additionalItems: false },
      ['x', 1],
      { kind: 'invalid', place: '/1' },
    ],
    ['by 2020-12, also unsaid', { prefixItems: [{ type: 'number' }] }, ['x'], { kind: 'invalid', place: '/0' }],
    [
      'by definitions of its own',
      { $defs: { n: { type: 'number' } }, properties: { a: { $ref: '#/$defs/n' } } },
      { a: 'x' },
      { kind: 'invalid', place: '/a' },
    ],
    ['by a schema elsewhere is not made', { $ref: 'https://example.com/s.json' }, 1, { kind: 'unchecked' }],
    ['by a pattern that is none is not made', { type: 'string', pattern: '(' }, 'x', { kind: 'unchecked' }],
    ['that takes too long is given up', { type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`, { kind: 'unchecked' }],
    ['after one that was given up works', { type: 'string' }, 'x', { kind: 'valid' }],
  ])('%s', async (_title, schema, value, result) => {
    expect(await checker.check({ schema, value })).toMatchObject(result)
  })

  it('is one of many at once', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, (_, i) => checker.check({ schema: { maximum: 9 }, value: i })))
    expect(results.map(({ kind }) => kind)).toEqual([...Array<string>(10).fill('valid'), ...Array<string>(10).fill('invalid')])
  })
})
