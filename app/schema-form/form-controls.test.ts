import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../json.ts'
import { blankFor, inOtherForm, withMember } from './blank-value.ts'
import { formPartOf, type Shape } from './form-controls.ts'

const shapeOf = (schema: Json, value: Json, root: JsonObject = {}, picked?: number): Shape =>
  formPartOf(schema, value, { root, depth: 0, picked }).shape
const kindOf = (schema: Json, value: Json, root?: JsonObject): string => shapeOf(schema, value, root).kind

const tree: JsonObject = {
  $ref: '#/$defs/node',
  $defs: {
    node: { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } } },
  },
}

describe('the control of a part', () => {
  it.each<[string, Json, Json, string]>([
    ['text', { type: 'string' }, 'a', 'text'],
    ['text that only its rules tell of', { minLength: 1 }, 'a', 'text'],
    ['a number', { type: 'integer' }, 1, 'number'],
    ['a number that is not whole, which the check names', { type: 'integer' }, 1.5, 'number'],
    ['yes or no', { type: 'boolean' }, true, 'boolean'],
    ['nothing', { type: 'null' }, null, 'null'],
    ['a choice', { enum: ['a', 1, null, { b: [1] }] }, { b: [1] }, 'choice'],
    [
      'a titled choice',
      {
        oneOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'B' },
        ],
      },
      'b',
      'choice',
    ],
    ['a constant', { const: { a: 1 } }, { a: 1 }, 'fixed'],
    ['a list', { type: 'array', items: { type: 'string' } }, ['a'], 'list'],
    ['a list of anything', { type: 'array', items: true }, [1], 'list'],
    ['a list whose items have places', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, ['a', 1], 'list'],
    ['a list of the older drafts', { type: 'array', items: [{ type: 'string' }] }, ['a'], 'list'],
    ['a set of choices', { type: 'array', uniqueItems: true, items: { enum: ['a', 'b'] } }, ['b'], 'several'],
    ['such a list with one of them twice', { type: 'array', uniqueItems: true, items: { enum: ['a', 'b'] } }, ['b', 'b'], 'list'],
    ['an object', { type: 'object', properties: { a: {} } }, {}, 'object'],
    ['an object that only its members tell of', { properties: { a: {} } }, {}, 'object'],
    ['a map', { type: 'object', additionalProperties: { type: 'number' } }, { a: 1 }, 'object'],
    ['one of several forms', { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: {} } }] }, { a: 1 }, 'variants'],
    ['one of several types', { type: ['string', 'number'] }, 1, 'variants'],
    ['text or null', { type: ['string', 'null'] }, 'a', 'text'],
    ['text or null, where it is null', { type: ['string', 'null'] }, null, 'null'],
    ['the same as a choice of forms', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'a', 'text'],
    ['what several say together', { allOf: [{ type: 'object', properties: { a: {} } }, { properties: { b: {} } }] }, {}, 'object'],
    ['what several say that goes not together', { allOf: [{ anyOf: [{}, { a: 1 }] }, { anyOf: [{ b: 1 }] }] }, {}, 'json'],
    ['a value that is no choice', { enum: ['a'] }, 'b', 'json'],
    ['a value of another type', { type: 'string' }, 1, 'json'],
    ['no schema', {}, { a: 1 }, 'json'],
    ['a schema that lets all through', true, { a: 1 }, 'json'],
    ['a schema that lets nothing through', false, 1, 'json'],
    ['a schema elsewhere', { $ref: 'https://example.com/a.json' }, 1, 'json'],
    ['a reference that leads nowhere', { $ref: '#/$defs/none' }, 1, 'json'],
    ['a thousand items', { type: 'array', items: {} }, Array.from({ length: 1000 }, () => 1), 'json'],
  ])('for %s', (_name, schema, value, kind) => {
    expect(kindOf(schema, value)).toBe(kind)
  })

  it('follows references, also to itself, and writes as JSON what lies too deep', () => {
    const kinds = (depth: number): string => formPartOf(tree, {}, { root: tree, depth }).shape.kind
    expect([kinds(0), kinds(10), kinds(11)]).toEqual(['object', 'object', 'json'])
  })

  it('ends at references that lead to themselves', () => {
    const circle: JsonObject = { $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } } }
    expect([kindOf({ $ref: '#/$defs/a' }, 1, circle), blankFor({ $ref: '#/$defs/a' }, circle)]).toEqual(['json', null])
  })

  it('follows anchors and ids among the definitions', () => {
    const root: JsonObject = { $defs: { a: { $anchor: 'here', type: 'string' }, b: { $id: 'b.json', type: 'boolean' } } }
    expect([kindOf({ $ref: '#here' }, 'a', root), kindOf({ $ref: 'b.json' }, true, root)]).toEqual(['text', 'boolean'])
  })
})

