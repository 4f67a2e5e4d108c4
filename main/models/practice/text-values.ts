// Values in a text that can become arguments: quoted strings, file names, URLs, numbers, days, months.

export type TextTokens = ReturnType<typeof splitTokens>

const spelled = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const weekdays = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\btoday\b|\btomorrow\b|\b\d{4}-\d{2}-\d{2}\b/gi
const monthNames = 'january february march april may june july august september october november december'.split(' ')

export function splitTokens(text: string) {
  const quoted = [...text.matchAll(/"([^"]+)"|“([^”]+)”|`([^`]+)`|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? '',
  )
  let rest = text.replace(/"[^"]+"|“[^”]+”|`[^`]+`/g, ' ')
  const take = (pattern: RegExp): string[] => {
    const found = [...rest.matchAll(pattern)].map((match) => match[0].replace(/[.,;:!?)]+$/, ''))
    rest = rest.replace(pattern, ' ')
    return found
  }
  const urls = take(/\bhttps?:\/\/[^\s<>"']+/gi)
  const files = take(/(?:[~.]{0,2}\/)[^\s,;]+|\b[\p{L}\p{N}_-][\p{L}\p{N}._-]*\.[a-zA-Z][a-zA-Z0-9]{0,4}\b/gu)
  const days = take(weekdays)
  /** `2026-09`, or the name of a month. */
  const months = [...take(/\b\d{4}-(?:0[1-9]|1[0-2])\b/g), ...take(new RegExp(`\\b(?:${monthNames.join('|')})\\b`, 'gi')).filter(isMonth)]
  /** Names of things that are no files: 0417, INV-7. */
  const references = take(/\b0\d+\b|\b[A-Za-z]+-?\d[\w-]*\b|#\d+\b/g)
  /** Whole and decimal numbers, also spelled out to twelve. Numbers with leading zeros are references. */
  const numbers = [...rest.matchAll(/(?<![\p{L}\p{N}.])-?\d+(?:\.\d+)?|\p{L}+/gu)].flatMap(([word]) => {
    const index = spelled.indexOf(word.toLowerCase())
    return index >= 0 ? [index] : /\d/.test(word) ? [Number(word)] : []
  })
  return { quoted, urls, files, numbers, references, days, months }
}

/** "may" is a month only with a capital. */
const isMonth = (word: string): boolean => word !== 'may'

/** Converts to `YYYY-MM`; a name stands for the latest such month that has begun. */
export function monthOf(word: string, now: number): string | undefined {
  if (/^\d{4}-\d{2}$/.test(word)) return word
  const index = monthNames.indexOf(word.toLowerCase())
  if (index < 0) return undefined
  const today = new Date(now)
  const year = index <= today.getUTCMonth() ? today.getUTCFullYear() : today.getUTCFullYear() - 1
  return `${year}-${String(index + 1).padStart(2, '0')}`
}
