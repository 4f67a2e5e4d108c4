import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DiffLine, diffLines, mixesLineEnds, newLines } from './text-diff.ts'

const sign = { same: ' ', out: '-', in: '+' } as const
const drawn = (lines: readonly DiffLine[]): string[] =>
  lines.map(
    ({ kind, text, mark }) => sign[kind] + (mark ? `${text.slice(0, mark[0])}[${text.slice(...mark)}]${text.slice(mark[1])}` : text),
  )

describe('diffLines', () => {
  it.each([
    ['a line in the middle', 'a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
    ['lines that come', 'a', 'a\nb', [' a', '+b']],
    ['lines that go', 'a\nb\nc', 'c', ['-a', '-b', ' c']],
    ['nothing', 'a\nb', 'a\nb', [' a', ' b']],
    ['a line end more', 'a', 'a\n', [' a', '+']],
    ['what lies between alike lines', 'a\nk\nb\n', 'x\nk\ny\n', ['-a', '+x', ' k', '-b', '+y', ' ']],
    ['a word that comes', 'Holm,SE,,2024', 'Holm,SE,SE5567,2024', ['-Holm,SE,[],2024', '+Holm,SE,[SE5567],2024']],
    ['whole words', 'let total = 1', 'let totals = 1', ['-let [total] = 1', '+let [totals] = 1']],
    ['a word at the end', 'is invoice', 'is inverse', ['-is [invoice]', '+is [inverse]']],
    ['no halves of an emoji', 'a 😀 b', 'a 😁 b', ['-a [😀] b', '+a [😁] b']],
    ['CR LF as a line end', 'a\r\nb\r\n', 'a\r\nc\r\n', [' a', '-b', '+c', ' ']],
    ['a change of the line ends', 'a\r\nb', 'a\nb', ['-a[\r]', '+a[]', ' b']],
  ])('shows %s', (_name, before, after, expected) => {
    expect(drawn(diffLines(before, after))).toEqual(expected)
  })

  it('holds every line of both texts, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '', 'a b', '\r')).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after)
        const only = (kind: 'in' | 'out'): string =>
          lines
            .filter((line) => line.kind === 'same' || line.kind === kind)
            .map((line) => line.text)
            .join('\n')
        const bare = (value: string): string => value.replaceAll('\r\n', '\n')
        expect([bare(only('out')), bare(only('in'))]).toEqual([bare(before), bare(after)])
      }),
    )
  })

  it('shows two long texts that have nothing in common as all out, all in', () => {
    const text = (word: string): string => Array.from({ length: 1200 }, (_, index) => `${word}${index}`).join('\n')
    const lines = diffLines(text('a'), text('b'))
    expect([lines.length, lines[0]?.kind, lines[1199]?.kind, lines[1200]?.kind]).toEqual([2400, 'out', 'out', 'in'])
  })
})

it.each<[string, string | undefined, string, boolean]>([
  ['a new file of Windows', undefined, 'a\r\nb\r\n', false],
  ['a change within one', 'a\r\nb', 'a\r\nc', false],
  ['a change of its line ends', 'a\nb', 'a\r\nb', true],
  ['a new text with both', undefined, 'a\r\nb\nc', true],
  ['plain text', 'a\nb', 'a\nc', false],
])('%s has lines that end differently: %s', (_, before, after, expected) => {
  expect(mixesLineEnds(before, after)).toBe(expected)
})

it('lines of a new text that all end with CR LF have no mark at their ends', () => {
  expect(newLines('a\r\nb\r\n')).toEqual(['a', 'b', ''])
})
