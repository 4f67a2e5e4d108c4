// Locale of the host for its worker threads, whose errors people read too.
import { formatLocale, setFormats } from './format-values.ts'
import { setCatalogue, spokenCatalogue } from './translate.ts'

/** Locale as structured-cloneable data. */
export type LocaleSnapshot = ReturnType<typeof localeSnapshot>
export const localeSnapshot = () => ({ catalogue: spokenCatalogue(), locale: formatLocale() })

/** Sets the locale in a thread, before it produces text. */
export function restoreLocale({ catalogue, locale }: LocaleSnapshot): void {
  setCatalogue(catalogue)
  setFormats(locale)
}
