import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { keptTexts } from '#main/base/json-size.ts'
import { leastKept, lookOver, mostCost } from './paced-reader.ts'

const rows = Array.from({ length: 40_000 }, (_, n) => ({ n, of: `row ${n} é` }))
const answer = (result: object): string => JSON.stringify({ jsonrpc: '2.0', id: 7, result })

function message(line: string | Buffer): { readonly result: JsonObject } | undefined {
  const looked = lookOver(Buffer.from(line))
  while (looked && !looked.step(100_000));
  return looked?.message() as { readonly result: JsonObject } | undefined
}

describe('a large answer', () => {
  it('keeps its structured part as the text it came as, and reads as if it had been parsed', () => {
    const result = { content: [{ type: 'text', text: 'hello' }], structuredContent: { rows }, isError: false }
    const read = message(answer(result))
    expect(
      keptTexts(read?.result ?? {})
        ?.get('structuredContent')
        ?.toString(),
    ).toBe(JSON.stringify({ rows }))
    expect(read).toEqual(JSON.parse(answer(result)))
    expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(answer(result))))
  })

  it.each<[title: string, line: string | Buffer]>([
    ['whose structure is small', answer({ content: [{ type: 'text', text: 'x'.repeat(leastKept) }], structuredContent: { a: 1 } })],
    ['that is a text', answer({ content: [{ type: 'text', text: JSON.stringify({ structuredContent: rows }) }] })],
    ['that is part of a batch', `[${answer({ structuredContent: rows })}]`],
    ['that names its structure twice', answer({ structuredContent: rows }).replace('"result":{', '"result":{"structuredContent":1,')],
    ['that is an error', JSON.stringify({ jsonrpc: '2.0', id: 7, error: { code: 1, message: '', data: { structuredContent: rows } } })],
    ['that breaks off', answer({ structuredContent: rows }).slice(0, -3)],
    ['that is no UTF-8', Buffer.concat([Buffer.from(answer({ structuredContent: rows })), Buffer.from([0xff])])],
    ['that is nested too deeply', answer({ structuredContent: [rows, JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`)] })],
  ])('%s is left to the parser', (_title, line) => {
    expect(message(line)).toBeUndefined()
  })
})

describe('what is slow to parse in a large message', () => {
  const object = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]))
  const refused = (line: string | Buffer): boolean | undefined => {
    const looked = lookOver(Buffer.from(line))
    while (looked && !looked.step(100_000));
    return looked?.isRefused()
  }
  const filler = { content: [{ type: 'text', text: 'x'.repeat(leastKept) }] }
  const many = object(Math.ceil(mostCost / 14))
  const deep = (): unknown => JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`)

  it.each<[title: string, line: string | Buffer, refused: boolean | undefined]>([
    ['within bounds', answer({ ...filler, _meta: object(30_000) }), false],
    ['too many', answer({ ...filler, _meta: many }), true],
    ['too many in a list', answer({ ...filler, x: [many] }), true],
    ['too many in an error', JSON.stringify({ id: 7, error: { code: 1, message: 'x'.repeat(leastKept), data: many } }), true],
    ['many small ones', answer({ ...filler, x: Array.from({ length: 30_000 }, (_, n) => ({ n })) }), false],
    [
      'in many small ones, each of another name',
      answer({ ...filler, x: Array.from({ length: 50_000 }, (_, n) => ({ [`k${n}`]: 1 })) }),
      true,
    ],
    [
      'as many of the same hundred names',
      answer({ ...filler, x: Array.from({ length: 50_000 }, (_, n) => ({ [`k${n % 100}`]: 1 })) }),
      false,
    ],
    ['short texts', answer({ ...filler, x: Array.from({ length: 200_000 }, (_, n) => `t${n}`) }), true],
    ['as many of the same hundred texts', answer({ ...filler, x: Array.from({ length: 200_000 }, (_, n) => `t${n % 100}`) }), false],
    ['half a million blocks', answer({ content: Array.from({ length: 500_000 }, (_, n) => ({ type: 'x', n })) }), true],
    ['half a million lists within one another', `{"id":7,"result":{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}}`, true],
    [
      'half a million in a structure that is nested too deeply',
      answer({ structuredContent: { a: deep(), b: Array(500_000).fill([]) } }),
      true,
    ],
    ['in a large structure that is kept as text', answer({ structuredContent: { rows, many } }), false],
    [
      'in a structure that is named twice',
      answer({ structuredContent: { rows, many } }).replace('"result":{', '"result":{"structuredContent":1,'),
      true,
    ],
    ['in one that is no UTF-8', Buffer.concat([Buffer.from(answer({ structuredContent: { rows, many } })), Buffer.from([0xff])]), true],
    ['behind what is nested too deeply', answer({ ...filler, a: deep(), _meta: many }), true],
    ['behind a thousand names', answer({ ...object(1500), ...filler, _meta: many }), true],
    ['of a small message', answer({ _meta: object(10_000) }), undefined],
  ])('%s', (_title, line, expected) => {
    expect(refused(line)).toBe(expected)
  })
})
