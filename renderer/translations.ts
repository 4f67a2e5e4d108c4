// The translations, and the chosen language, kept in the browser's storage: modules read their texts before the host tells it.
import { systemLanguage } from '#app/i18n/choose-language.ts'
import type { TranslationCatalogue } from '#app/i18n/translate.ts'
import type { Stores } from './stores/stores.ts'

/** Translations by language tag; English needs none. All are in the first chunk, since modules read their texts when they load. */
export const translations: ReadonlyMap<string, TranslationCatalogue['messages']> = new Map(
  Object.entries(
    import.meta.glob<TranslationCatalogue['messages']>('../app/i18n/languages/*.json', { import: 'default', eager: true }),
  ).map(([path, messages]) => [path.replace(/^.*\/|\.json$/gu, ''), messages]),
)

const KEPT = 'assent.language'

/** Language of the settings when they were last known. */
export function keptLanguage(): string {
  try {
    return localStorage.getItem(KEPT) ?? systemLanguage
  } catch {
    return systemLanguage // The browser stores nothing.
  }
}

/** Keeps the language; false when the browser stores nothing. */
function keepLanguage(language: string): boolean {
  try {
    localStorage.setItem(KEPT, language)
    return true
  } catch {
    return false
  }
}

/** Reloads the page when the language of the settings changes: modules read their texts once, when they load. */
export function followLanguage(settings: Stores['settings'], reload: () => void): void {
  const initial = settings.getState()
  settings.subscribe((state) => {
    const { language } = state.settings
    if (state !== initial && language !== keptLanguage() && keepLanguage(language)) reload()
  })
}
