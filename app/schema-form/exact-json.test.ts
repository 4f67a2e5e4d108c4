import { expect, it } from 'vitest'
import { parseExactJson } from './exact-json.ts'

it.each<[string, string, unknown]>([
  [
    'a value',
    '{"a": [1, -2.50, 1e3, 0.1, 0, -0.0, 9007199254740991, "12345678901234567890"]}',
    { a: [1, -2.5, 1000, 0.1, 0, -0, 9007199254740991, '12345678901234567890'] },
  ],
  ['the same name at two places', '{"a": {"x": 1}, "b": [{"x": 1}, {"x": 2}]}', { a: { x: 1 }, b: [{ x: 1 }, { x: 2 }] }],
  ['no JSON', '{"a": }', undefined],
  ['a number that is too long', '{"a": 12345678901234567890}', undefined],
  ['a number that is too great', '1e999', undefined],
  ['a number that is too fine', '0.1000000000000000055511', undefined],
  ['a name that stands twice', '{"a": 1, "b": {}, "a": 2}', undefined],
  ['a name that stands twice in another spelling', '{"a": 1, "\\u0061": 2}', undefined],
])('reads %s', (_name, text, value) => {
  const read = parseExactJson(text)
  expect(read.kind === 'read' ? read.value : undefined).toEqual(value)
})
