// Words as search knows them: the same folding for what is indexed, what is looked for and what is marked. Case, accents
// and invisible characters do not count. Scripts that put no spaces between words (Chinese, Japanese, Thai, …; Korean too,
// for its endings) are cut into pairs of characters, so that any piece of two or more is found in the midst of a text.

/** Letters, digits and marks, with the invisible characters that may stand between them. */
const WORD = /[\p{L}\p{N}\p{M}\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/gu
const ASCII_WORD = /[A-Za-z0-9]+/g
const ASCII = /^[\0-\x7f]*$/
/** Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, invisible characters. Vowel signs elsewhere are letters. */
const DROPPED = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0652\u0670\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'].map((name) => `\\p{Script=${name}}`).join('')
const UNSPACED = new RegExp(`[${SCRIPTS}ー]`, 'u')
/** Of a word: a stretch of such a script, or of anything else. */
const RUN = new RegExp(`[${SCRIPTS}ー]+|[^${SCRIPTS}ー]+`, 'gu')

/** A longer one is known by its beginning. */
const LONGEST = 64

export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(DROPPED, '').normalize('NFC').toLowerCase().replaceAll('ς', 'σ').replaceAll('ß', 'ss')
}

/** A stretch of letters and digits of one script, with the terms that it is known by. Offsets in UTF-16 units. */
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
    for (const run of UNSPACED.test(match[0]) ? match[0].matchAll(RUN) : [Object.assign([match[0]], { index: 0 })]) {
      const word = wordAt(match.index + run.index, run[0] ?? '')
      if (word.terms.length > 0) yield word
    }
  }
}

const wordAt = (start: number, raw: string): Word => ({ start, end: start + raw.length, terms: foldedTerms(foldText(raw)) })

/** Of one folded word, in order. `open`: it goes on, so the single character that ends it is left out. */
export function foldedTerms(folded: string, open = false): string[] {
  if (isUnspaced(folded)) return pairsOf(folded, open)
  // What folding made of a sign may be none of the letters.
  return folded.match(WORD)?.map((word) => word.slice(0, LONGEST)) ?? []
}

export const isUnspaced = (text: string): boolean => !ASCII.test(text) && UNSPACED.test(text)

/** Each character with the next; the last by itself, so that single characters are found by how a term begins. */
function pairsOf(run: string, open: boolean): string[] {
  const characters = [...run]
  const pairs = characters.map((character, index) => character + (characters[index + 1] ?? ''))
  return open && pairs.length > 1 ? pairs.slice(0, -1) : pairs
}
