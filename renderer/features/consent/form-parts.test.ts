import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '#app/json.ts'
import { blankFor, controlFor, formErrors, withMember } from './form-parts.ts'

describe('the control of a part', () => {
  it.each<[string, JsonObject, Json | undefined, string]>([
    ['text', { type: 'string' }, 'a', 'text'],
    ['a number', { type: 'integer' }, 1, 'number'],
    ['yes or no', { type: 'boolean' }, true, 'boolean'],
    ['a choice', { enum: ['a', 1, null] }, 1, 'choice'],
    ['a list', { type: 'array', items: { type: 'string' } }, ['a'], 'list'],
    ['an object', { type: 'object', properties: { a: {} } }, {}, 'object'],
    ['an object of anything', { type: 'object' }, { a: 1 }, 'object'],
    ['a value that is no choice', { enum: ['a'] }, 'b', 'json'],
    ['a value of another type', { type: 'string' }, 1, 'json'],
    ['one of several forms', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'a', 'json'],
    ['a list of anything', { type: 'array' }, [1], 'json'],
    ['several types', { type: ['string', 'null'] }, 'a', 'json'],
    ['no schema', {}, { a: 1 }, 'json'],
  ])('for %s', (_name, schema, value, kind) => {
    expect(controlFor(schema, value).kind).toBe(kind)
  })
})

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
    },
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
  ])('is %s', (_name, value, places) => {
    expect(Object.keys(formErrors(value, schema))).toEqual(places)
  })
})

it('a part that is added begins as its schema says, and one that is left out leaves the others in their places', () => {
  const item: JsonObject = {
    type: 'object',
    required: ['a', 'n'],
    properties: { a: { type: 'string' }, n: { type: 'number', minimum: 2 }, c: {} },
  }
  expect([blankFor(item), blankFor({ default: [1] }), blankFor({ enum: ['p', 'q'] }), blankFor({ type: 'array' })]).toEqual([
    { a: '', n: 2 },
    [1],
    'p',
    [],
  ])
  expect(Object.keys(withMember({ a: 1, b: 2, c: 3 }, 'b', undefined))).toEqual(['a', 'c'])
  expect(Object.keys(withMember({ a: 1, b: 2, c: 3 }, 'b', 4))).toEqual(['a', 'b', 'c'])
})
