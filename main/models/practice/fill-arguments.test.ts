import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { fillArguments } from './fill-arguments.ts'

const fill = (text: string, properties: JsonObject, required: readonly string[] = Object.keys(properties)): unknown => {
  const filled = fillArguments({ type: 'object', properties, required }, { text, toolWords: new Set(['echo']), now: 0 })
  return filled.kind === 'filled' ? filled.input : filled.names
}

describe('arguments by their schema', () => {
  const string = { type: 'string' }
  test.each<[string, string, JsonObject, unknown]>([
    ['quoted strings in order', 'copy "a b" and “c”', { one: string, two: string }, { one: 'a b', two: 'c' }],
    ['the rest of the sentence for the only text', 'echo hello there', { message: string }, { message: 'hello there' }],
    ['numbers in order, in figures or words', 'add 2 and three', { a: { type: 'number' }, b: { type: 'number' } }, { a: 2, b: 3 }],
    ['no fraction for an integer', 'wait 2.5', { n: { type: 'integer' } }, ['n']],
    ['a reference is no number', 'show 0417', { n: { type: 'integer' } }, ['n']],
    ['a word of an enum', 'weather in London please', { city: { type: 'string', enum: ['Paris', 'London'] } }, { city: 'London' }],
    ['an address', 'open https://example.com/a?b=c.', { url: string }, { url: 'https://example.com/a?b=c' }],
    ['a path', 'read /tmp/notes.md now', { path: string }, { path: '/tmp/notes.md' }],
    ['a date', 'what is on 2026-12-01', { date: string }, { date: '2026-12-01' }],
    ['a list of quoted strings', 'tag it "x" "y"', { tags: { type: 'array', items: string } }, { tags: ['x', 'y'] }],
    ['a switch that is named', 'sort it reversed', { reverse: { type: 'boolean' } }, { reverse: true }],
    ['a switch that is refused', 'sort it without reverse', { reverse: { type: 'boolean' } }, { reverse: false }],
    ['nothing for an object', 'do it "x"', { options: { type: 'object' } }, ['options']],
    ['a default instead of a guess', 'do it', { level: { type: 'integer', default: 1 } }, {}],
  ])('%s', (_, text, properties, expected) => {
    expect(fill(text, properties)).toEqual(expected)
  })

  test('an optional text is left out rather than guessed', () => {
    expect(fill('echo hello', { note: string }, [])).toEqual({})
  })

  test("a schema's pattern is never run", () => {
    expect(fill('echo "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"', { message: { type: 'string', pattern: '^(a+)+$' } })).toEqual({
      message: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
    })
  })
})
