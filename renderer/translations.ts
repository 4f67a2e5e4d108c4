// The languages that there are words in, and which of them the person chose: kept beside the page, for the host tells it only
// when the page's words have long been read.
import { systemLanguage } from '#app/i18n/choose-language.ts'
import type { TranslationCatalogue } from '#app/i18n/translate.ts'

/** By their tags; English needs none. All of them are in the page's first file: tables of words are read with their modules, which nothing may wait before. */
export const translations: ReadonlyMap<string, TranslationCatalogue['messages']> = new Map(
  Object.entries(
    import.meta.glob<TranslationCatalogue['messages']>('../app/i18n/languages/*.json', { import: 'default', eager: true }),
  ).map(([path, messages]) => [path.replace(/^.*\/|\.json$/gu, ''), messages]),
)

const KEPT = 'assent.language'

/** What the settings said when they were last heard of. */
export function keptLanguage(): string {
  try {
    return localStorage.getItem(KEPT) ?? systemLanguage
  } catch {
    return systemLanguage // A browser that keeps nothing.
  }
}

/** False: it could not be kept. */
export function keepLanguage(language: string): boolean {
  try {
    localStorage.setItem(KEPT, language)
    return true
  } catch {
    return false
  }
}
