// What a thread of the host needs to speak as the host does: its modules are its own, and people read its errors.
import { formatLocale, setFormats } from './format-values.ts'
import { setCatalogue, spokenCatalogue, type TranslationCatalogue } from './translate.ts'

/** Can be sent to a thread as it is. */
export interface LocaleSnapshot {
  readonly catalogue: TranslationCatalogue | undefined
  readonly locale: string
}

export const localeSnapshot = (): LocaleSnapshot => ({ catalogue: spokenCatalogue(), locale: formatLocale() })

/** In the thread, before it says anything. */
export function restoreLocale({ catalogue, locale }: LocaleSnapshot): void {
  setCatalogue(catalogue)
  setFormats(locale)
}
