import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../json.ts'
import { type Checked, createCheck } from './check-value.ts'
import { formatProblem } from './string-formats.ts'

const check = (schema: JsonObject, value: Json): Checked => createCheck(schema)(value)
const places = (schema: JsonObject, value: Json): readonly string[] | string => {
  const checked = check(schema, value)
  return checked.kind === 'checked' ? Object.keys(checked.errors).sort((a, b) => (a < b ? -1 : 1)) : checked.because
}

describe('what is wrong', () => {
  const schema: JsonObject = {
    type: 'object',
    required: ['a', 'list'],
    additionalProperties: false,
    properties: {
      a: { type: 'string', minLength: 2, pattern: '^x' },
      n: { type: 'integer', minimum: 1, maximum: 3 },
      kind: { enum: ['p', 'q'] },
      list: { type: 'array', minItems: 1, items: { type: 'object', required: ['b/c'], properties: { 'b/c': { type: 'boolean' } } } },
      'a b#é%': { type: 'string' },
      shape: {
        oneOf: [
          { type: 'object', required: ['kind', 'r'], properties: { kind: { const: 'circle' }, r: { type: 'number' } } },
          { type: 'object', required: ['kind', 'side'], properties: { kind: { const: 'square' }, side: { type: 'number' } } },
          { type: 'string' },
        ],
      },
      node: { $ref: '#/$defs/node' },
      both: { anyOf: [{ type: 'number', minimum: 3 }, { type: 'null' }] },
    },
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, n: { type: 'number', exclusiveMinimum: 0 } } } },
  }
  const right = { a: 'xy', list: [{ 'b/c': true }] }
  it.each<[string, JsonObject, readonly string[]]>([
    ['nothing', right, []],
    ['what is missing', {}, ['/a', '/list']],
    ['a text too short', { ...right, a: 'x' }, ['/a']],
    ['a text of another form', { ...right, a: 'yy' }, ['/a']],
    ['no whole number', { ...right, n: 1.5 }, ['/n']],
    ['a number too great', { ...right, n: 4 }, ['/n']],
    ['no choice', { ...right, kind: 'r' }, ['/kind']],
    ['an empty list', { ...right, list: [] }, ['/list']],
    ['deep within, by its place', { ...right, list: [{ 'b/c': true }, {}, { 'b/c': 'yes' }] }, ['/list/1/b~1c', '/list/2/b~1c']],
    ['what the tool does not take', { ...right, more: 1 }, ['/more']],
    ['at a place of any name', { ...right, 'a b#é%': 1 }, ['/a b#é%']],
    ['of several forms what the one that it has lacks', { ...right, shape: { kind: 'square', side: 'x' } }, ['/shape/side']],
    ['of several forms that it has none', { ...right, shape: 5 }, ['/shape']],
    ['through references', { ...right, node: { next: { next: { n: 0 } } } }, ['/node/next/next/n']],
    ['of one that may be null', { ...right, both: 2 }, ['/both']],
  ])('is %s', (_name, value, expected) => {
    expect(places(schema, value)).toEqual(expected)
  })

  it('is said of a limit that is no text either', () => {
    expect(places({ properties: { a: { const: { toString: 1 } }, b: { type: 'string' } } }, { a: 1, b: 2 })).toEqual(['/a', '/b'])
  })

  it('is that more than one form fits', () => {
    const said = check({ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 3)
    expect(said.kind === 'checked' && Object.keys(said.errors)).toEqual([''])
  })

  it.each<[string, JsonObject, Json, readonly string[]]>([
    ['a condition', JSON.parse('{"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}}') as JsonObject, { a: 1 }, ['/b']],
    ['what another needs', { dependentRequired: { a: ['b'] } }, { a: 1 }, ['/b']],
    ['no multiple', { multipleOf: 0.1 }, 0.25, ['']],
    ['a value that is ruled out', { not: { const: 1 } }, 1, ['']],
    ['an item that the place rules out', { prefixItems: [{ type: 'string' }], items: false }, ['a', 1], ['/1']],
    ['by the older drafts', { $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true }, 1, ['']],
  ])('is also %s', (_name, wrong, value, expected) => {
    expect(places(wrong, value)).toEqual(expected)
  })
})

describe('a schema that is an attack', () => {
  const doubled = (levels: number): JsonObject => ({
    allOf: [{ $ref: '#/$defs/l0' }],
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, n) => [
        `l${n}`,
        n === levels - 1 ? { type: 'number' } : { allOf: [{ $ref: `#/$defs/l${n + 1}` }, { $ref: `#/$defs/l${n + 1}` }] },
      ]),
    ),
  })
  const deep = (levels: number): Json => (levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } })
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`p${n}`, { type: 'string' }]))
  it.each<[string, JsonObject, Json, readonly string[] | string]>([
    ['doubles itself forty times', doubled(40), 1, 'too-much'],
    ['refers to itself for ever', { $ref: '#' }, 1, 'too-much'],
    ['is a thousand deep', deep(1000) as JsonObject, {}, 'too-much'],
    ['has twenty thousand members', { type: 'object', properties: wide }, {}, 'too-much'],
    ['refers elsewhere', { $ref: 'https://example.com/s.json' }, 1, 'schema'],
    ['is nonsense', { type: 'object', properties: { a: 5 }, required: 7 } as unknown as JsonObject, { a: 1 }, 'schema'],
    ['has an expression that would take for ever', { type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(90)}!`, []],
    [
      'has one among its names',
      { patternProperties: { '^(a+)+$': false }, additionalProperties: false },
      { [`${'a'.repeat(90)}!`]: 1 },
      [],
    ],
    ['compares all with all', { type: 'array', uniqueItems: true }, Array.from({ length: 20_000 }, (_, n) => n), []],
  ])('that %s ends', (_name, schema, value, expected) => {
    expect(places(schema, value)).toEqual(expected)
  })

  it('leaves the schema that it was given as it was', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/a', format: 'date' } }, $defs: { a: { pattern: '(a+)+' } } } as const
    const before = JSON.stringify(schema)
    check(schema, { a: 'x' })
    expect([JSON.stringify(schema), Object.isExtensible(schema), Object.getOwnPropertyNames(schema)]).toEqual([
      before,
      true,
      ['type', 'properties', '$defs'],
    ])
  })
})

it.each<[string, string, boolean]>([
  ['date', '2026-02-30', false],
  ['date', '2026-02-28', true],
  ['date-time', '2026-11-22T09:30:00Z', true],
  ['date-time', '2026-11-22', false],
  ['time', '09:30:00+01:00', true],
  ['email', 'a@b', false],
  ['uri', 'https://example.com', true],
  ['uri', 'example', false],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000', true],
  ['ipv4', '256.1.1.1', false],
  ['of another kind', 'anything', true],
  ['constructor', 'anything', true],
])('a text of the format %s: %s', (format, text, fits) => {
  expect(formatProblem(format, text) === undefined).toBe(fits)
})
