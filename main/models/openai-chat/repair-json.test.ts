import { expect, test } from 'vitest'
import { repairJson } from './repair-json.ts'

test.each<[string, string, object]>([
  ['what is whole stays as it is', '{"a": "it\'s"}', { a: "it's" }],
  ['a fence of Markdown', '```json\n{"a": 1}\n```', { a: 1 }],
  ['an object in a string', '"{\\"a\\": 1}"', { a: 1 }],
  ['the whole text twice', '{"a":1}{"a":1}', { a: 1 }],
  ['a comma before the end', '{"a": [1, 2,], }', { a: [1, 2] }],
  [
    'the quotes and words of Python',
    "{'a': True, 'b': None, 'c': 'say \"x\"', 'd': 'it\\'s'}",
    { a: true, b: null, c: 'say "x"', d: "it's" },
  ],
  ['a line break in a string', '{"a": "one\ntwo"}', { a: 'one\ntwo' }],
  ['a missing bracket after a whole value', '{"a": {"b": "c"}', { a: { b: 'c' } }],
])('mended: %s', (_title, text, value) => {
  expect(repairJson(text)).toEqual(value)
})

test.each<[string, string]>([
  ['a string that is cut off', '{"path": "/un'],
  ['a number that may have been longer', '{"amount": 1'],
  ['a key without its value', '{"a": "b", "c":'],
  ['two different objects', '{"a":1}{"a":2}'],
  ['brackets that cross', '{"a": [1}]'],
  ['no object', '[1, 2]'],
  ['prose', 'I will call the tool'],
])('left to the model: %s', (_title, text) => {
  expect(repairJson(text)).toBeUndefined()
})

test('an answer that ended at its limit is not completed', () => {
  expect(repairJson('{"a": "b"', true)).toBeUndefined()
})