describe('an object', () => {
  const names = (schema: JsonObject, value: JsonObject): unknown => {
    const shape = shapeOf(schema, value)
    return shape.kind === 'object' ? [shape.members.map(({ name, needed }) => (needed ? `${name}!` : name)), shape.more] : shape.kind
  }
  it.each<[string, JsonObject, JsonObject, unknown]>([
    [
      'has what its schema names, then what it has besides',
      { type: 'object', required: ['b', 'c'], properties: { a: {}, b: {} } },
      { z: 1 },
      [['a', 'b!', 'c!', 'z'], undefined],
    ],
    [
      'takes more where that is said',
      { type: 'object', properties: { a: {} }, additionalProperties: { type: 'number' } },
      {},
      [['a'], { type: 'number' }],
    ],
    ['takes no more where that is said', { type: 'object', properties: {}, additionalProperties: false }, { z: 1 }, [['z'], undefined]],
    ['of no names takes any', { type: 'object' }, {}, [[], true]],
    [
      'also has what it may have when another is there',
      JSON.parse('{"type": "object", "properties": {"a": {}}, "then": {"properties": {"b": {}, "a": {}}}}') as JsonObject,
      {},
      [['a', 'b'], undefined],
    ],
  ])('%s', (_name, schema, value, expected) => {
    expect(names(schema, value)).toEqual(expected)
  })

  it('gives a member of no name the schema of its pattern', () => {
    const schema: JsonObject = { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false }
    const shape = shapeOf(schema, { 'x-a': 'b' })
    expect(shape.kind === 'object' && [shape.members[0]?.schema, shape.more]).toEqual([{ type: 'string' }, true])
  })

  it('may be named like anything', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}') as JsonObject
    expect([names(schema, {}), names({ allOf: [schema, {}] }, {})]).toEqual([
      [['__proto__', 'constructor'], undefined],
      [['__proto__', 'constructor'], undefined],
    ])
  })
})

describe('one of several forms', () => {
  const circle: JsonObject = {
    title: 'Circle',
    type: 'object',
    required: ['kind', 'r'],
    properties: { kind: { const: 'circle' }, r: { type: 'number' } },
  }
  const square: JsonObject = {
    type: 'object',
    required: ['kind', 'side'],
    properties: { kind: { const: 'square' }, side: { type: 'number' }, r: { type: 'number' } },
  }
  const forms = { oneOf: [circle, square] }
  const at = (value: Json, picked?: number): unknown => {
    const shape = shapeOf(forms, value, {}, picked)
    return shape.kind === 'variants' ? [shape.at, shape.variants.map(({ title }) => title)] : shape.kind
  }
  it('is the one that the value has', () => {
    const titles = ['Circle', 'kind: square']
    expect([at({ kind: 'square', r: 1 }), at({ kind: 'circle' }), at('round')]).toEqual([[1, titles], [0, titles], 'json'])
  })
  it('is the one that was chosen, as long as the value may have it', () => {
    const loose = { anyOf: [{ type: 'object', properties: { a: {} } }, { type: 'object', properties: { b: {} } }, { type: 'string' }] }
    const chosen = (value: Json, picked: number): unknown => {
      const shape = shapeOf(loose, value, {}, picked)
      return shape.kind === 'variants' && shape.at
    }
    expect([chosen({}, 1), chosen({}, 2)]).toEqual([1, 0])
  })
  it('keeps in another form what both have', () => {
    expect(inOtherForm({ kind: 'circle', r: 3 }, square, {})).toEqual({ kind: 'square', side: 0, r: 3 })
  })
})

it('what is added begins as its schema says, and what is left out leaves the others in their places', () => {
  const item: JsonObject = {
    type: 'object',
    required: ['a', 'n'],
    properties: { a: { type: 'string' }, n: { type: 'number', minimum: 2 }, c: {} },
  }
  expect(
    [
      item,
      { default: [1] },
      { enum: ['p', 'q'] },
      { type: 'array' },
      { type: 'array', minItems: 2, items: { type: 'boolean' } },
      { type: ['null', 'string'] },
      { oneOf: [{ type: 'integer', exclusiveMinimum: 0 }] },
      { const: 7 },
    ].map((one) => blankFor(one as Json, {})),
  ).toEqual([{ a: '', n: 2 }, [1], 'p', [], [false, false], null, 1, 7])
  expect(Object.keys(withMember({ a: 1, b: 2, c: 3 }, 'b', undefined))).toEqual(['a', 'c'])
  expect(Object.keys(withMember({ a: 1, b: 2, c: 3 }, 'b', 4))).toEqual(['a', 'b', 'c'])
})
