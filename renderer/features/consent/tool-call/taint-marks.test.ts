import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '#app/json.ts'
import { makeToolRequest } from '#renderer/testing/builders.ts'
import { clipped, jsonWithSpans, spansIn, splitAtSpans } from './taint-marks.tsx'

const flows = (argument: string, ...spans: [number, number][]) => ({
  origins: [{ server: 'notes', tool: 'read', callId: 'n1' }],
  marks: [{ argument, origin: 0, spans }],
})

describe('the words of a server in the arguments', () => {
  it('are marked where they were found, and no more once the person changed the value', () => {
    const request = makeToolRequest({ arguments: { to: ['a', 'anna'], body: 'b' }, flows: flows('/to/1', [0, 4]) })
    expect([
      spansIn(request, request.arguments)('/to/1'),
      spansIn(request, request.arguments)('/body'),
      spansIn(request, { to: ['a', 'anna!'], body: 'b' })('/to/1'),
      spansIn(request, { body: 'b' })('/to/1'),
    ]).toEqual([[[0, 4]], [], [], []])
  })

  it('stand in JSON where the text does, escapes and all', () => {
    const value = { a: [{ 'x/y': 'say "hi"\nanna' }], n: 4410 }
    const spans: Record<string, [number, number][]> = { '/v/a/0/x~1y': [[4, 13]], '/v/n': [[0, 4]] }
    const json = jsonWithSpans(value, '/v', (pointer) => spans[pointer] ?? [])
    expect(json.spans.map(([from, to]) => json.text.slice(from, to))).toEqual(['\\"hi\\"\\nanna', '4410'])
  })

  it('are cut at the end of what is shown', () => {
    expect(
      clipped(
        [
          [0, 3],
          [5, 9],
        ],
        2,
        6,
      ),
    ).toEqual([
      [0, 1],
      [3, 4],
    ])
  })

  it('are shown whole with a character that cannot be seen', () => {
    expect(splitAtSpans('an\u200bna', [[0, 2]])).toEqual([{ text: 'an\u200bna', marked: true }])
  })
})

describe('whatever is shown', () => {
  it('is the very JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => jsonWithSpans(value as Json, '', () => []).text === JSON.stringify(value, null, 2)))
  })

  it('has all of its text in its pieces, in order', () => {
    const spans = fc.array(fc.tuple(fc.nat(30), fc.nat(30)).map(([a, b]) => [Math.min(a, b), Math.max(a, b) + 1] as const))
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), spans, (text, all) => {
        const sorted = clipped(
          [...all].sort(([a], [b]) => a - b),
          0,
          text.length,
        )
        return (
          splitAtSpans(text, sorted)
            .map((piece) => piece.text)
            .join('') === text
        )
      }),
    )
  })
})
