import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../json.ts'
import { type ElicitationField, elicitationFields, validateElicitation, withDefaults } from './elicitation.ts'

const form = (properties: JsonObject, required: string[] = []): JsonObject => ({ type: 'object', properties, required })

describe('fields of a form', () => {
  test.each<[string, JsonObject, Partial<ElicitationField>]>([
    [
      'text with its limits',
      { type: 'string', title: 'Name', description: 'Yours', minLength: 1, maxLength: 9, pattern: '^a', default: 'al' },
      { kind: 'text', title: 'Name', description: 'Yours', minLength: 1, maxLength: 9, pattern: '^a', default: 'al' },
    ],
    ['text with a format', { type: 'string', format: 'email' }, { kind: 'text', format: 'email' }],
    ['an unknown format is plain text', { type: 'string', format: 'colour' }, { kind: 'text' }],
    [
      'an integer',
      { type: 'integer', minimum: 1, maximum: 5, default: 2 },
      { kind: 'number', integer: true, minimum: 1, maximum: 5, default: 2 },
    ],
    ['a number', { type: 'number' }, { kind: 'number', integer: false }],
    ['a boolean', { type: 'boolean', default: false }, { kind: 'boolean', default: false }],
    [
      'an enum with names',
      { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'], default: 'm' },
      {
        kind: 'choice',
        options: [
          { value: 's', title: 'Small' },
          { value: 'm', title: 'Medium' },
        ],
        default: 'm',
      },
    ],
    [
      'titled choices',
      { type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }], default: 'z' },
      {
        kind: 'choice',
        options: [
          { value: 'a', title: 'A' },
          { value: 'b', title: 'b' },
        ],
      },
    ],
    [
      'many of an enum',
      { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['a', 'b'] }, default: ['b', 'z'] },
      {
        kind: 'choices',
        options: [
          { value: 'a', title: 'a' },
          { value: 'b', title: 'b' },
        ],
        minItems: 1,
        maxItems: 2,
        default: ['b'],
      },
    ],
    [
      'many of titled choices',
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
      { kind: 'choices', options: [{ value: 'a', title: 'A' }] },
    ],
    ['an object inside', { type: 'object', properties: {} }, { kind: 'unsupported' }],
    ['a free list', { type: 'array', items: { type: 'string' } }, { kind: 'unsupported' }],
    ['an enum of numbers', { type: 'string', enum: [1, 2] }, { kind: 'unsupported' }],
    ['no type', {}, { kind: 'unsupported' }],
  ])('%s', (_title, property, expected) => {
    expect(elicitationFields(form({ field: property }))).toEqual([{ name: 'field', required: false, secret: false, ...expected }])
  })

  test('says which are required and which look secret', () => {
    const fields = elicitationFields(form({ room: { type: 'string' }, code: { type: 'string', title: 'Your password' } }, ['room']))
    expect(fields.map(({ name, required, secret }) => [name, required, secret])).toEqual([
      ['room', true, false],
      ['code', false, true],
    ])
  })

  test.each([
    ['a look-alike title', { title: 'Pаsswоrd' }, ''],
    ['another language', { title: 'Contraseña' }, ''],
    ['the description', { description: 'The twelve words of your seed phrase' }, ''],
    ['the message', {}, 'Please type the password of your account.'],
  ])('%s that asks for a secret marks the field', (_title, words, message) => {
    const [field] = elicitationFields(form({ value: { type: 'string', ...words } }), message)
    expect(field?.secret).toBe(true)
  })

  test('a schema without properties has none', () => {
    expect(elicitationFields({ type: 'object' })).toEqual([])
  })
})

