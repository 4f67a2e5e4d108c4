/** Setting for the language of the system or browser. */
export const systemLanguage = 'system'

/**
 * Chooses the first preferred language with a translation, with its region or without.
 * @param preferred BCP 47, most wanted first. English ends the search: it needs no translation.
 */
export function chooseLanguage(available: readonly string[], preferred: readonly string[]): string | undefined {
  for (const wanted of preferred) {
    const [base = ''] = wanted.toLowerCase().split('-')
    const found =
      available.find((language) => language.toLowerCase() === wanted.toLowerCase()) ??
      available.find((language) => language.toLowerCase() === base)
    if (found !== undefined || base === 'en') return found
  }
  return undefined
}

/**
 * Chooses the locale of numbers and times: the person's own region of the language, if they named one.
 * @param preferred BCP 47, most wanted first.
 */
export function chooseLocale(language: string | undefined, preferred: readonly string[]): string | undefined {
  const baseOf = (tag: string): string | undefined => tag.toLowerCase().split('-')[0]
  return preferred.find((tag) => baseOf(tag) === baseOf(language ?? 'en')) ?? language
}

const FROM_THE_RIGHT = /^(?:ar|arc|ckb|dv|fa|he|ks|ps|sd|syr|ug|ur|yi)(?:-|$)|-(?:Arab|Hebr)(?:-|$)/iu

/** Writing direction of a language by its BCP 47 tag. */
export const directionOf = (language: string): 'ltr' | 'rtl' => (FROM_THE_RIGHT.test(language) ? 'rtl' : 'ltr')
