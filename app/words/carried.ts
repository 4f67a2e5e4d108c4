// What a thread of the host needs to speak as the host does: its modules are its own, and people read its errors.
import { formatLocale, setFormats } from './formats.ts'
import { type Catalogue, setCatalogue, spokenCatalogue } from './translate.ts'

/** Can be sent to a thread as it is. */
export interface CarriedWords {
  readonly catalogue: Catalogue | undefined
  readonly locale: string
}

export const carriedWords = (): CarriedWords => ({ catalogue: spokenCatalogue(), locale: formatLocale() })

/** In the thread, before it says anything. */
export function speakAs({ catalogue, locale }: CarriedWords): void {
  setCatalogue(catalogue)
  setFormats(locale)
}
