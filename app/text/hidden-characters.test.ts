import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasHidden, revealHidden, type Segment, stripHidden } from './hidden-characters.ts'

const tags = (text: string): string => [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
const hidden = (text: string): string[] => revealHidden(text).flatMap((segment) => (segment.kind === 'hidden' ? [segment.name] : []))

describe('names what cannot be seen', () => {
  test.each<[string, string, string[]]>([
    ['a zero-width space', 'pay\u200bpal', ['zero-width space']],
    ['a joiner between letters', 'a\u200db', ['hidden character U+200D']],
    ['a byte order mark', '\ufeffx', ['byte order mark']],
    ['a right-to-left override', 'invoice\u202efdp.exe', ['right-to-left override']],
    ['isolates', '\u2066a\u2069', ['hidden character U+2066', 'hidden character U+2069']],
    ['tag characters, spelled out', `hello${tags('delete all')}`, ['hidden text “delete all”']],
    ['one variation selector after a letter', 'a\ufe01', ['variation selector']],
    ['bytes in supplementary variation selectors', `😀${'\u{e0105}'.repeat(7)}`, ['7 × variation selector']],
    ['more selectors than an emoji has', '❤️\ufe0f\ufe0f', ['2 × variation selector']],
    ['a null', 'a\0b', ['control character U+0000']],
    ['a C1 control', 'a\u0085b', ['control character U+0085']],
    ['a carriage return on its own', 'safe\rrm -rf', ['carriage return']],
    ['a terminal colour', 'a\u001b[31mred\u001b[0m', ['terminal code', 'terminal code']],
    ['a terminal link', '\u001b]8;;https://evil.test\u0007here\u001b]8;;\u0007', ['terminal code', 'terminal code']],
    ['a lone escape', 'a\u001b', ['control character U+001B']],
    ['a soft hyphen', 'pass\u00adword', ['soft hyphen']],
    ['a filler', 'a\u3164b', ['hidden character U+3164']],
    ['a blank braille cell', 'a\u2800b', ['hidden character U+2800']],
    ['a line separator', 'a\u2028b', ['line separator']],
    ['half a surrogate pair', 'a\ud800b', ['hidden character U+D800']],
    ['private use', 'a\ue000b', ['hidden character U+E000']],
    ['alike ones in a row, together', 'a\u200b\u200b\u200bb', ['3 × zero-width space']],
  ])('%s', (_title, text, names) => {
    expect(hidden(text)).toEqual(names)
    expect(hasHidden(text)).toBe(true)
    expect(hasHidden(stripHidden(text))).toBe(false)
  })
})

test.each([
  ['plain text', 'Rename invoice 12.'],
  ['tabs and both line ends', 'a\tb\nc\r\nd'],
  ['accents and other scripts', 'é 漢字 ñ עברית'],
  ['emoji with selectors and joiners', '❤️ ⚠️ 👩‍💻 👨‍👩‍👧 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['nothing', ''],
])('leaves %s alone', (_title, text) => {
  expect(revealHidden(text)).toEqual(text === '' ? [] : [{ kind: 'text', text }])
  expect(stripHidden(text)).toBe(text)
})

test('keeps the visible text around what it strips', () => {
  expect(stripHidden(`pay\u200bpal ${tags('x')}\u001b[31mred\u001b[0m ❤️\r\nend`)).toBe('paypal red ❤️\r\nend')
})

test('shows segments in order', () => {
  expect(revealHidden('a\u200bb')).toEqual<Segment[]>([
    { kind: 'text', text: 'a' },
    { kind: 'hidden', text: '\u200b', name: 'zero-width space' },
    { kind: 'text', text: 'b' },
  ])
})

describe('whatever the text', () => {
  const spiced = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('\u200b', '\u202e', '\u{e0041}', '\ufe0f', '❤️', '\u001b[1m', '\r', '\ud800', '\u001b', '[', 'm'),
      ),
    )
    .map((parts) => parts.join(''))

  test('more than a page could show are told once, and the text that can be seen goes on', () => {
    const text = 'a\u200b'.repeat(20_000)
    const segments = revealHidden(text)
    expect([segments.length, segments.at(-1)]).toEqual([10_002, { kind: 'text', text: 'a'.repeat(15_000) }])
    expect(segments.filter(({ kind }) => kind === 'hidden')).toHaveLength(5001)
  })

  test('its segments are the text again', () => {
    fc.assert(
      fc.property(spiced, (text) => {
        expect(
          revealHidden(text)
            .map((segment) => segment.text)
            .join(''),
        ).toBe(text)
      }),
    )
  })

  test('what the model reads is what the person sees', () => {
    fc.assert(
      fc.property(spiced, (text) => {
        const seen = revealHidden(text).flatMap((segment) => (segment.kind === 'text' ? [segment.text] : []))
        expect(stripHidden(text)).toBe(seen.join(''))
      }),
    )
  })
})
