import { describe, expect, test } from 'vitest'
import { foldedTerms, foldedWords, foldText } from './fold-words.ts'

const terms = (text: string): string[] => [...foldedWords(text)].flatMap((word) => word.terms)

describe('words of a text', () => {
  test.each([
    ['case and accents do not count', 'Café LINDGREN', ['cafe', 'lindgren']],
    ['a composed and a decomposed accent are the same', 'e\u0301té été', ['ete', 'ete']],
    ['the parts of a name are words', 'list_unbooked vendors.csv', ['list', 'unbooked', 'vendors', 'csv']],
    ['invisible characters within a word do not count', 'pass\u200bword se\u00adcret', ['password', 'secret']],
    ['full-width letters are plain ones', 'ＡＢＣ１', ['abc1']],
    ['sharp s and final sigma have one form', 'Straße ΟΔΟΣ', ['strasse', 'οδοσ']],
    ['Chinese is cut into pairs, with the last character by itself', '数据库', ['数据', '据库', '库']],
    ['a script without spaces ends where another begins', 'GPT模型2', ['gpt', '模型', '型', '2']],
    ['Thai keeps its vowel signs', 'น้ำ', ['น้', '้ํ', 'ํา', 'า']],
    ['Japanese keeps its voicing marks', 'がぎ', ['がぎ', 'ぎ']],
    ['signs alone are no words', '— · 🙂 "', []],
  ])('%s', (_title, text, expected) => expect(terms(text)).toEqual(expected))

  test('a word is found where it stands in the text as it was written', () => {
    const text = 'the Café is open'
    const [, cafe] = [...foldedWords(text)]
    expect(cafe && text.slice(cafe.start, cafe.end)).toBe('Café')
  })

  test('a run that goes on has no last character', () => expect(foldedTerms(foldText('数据库'), true)).toEqual(['数据', '据库']))
  test('a very long word is known by its beginning', () => expect(terms('a'.repeat(1000))).toEqual(['a'.repeat(64)]))
})
