// What a text is shown as: its invisible characters and excess marks by name, with places to break where characters have no end.
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { revealHidden, type Segment } from '#app/text/hidden-characters.ts'

/** Limit of combining marks on one letter: no script has as many, and a browser takes seconds to place thousands. */
export const mostMarks = 16
const excess = `(?<=\\p{M}{${mostMarks}})\\p{M}+`
const tooMany = new RegExp(excess, 'gv')
/** Marks to name after a hidden character: also those without a letter, which have no width and lie over its name. */
const tooManyOrLone = new RegExp(`^[\\p{Script=Inherited}&&\\p{M}]\\p{M}*|${excess}`, 'gv')
/** Fast test: nearly every text has no marks. */
const mayHaveMarks = /[^\0-\u02ff]/
export const hasTooMany = new RegExp(`\\p{M}{${mostMarks + 1}}`, 'u')

/** Splits a text at its invisible characters and excess combining marks, each of which gets a name. */
export function segmentsOf(text: string): readonly Segment[] {
  const segments = revealHidden(text)
  return mayHaveMarks.test(text) && (segments.length > 1 || hasTooMany.test(text))
    ? segments.flatMap((one, at) => (one.kind === 'text' ? withoutMarks(one.text, at > 0 ? tooManyOrLone : tooMany) : [one]))
    : segments
}

function withoutMarks(text: string, marks: RegExp): Segment[] {
  const segments: Segment[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(marks)) {
    segments.push({ kind: 'text', text: text.slice(end, index) })
    segments.push({ kind: 'hidden', text: found, name: t`${formatNumber([...found].length)} more marks` })
    end = index + found.length
  }
  return [...segments, { kind: 'text', text: text.slice(end) }]
}

/** Viramas, which join letters into one character (Unicode, InCB=Linker). */
const linker =
  '\\u094d\\u09cd\\u0acd\\u0b4d\\u0c4d\\u0d4d\\u1039\\u17d2\\u1a60\\u1b44\\u1bab\\ua9c0\\uaaf6\\u{10a3f}\\u{11133}\\u{113d0}\\u{1193e}\\u{11a47}\\u{11a99}\\u{11f42}'
/** Letters that make one character with those beside them: parts of syllables, skin tones, signs of sound, prefixes. */
const joining = [
  '\\u1100-\\u115f\\ua960-\\ua97c',
  '\\u1160-\\u11a7\\ud7b0-\\ud7c6',
  '\\u11a8-\\u11ff\\ud7cb-\\ud7fb',
  '\\p{Emoji_Modifier}\\uff9e\\uff9f\\u0d4e\\u{11d46}\\u{111c2}\\u{111c3}\\u{11a3a}\\u{11a84}-\\u{11a89}',
]
const mayJoin = new RegExp(`[${linker}${joining.join('')}]`, 'u')
/** Runs of them longer than any word has. No line breaks within such a character, however long it is (UAX 29, GB6 to GB9c). */
const endless = new RegExp([...joining.map((letters) => `[${letters}]{4}`), `(?:\\p{L}\\p{M}*?[${linker}]){8}`].join('|'), 'gu')

/** The text with places for a line to break in characters that have no end. */
export const withBreaks = (text: string): string => (mayJoin.test(text) ? text.replace(endless, '$&\u200b') : text)
