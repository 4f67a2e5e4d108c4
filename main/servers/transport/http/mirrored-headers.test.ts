import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { encodeHeaderValue, mirroredHeaders, mirrorMismatch, readMirrors } from './mirrored-headers.ts'

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })
const header = (name: unknown, type = 'string'): JsonObject => ({ type, 'x-mcp-header': name as string })

describe('arguments mirrored into headers', () => {
  it('are found at any depth of properties', () => {
    const schema = object({
      region: header('Region'),
      plain: { type: 'string', default: 'x-mcp-header' },
      deep: object({ id: header('Deep-Id', 'integer'), properties: header('Odd', 'boolean') }),
    })
    expect(readMirrors(schema)).toEqual({
      kind: 'valid',
      mirrors: [
        { path: ['region'], name: 'Region' },
        { path: ['deep', 'id'], name: 'Deep-Id' },
        { path: ['deep', 'properties'], name: 'Odd' },
      ],
    })
  })

  it.each<[string, JsonObject]>([
    ['an empty name', object({ a: header('') })],
    ['a name that is no text', object({ a: header(7) })],
    ['a space', object({ a: header('My Region') })],
    ['a colon', object({ a: header('Region:Primary') })],
    ['a letter beyond ASCII', object({ a: header('Région') })],
    ['a control character', object({ a: header('Region\t1') })],
    ['a line break', object({ a: header('A\r\nX-Evil: 1') })],
    ['a number', object({ a: header('A', 'number') })],
    ['an object', object({ a: header('A', 'object') })],
    ['an array', object({ a: header('A', 'array') })],
    ['null', object({ a: header('A', 'null') })],
    ['no type', object({ a: { 'x-mcp-header': 'A' } })],
    ['the same name twice', object({ a: header('A'), b: header('A') })],
    ['the same name in other letters', object({ a: header('MyField'), b: header('myfield') })],
    ['the arguments themselves', object({}, { 'x-mcp-header': 'A' })],
    ['below items', object({ a: { type: 'array', items: header('A') } })],
    ['below a choice', object({ a: { anyOf: [header('A'), { type: 'null' }] } })],
    ['below a condition', object({}, { if: object({ a: header('A') }) })],
    ['below a definition', object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: header('A') } })],
  ])('make a definition invalid with %s', (_what, schema) => {
    expect(readMirrors(schema).kind).toBe('invalid')
  })

  it('are not looked for in data', () => {
    expect(readMirrors(object({ a: { type: 'object', default: { 'x-mcp-header': '' }, enum: [{ 'x-mcp-header': '' }] } }))).toEqual({
      kind: 'valid',
      mirrors: [],
    })
  })

  it('become headers, except what is absent, null or no plain value', () => {
    const mirrors = ['text', 'number', 'yes', 'none', 'absent', 'list', 'huge'].map((name) => ({ path: [name], name }))
    const args = { text: 'us-west1', number: 42, yes: false, none: null, list: [1], huge: 2 ** 60 }
    expect(mirroredHeaders(mirrors, args)).toEqual({ 'Mcp-Param-text': 'us-west1', 'Mcp-Param-number': '42', 'Mcp-Param-yes': 'false' })
    expect(mirroredHeaders([{ path: ['a', 'b'], name: 'A' }], { a: { b: 'deep' } })).toEqual({ 'Mcp-Param-A': 'deep' })
    expect(mirroredHeaders([{ path: ['toString', 'name'], name: 'A' }], {})).toEqual({})
  })

  it.each([
    ['us west 1', 'us west 1'],
    ['', '=?base64??='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['\tindented', '=?base64?CWluZGVudGVk?='],
    ['a\tb', 'a\tb'],
    ['line1\r\nline2', '=?base64?bGluZTENCmxpbmUy?='],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    ['=?base64?AA==?=', '=?base64?PT9iYXNlNjQ/QUE9PT89?='],
  ])('write %j as %j', (text, value) => {
    expect(encodeHeaderValue(text)).toBe(value)
  })
})

describe('headers of a call that a server compares', () => {
  const schema = object({ text: header('Text'), count: header('Count', 'integer'), flag: header('Flag', 'boolean') })
  const mismatch = (args: JsonObject, headers: Record<string, string>) => mirrorMismatch(schema, args, new Headers(headers))

  it.each<[string, JsonObject, Record<string, string>]>([
    ['the same text', { text: 'us-west1' }, { 'mcp-param-text': 'us-west1' }],
    ['text in Base64', { text: 'Hello, 世界' }, { 'Mcp-Param-Text': '=?base64?SGVsbG8sIOS4lueVjA==?=' }],
    ['plain text in Base64', { text: 'a' }, { 'Mcp-Param-Text': '=?base64?YQ==?=' }],
    ['a number of the same value', { count: 42 }, { 'Mcp-Param-Count': '42.0' }],
    ['a boolean', { flag: false }, { 'Mcp-Param-Flag': 'false' }],
    ['a header whose argument is null or absent', { text: null }, { 'Mcp-Param-Text': 'a', 'Mcp-Param-Count': '1' }],
    ['a header that no argument has', {}, { 'Mcp-Param-Other': '\u00e9' }],
  ])('match: %s', (_what, args, headers) => {
    expect(mismatch(args, headers)).toBeUndefined()
  })

  it.each<[string, JsonObject, Record<string, string>]>([
    ['absent', { text: 'a' }, {}],
    ['absent for an empty text', { text: '' }, {}],
    ['of another value', { text: 'a' }, { 'Mcp-Param-Text': 'b' }],
    ['in other letters', { text: 'a' }, { 'Mcp-Param-Text': 'A' }],
    ['beyond ASCII', { text: '\u00e9' }, { 'Mcp-Param-Text': '\u00e9' }],
    ['in Base64 without its padding', { text: 'a' }, { 'Mcp-Param-Text': '=?base64?YQ?=' }],
    ['in Base64 of no UTF-8', { text: '\ufffd' }, { 'Mcp-Param-Text': '=?base64?/w==?=' }],
    ['of a text that looks like a number', { text: '1' }, { 'Mcp-Param-Text': '1.0' }],
    ['of another number', { count: 42 }, { 'Mcp-Param-Count': '43' }],
    ['in another notation', { count: 42 }, { 'Mcp-Param-Count': '0x2a' }],
  ])('are refused: %s', (_what, args, headers) => {
    expect(mismatch(args, headers)).toContain('Mcp-Param-')
  })
})
