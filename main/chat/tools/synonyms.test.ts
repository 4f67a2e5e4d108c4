import { describe, expect, test } from 'vitest'
import { searchTerms, stemWord, synonymsOf } from './synonyms.ts'
import { hintsOf } from './tool-choice.ts'

describe('terms', () => {
  test.each([
    ['list_invoices', 'List the invoices'],
    ['listInvoices', 'listing of an invoice'],
    ['createHTTPServer', 'Creating HTTP servers'],
    ['delete-category', 'deleted categories'],
    ['Réserver', 'reserver'],
  ])('are the same for %s and “%s”', (a, b) => {
    expect(new Set(searchTerms(a))).toEqual(new Set(searchTerms(b)))
  })

  test.each([
    ['create', 'creation'],
    ['notify', 'notifications'],
    ['deploy', 'deployment'],
    ['translate', 'translations'],
    ['schedule', 'scheduled'],
    ['run', 'running'],
    ['organize', 'organisations'],
  ])('%s and %s have one stem', (a, b) => {
    expect(stemWord(b)).toBe(stemWord(a))
  })

  test('leave out the small words of a sentence, and keep numbers', () => {
    expect(searchTerms('Could you please show me what is in S3?')).toEqual([stemWord('show'), 's3'])
  })

  test('of a script without spaces are pairs of characters', () => {
    expect(searchTerms('新しい会議')).toEqual(expect.arrayContaining(['会議']))
  })

  test('of a pasted book are those of its beginning', () => {
    expect(searchTerms(`${'word '.repeat(100_000)} end`)).not.toContain('end')
  })
})

test('words for the same thing find each other both ways', () => {
  expect(synonymsOf(stemWord('remove')).has(stemWord('delete'))).toBe(true)
  expect(synonymsOf(stemWord('delete')).has(stemWord('remove'))).toBe(true)
  expect(synonymsOf('constructor').size).toBe(0)
})

test('the shape of a text says what it is about', () => {
  expect(hintsOf('crop portrait.jpg')).toContain(stemWord('image'))
  expect(hintsOf('tell #general')).toContain('channel')
  expect(hintsOf('nothing of the kind')).toEqual([])
})
