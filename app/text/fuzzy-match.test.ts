import { expect, test } from 'vitest'
import { fuzzyMatch } from './fuzzy-match.ts'

const best = (query: string, texts: readonly string[]): string[] =>
  texts
    .flatMap((text) => {
      const match = fuzzyMatch(query, text)
      return match ? [{ text, score: match.score }] : []
    })
    .sort((a, b) => b.score - a.score)
    .map(({ text }) => text)

test('letters fit in their order, whole runs and beginnings of words first', () => {
  expect(best('inv', ['vin', 'i-n-v', 'reinvent', 'my invoice', 'invoice'])).toEqual(['invoice', 'my invoice', 'reinvent', 'i-n-v'])
})

test('says where the letters stand', () => {
  expect([fuzzyMatch('mf', 'move_file')?.at, fuzzyMatch('FILE', 'move_file')?.at, fuzzyMatch('', 'x')?.at]).toEqual([
    [0, 5],
    [5, 6, 7, 8],
    [],
  ])
})
