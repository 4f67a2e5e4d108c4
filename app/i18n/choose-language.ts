/** As a language in the settings: that of the person's system, or of the browser. */
export const systemLanguage = 'system'

/**
 * Which of the translations a person gets: the first of their languages that there is one of, with its region or without.
 *
 * @param preferred BCP 47, the most wanted first. English ends the search: it needs no translation.
 */
export function chooseLanguage(available: readonly string[], preferred: readonly string[]): string | undefined {
  for (const wanted of preferred) {
    const [base = ''] = wanted.toLowerCase().split('-')
    const found =
      available.find((language) => language.toLowerCase() === wanted.toLowerCase()) ??
      available.find((language) => language.toLowerCase() === base)
    if (found !== undefined || base === 'en') return found
  }
  return
}

/**
 * How numbers and times are written beside the words: as in the person's own region of that language, where they named one.
 *
 * @param language of the words; undefined: English.
 * @param preferred BCP 47, the most wanted first.
 */
export function chooseLocale(language: string | undefined, preferred: readonly string[]): string | undefined {
  const baseOf = (tag: string): string | undefined => tag.toLowerCase().split('-')[0]
  return preferred.find((tag) => baseOf(tag) === baseOf(language ?? 'en')) ?? language
}

const FROM_THE_RIGHT = /^(?:ar|arc|ckb|dv|fa|he|ks|ps|sd|syr|ug|ur|yi)(?:-|$)|-(?:Arab|Hebr)(?:-|$)/iu

/** From which side a language is written, by its tag (BCP 47). */
export const directionOf = (language: string): 'ltr' | 'rtl' => (FROM_THE_RIGHT.test(language) ? 'rtl' : 'ltr')
