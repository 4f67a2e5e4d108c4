// Locale of the host for its worker threads, whose errors people read too.
import { formatLocale, setFormats } from './format-values.ts'
import { setCatalogue, spokenCatalogue, type TranslationCatalogue } from './translate.ts'

/** Locale as structured-cloneable data. */
export interface LocaleSnapshot {
  readonly catalogue: TranslationCatalogue | undefined
  readonly locale: string
}

export const localeSnapshot = (): LocaleSnapshot => ({ catalogue: spokenCatalogue(), locale: formatLocale() })

/** Sets the locale in a thread, before it produces text. */
export function restoreLocale({ catalogue, locale }: LocaleSnapshot): void {
  setCatalogue(catalogue)
  setFormats(locale)
}
