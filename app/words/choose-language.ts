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
