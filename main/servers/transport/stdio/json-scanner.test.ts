import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createJsonWalk } from './json-scanner.ts'

/** What the walk says of a text whose value is looked for at `a`, whatever the steps it goes in. */
function walked(text: string, { step = 1_000_000, path = ['a'] as readonly string[], deepest = 100 } = {}): string | undefined {
  const bytes = Buffer.from(text)
  const walk = createJsonWalk(bytes, { path, deepest })
  while (!walk.step(step));
  const found = walk.found()
  return found && bytes.toString('utf8', found.start, found.end)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('a walk over JSON', () => {
  it('finds the member as it stands in any object, in steps of any size', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        fc.constantFrom(undefined, 1, '\t'),
        fc.integer({ min: 1, max: 50 }),
        (a, z, space, step) => {
          const text = `${JSON.stringify({ y: z, a, z }, undefined, space)} \n`
          const found = walked(text, { step })
          expect(JSON.parse(found ?? '')).toEqual(JSON.parse(JSON.stringify(a)))
          expect(found?.trim()).toBe(found)
        },
      ),
    )
  })

  it('takes for JSON what the parser takes for it, and nothing else', () => {
    const damaged = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', ']', '}', '{', '[', '"', '\\', '0', '-', '.', 'e', 't', 'null', ' ', '\n', '\u0001', '\\u00g0', '\\ud83c'),
    )
    fc.assert(
      fc.property(damaged, fc.integer({ min: 1, max: 50 }), ([json, place, put], step) => {
        const at = json.length === 0 ? 0 : place % json.length
        const value = json.slice(0, at) + put + json.slice(put === '' ? at + 1 : at)
        const text = `{"a":${value}}`
        expect(walked(text, { step }) !== undefined).toBe(isJson(text) && isJson(value))
      }),
      { numRuns: 500 },
    )
  })

  it.each<[title: string, text: string, path: readonly string[], found: string | undefined]>([
    ['finds what is deeper', '{"b":[{"a":{"c":1}}],"a":{"b":{"c":2},"c":[3]}}', ['a', 'c'], '[3]'],
    ['knows a name that is written with escapes', String.raw`{"\u0061":1}`, ['a'], '1'],
    ['leaves alone what is named twice on the way', String.raw`{"a":1,"\u0061":2}`, ['a'], undefined],
    ['does not mind names that are double elsewhere', '{"b":{"x":1,"x":2},"a":3}', ['a'], '3'],
    ['finds nothing where a list is on the way', '{"a":[{"c":1}]}', ['a', 'c'], undefined],
    ['finds nothing in a list', '[{"a":1}]', ['a'], undefined],
    ['finds nothing in two values', '{"a":1}{}', ['a'], undefined],
    ['finds nothing in what has not ended', '{"a":1', ['a'], undefined],
    ['finds nothing below a text', '{"a":"c"}', ['a', 'c'], undefined],
  ])('%s', (_title, text, path, found) => {
    expect(walked(text, { path })).toBe(found)
  })

  it('goes so deep and no deeper', () => {
    const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect([walked(nested(4), { deepest: 5 }), walked(nested(5), { deepest: 5 })]).toEqual(['[[[[]]]]', undefined])
  })
})
