// Tokenises words for search: the same for indexing, queries and highlighting. Case, accents and invisible characters are ignored.
// Scripts without spaces between words (Chinese, Japanese, Thai, …; also Korean) are indexed as pairs of characters, so that any
// piece of two or more is found.

/** Letters, digits and marks, with the invisible characters that may stand between them. */
const WORD = /[\p{L}\p{N}\p{M}\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/gu
const ASCII_WORD = /[A-Za-z0-9]+/g
const ASCII = /^[\0-\x7f]*$/
/** Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, invisible characters. Vowel signs elsewhere are letters. */
const DROPPED = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0652\u0670\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'].map((name) => `\\p{Script=${name}}`).join('')
let patterns: { readonly unspaced: RegExp; readonly run: RegExp } | undefined
/** `run`: of such a script, or of any other, within a word. Compiled with the first text that is not ASCII. */
const scripts = () => {
  patterns ??= { unspaced: new RegExp(`[${SCRIPTS}ー]`, 'u'), run: new RegExp(`[${SCRIPTS}ー]+|[^${SCRIPTS}ー]+`, 'gu') }
  return patterns
}

/** Longest term in UTF-16 units; longer ones are cut. */
const LONGEST = 64

export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(DROPPED, '').normalize('NFC').toLowerCase().replaceAll('ς', 'σ').replaceAll('ß', 'ss')
}

/** A run of letters and digits of one script, with its terms. Offsets in UTF-16 units. */
interface Word {
  readonly start: number
  readonly end: number
  readonly terms: readonly string[]
}

export function* foldedWords(text: string): Generator<Word> {
  if (ASCII.test(text)) {
    for (const match of text.matchAll(ASCII_WORD)) yield wordAt(match.index, match[0])
    return
  }
  for (const match of text.matchAll(WORD)) {
    for (const run of scripts().unspaced.test(match[0]) ? match[0].matchAll(scripts().run) : [Object.assign([match[0]], { index: 0 })]) {
      const word = wordAt(match.index + run.index, run[0] ?? '')
      if (word.terms.length > 0) yield word
    }
  }
}

const wordAt = (start: number, raw: string): Word => ({ start, end: start + raw.length, terms: foldedTerms(foldText(raw)) })

/** Terms of a folded word, in order. `open`: it continues, so its last single character is left out. */
export function foldedTerms(folded: string, open = false): string[] {
  if (isUnspaced(folded)) return pairsOf(folded, open)
  // Folding may turn a sign into something that is no letter.
  return folded.match(WORD)?.map((word) => word.slice(0, LONGEST)) ?? []
}

export const isUnspaced = (text: string): boolean => !ASCII.test(text) && scripts().unspaced.test(text)

/** Each character with the next; the last alone, so that single characters match by prefix. */
function pairsOf(run: string, open: boolean): string[] {
  const characters = [...run]
  const pairs = characters.map((character, index) => character + (characters[index + 1] ?? ''))
  return open && pairs.length > 1 ? pairs.slice(0, -1) : pairs
}