describe('answers', () => {
  test.each<[string, JsonObject, unknown, boolean]>([
    ['text', { type: 'string' }, 'x', true],
    ['a number for text', { type: 'string' }, 1, false],
    ['too short', { type: 'string', minLength: 2 }, 'x', false],
    ['too long', { type: 'string', maxLength: 2 }, 'xyz', false],
    ['counted in characters, not units', { type: 'string', maxLength: 1 }, '😀', true],
    ['an e-mail address', { type: 'string', format: 'email' }, 'a@example.com', true],
    ['no e-mail address', { type: 'string', format: 'email' }, 'a@b', false],
    ['an address', { type: 'string', format: 'uri' }, 'https://example.com/x', true],
    ['no address', { type: 'string', format: 'uri' }, 'example', false],
    ['a date', { type: 'string', format: 'date' }, '2026-02-28', true],
    ['no such day', { type: 'string', format: 'date' }, '2026-02-30', false],
    ['a date and time', { type: 'string', format: 'date-time' }, '2026-11-21T09:30:00+01:00', true],
    ['no such hour', { type: 'string', format: 'date-time' }, '2026-11-21T29:30:00Z', false],
    ['the pattern', { type: 'string', pattern: '^[A-Z]{2}$' }, 'AB', true],
    ['not the pattern', { type: 'string', pattern: '^[A-Z]{2}$' }, 'ab', false],
    ['a pattern that would never end is not run', { type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`, true],
    ['a number', { type: 'number', minimum: 1, maximum: 2 }, 1.5, true],
    ['under the least', { type: 'number', minimum: 1 }, 0, false],
    ['over the most', { type: 'number', maximum: 1 }, 2, false],
    ['half an integer', { type: 'integer' }, 1.5, false],
    ['a number as text', { type: 'number' }, '1', false],
    ['a boolean', { type: 'boolean' }, false, true],
    ['text for a boolean', { type: 'boolean' }, 'true', false],
    ['a choice', { type: 'string', enum: ['a', 'b'] }, 'b', true],
    ['no choice of these', { type: 'string', enum: ['a', 'b'] }, 'c', false],
    ['choices', { type: 'array', items: { enum: ['a', 'b'] } }, ['a', 'b'], true],
    ['a choice twice', { type: 'array', items: { enum: ['a', 'b'] } }, ['a', 'a'], false],
    ['too few choices', { type: 'array', minItems: 1, items: { enum: ['a'] } }, [], false],
    ['too many choices', { type: 'array', maxItems: 1, items: { enum: ['a', 'b'] } }, ['a', 'b'], false],
    ['anything for an unsupported field', { type: 'object' }, {}, false],
  ])('%s', (_title, property, value, ok) => {
    const check = validateElicitation(form({ field: property }), { field: value })
    expect(check.ok ? check : Object.keys(check.errors)).toEqual(ok ? { ok, content: { field: value } } : ['field'])
  })

  test('names what is missing and what nobody asked for', () => {
    const check = validateElicitation(form({ room: { type: 'string' }, seats: { type: 'integer' } }, ['room']), { extra: 1 })
    expect(check.ok ? [] : Object.keys(check.errors)).toEqual(['room', 'extra'])
  })

  test('an inherited name is no answer', () => {
    expect(validateElicitation(form({ constructor: { type: 'string' } }, ['constructor']), {}).ok).toBe(false)
  })

  test('nothing at all satisfies a form that requires nothing', () => {
    expect(validateElicitation(form({ note: { type: 'string' } }), undefined)).toEqual({ ok: true, content: {} })
  })
})

test('only the first few patterns of a form are used: all are checked with each key that the person presses', () => {
  const names = Array.from({ length: 200 }, (_, i) => `f${i}`)
  const schema = form(Object.fromEntries(names.map((name) => [name, { type: 'string', pattern: '^a+a+$' }])))
  const used = elicitationFields(schema).filter((field) => field.kind === 'text' && field.pattern !== undefined)
  expect(used.map(({ name }) => name)).toEqual(names.slice(0, 8))
  expect(validateElicitation(schema, { f0: 'b' }).ok).toBe(false)
})

test('a form of more words than are read counts as one that asks for secrets', () => {
  const schema = form(
    Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`f${at}`, { type: 'string', description: 'a'.repeat(8000) }])),
  )
  expect(elicitationFields(schema).map(({ secret }) => secret)).toEqual([...Array(7).fill(false), ...Array(3).fill(true)])
})

test.each([{ format: 'password' }, { writeOnly: true }, { password: true }])('a field that says %j is secret', (more) => {
  const schema = form({ field: { type: 'string', default: 'mine', ...more } })
  expect([elicitationFields(schema)[0]?.secret, withDefaults(schema, {})]).toEqual([true, {}])
})

test('what the server proposes stands for what nobody answered; a secret is never proposed', () => {
  const schema = form({
    name: { type: 'string', default: 'Ada' },
    seats: { type: 'integer', default: 0 },
    quiet: { type: 'boolean', default: false },
    days: { type: 'array', items: { enum: ['mo', 'tu'] }, default: ['tu'] },
    colour: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }], default: 'none of these' },
    password: { type: 'string', default: 'hunter2' },
  })
  expect(withDefaults(schema, { name: 'Grace' })).toEqual({ name: 'Grace', seats: 0, quiet: false, days: ['tu'] })
})
