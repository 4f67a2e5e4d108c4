import { describe, expect, it } from 'vitest'
import { chooseLanguage, directionOf } from './choose-language.ts'

describe('the language of the page', () => {
  it.each([
    ['is that of the region', ['pt', 'pt-BR'], ['pt-BR'], 'pt-BR'],
    ['is the language without its region', ['de', 'fr'], ['de-AT', 'fr'], 'de'],
    ['is the next one that there is', ['fr'], ['cs', 'fr-CA'], 'fr'],
    ['is English before a language that is wanted less', ['fr'], ['en-GB', 'fr'], undefined],
    ['is English where there is none', [], ['de'], undefined],
    ['is not one of another region', ['pt-BR'], ['pt-PT'], undefined],
  ])('%s', (_, available, preferred, chosen) => {
    expect(chooseLanguage(available, preferred)).toBe(chosen)
  })
})

it.each([
  ['he', 'rtl'],
  ['ar-EG', 'rtl'],
  ['pa-Arab-PK', 'rtl'],
  ['pt-BR', 'ltr'],
  ['hr', 'ltr'],
])('%s is written from its side: %s', (language, direction) => {
  expect(directionOf(language)).toBe(direction)
})
