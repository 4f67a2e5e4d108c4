import { dayWithYear } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Since when it waits: "now", "4 min", "30 h", "5 days", and of what waits for a month or longer its date. Both in ms since 1970. */
export function sinceWords(at: number, now: number): string {
  const ms = now - at
  if (ms < minute) return t`now`
  if (ms < hour) return t`${Math.floor(ms / minute)} min`
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h`
  return ms < 30 * day ? t`${Math.floor(ms / day)} days` : dayWithYear(at)
}
