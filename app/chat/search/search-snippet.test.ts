import { describe, expect, test } from 'vitest'
import { parseSearch } from './search-query.ts'
import { matcherOf, type SearchSnippet, snippetOf } from './search-snippet.ts'

const shown = ({ spans, cut }: SearchSnippet): string =>
  `${cut.before ? '…' : ''}${spans.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('')}${cut.after ? '…' : ''}`
const snippet = (typed: string, ...texts: string[]): string =>
  shown(
    snippetOf(
      texts.map((text) => ({ form: 'prose', text })),
      matcherOf(parseSearch(typed).wanted),
    ),
  )

describe('the passage that is shown', () => {
  test.each([
    ['marks words whatever their case and accents', 'cafe ', 'The Café is open', 'The [Café] is open'],
    ['marks the whole word of one that is being typed', 'ca', 'The Café is open', 'The [Café] is open'],
    ['marks each word of a phrase', '"vat number" ', 'a VAT number', 'a [VAT] [number]'],
    ['marks characters in a script without spaces', '据库', '大数据库系统', '大数[据库]系统'],
    ['marks one character', '据', '大数据库', '大数[据]库'],
    ['has line breaks as spaces', 'b ', 'a\n\nb\tc', 'a [b] c'],
    ['is the beginning where no word is found', 'x ', 'nothing here', 'nothing here'],
    ['marks nothing for what only looks like markup', 'b ', '<b>b</b> <mark>', '<[b]>[b]</[b]> <mark>'],
  ])('%s', (_title, typed, text, expected) => expect(snippet(typed, text)).toBe(expected))

  test('is cut at words, with the first mark near its beginning', () => {
    const text = `${'before '.repeat(40)}needle ${'after '.repeat(60)}`
    const cut = snippet('needle ', text)
    expect(cut).toMatch(/^…(before )+\[needle\]( after)+…$/)
    expect(cut.length).toBeLessThan(240)
  })

  test('is the one with the most of the words, in whichever text it is', () => {
    expect(snippet('vat kestrel ', `vat ${'and so on '.repeat(40)}`, `${'x '.repeat(200)}kestrel has a vat number`)).toContain(
      '[kestrel] has a [vat]',
    )
  })

  test('does not cut a character in two', () => {
    const { spans } = snippetOf([{ form: 'data', text: `${'🙂'.repeat(300)}` }], matcherOf([]))
    expect(
      spans
        .map(({ text }) => text)
        .join('')
        .isWellFormed(),
    ).toBe(true)
  })
})
