import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSearch, searchTokens } from './search-query.ts'

const term = (text: string, open = false) => ({ text, open })

describe('what is typed into the search field', () => {
  test.each([
    ['the last word is open', 'kestrel va', { wanted: [term('kestrel'), term('va', true)], unwanted: [] }],
    ['a space closes it', 'vat ', { wanted: [term('vat')], unwanted: [] }],
    ['quotes hold a phrase', '"vat number" x ', { wanted: [term('vat number'), term('x')], unwanted: [] }],
    ['a quote without an end goes on to the end', 'a "vat num', { wanted: [term('a'), term('vat num', true)], unwanted: [] }],
    ['minus leaves out', 'a -b -"c d" ', { wanted: [term('a')], unwanted: [term('b'), term('c d')] }],
    ['a minus alone is nothing', '- a ', { wanted: [term('a')], unwanted: [] }],
    ['server and tool', 'server:github tool:"read file" x ', { wanted: [term('x')], unwanted: [], server: 'github', tool: 'read file' }],
    ['a folder of chats', 'folder:"tax 2026" x ', { wanted: [term('x')], unwanted: [], folder: 'tax 2026' }],
    ['only titles', 'IN:title x ', { wanted: [term('x')], unwanted: [], inTitle: true }],
    [
      'only archived chats, and their titles',
      'in:Archive in:title x ',
      { wanted: [term('x')], unwanted: [], inArchive: true, inTitle: true },
    ],
    ['elsewhere is words', 'in:cupboard ', { wanted: [term('in cupboard')], unwanted: [] }],
    [
      'dates are whole years, months and days of the local calendar',
      'after:2025 before:2026-02-03 ',
      { wanted: [], unwanted: [], after: new Date(2025, 0, 1).getTime(), before: new Date(2026, 1, 3).getTime() },
    ],
    ['a date that is none is words', 'before:2026-13 ', { wanted: [term('before 2026-13')], unwanted: [] }],
    ['an unknown filter is words', 'colour:red ', { wanted: [term('colour red')], unwanted: [] }],
    ['a filter that is still empty is nothing to look for', 'server: ', { wanted: [], unwanted: [] }],
  ])('%s', (_title, text, expected) => expect(parseSearch(text)).toEqual(expected))

  test('tokens stand in the text as they were typed', () =>
    expect(searchTokens('a server:x -"b c"').map(({ text }) => text)).toEqual(['a', 'server:x', '-"b c"']))

  test('no text is an error, and none has more than 20 words', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab:"-* ()^\\\0é数:') }), (text) => {
        expect(parseSearch(text).wanted.length).toBeLessThanOrEqual(20)
      }),
    )
    expect(parseSearch('x '.repeat(400)).wanted).toHaveLength(20)
  })
})
