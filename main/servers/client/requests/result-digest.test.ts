import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json } from '#app/json.ts'
import { keepAsText } from '#main/base/json-size.ts'
import { digestOf, jsonPieces } from './result-digest.ts'

const long = 200_000
const list = (length: number): Json[] => Array.from({ length }, (_, n) => ({ n, of: [`${n}`] }))

it('a digest is that of the text of any value', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const text = JSON.stringify(value)
      expect(await digestOf(value as Json)).toEqual({
        bytes: Buffer.byteLength(text),
        sha256: createHash('sha256').update(text).digest('hex'),
      })
    }),
  )
})

it('a digest of what is kept as text is that of the text as it came', async () => {
  const text = `{ "rows": [${'1.0, '.repeat(500_000)}2] }`
  const value = { content: [], isError: false }
  keepAsText(value, 'structuredContent', Buffer.from(text))
  const whole = `{"content":[],"isError":false,"structuredContent":${text}}`
  expect(await digestOf(value)).toEqual({ bytes: whole.length, sha256: createHash('sha256').update(whole).digest('hex') })
})

it.each<[string, Json]>([
  ['a long text', 'some "words"\n'.repeat(long / 10)],
  ['a long text of pairs', '🌍'.repeat(long)],
  ['the same, one unit on', `a${'🌍'.repeat(long)}`],
  ['a long text of halves', '\ud83c'.repeat(long)],
  ['a long list', list(long / 100)],
  ['long lists within a long list', [list(300), list(257), []]],
  ['an object of many keys', Object.fromEntries(list(1000).map((item, n) => [`k${n}`, item]))],
  ['names of prototypes', JSON.parse('{"__proto__": {"a": 1}, "toJSON": 1, "constructor": null}')],
])('the pieces of %s are small, and together its text', (_, value) => {
  const pieces = [...jsonPieces(value)]
  expect(pieces.join('')).toBe(JSON.stringify(value))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(7 * 64 * 1024)
})
