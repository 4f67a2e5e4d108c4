// A time beside the time now, in words.
import { clockWords, dayOfYear, dayWithYear } from './formats.ts'
import { t } from './translate.ts'

const midnight = (at: number, days = 0): number => {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}
/** “24 Sept”, “24 Sept 2025”: where the hour says nothing. */
export const dateWords = (at: number, now: number): string =>
  new Date(at).getFullYear() === new Date(now).getFullYear() ? dayOfYear(at) : dayWithYear(at)

/** Of what was: “today, 11:04”, “yesterday, 09:12”, “24 Sept”, “24 Sept 2025”. */
export function whenWords(at: number, now: number): string {
  if (at >= midnight(now)) return t`today, ${clockWords(at)}`
  if (at >= midnight(now, -1)) return t`yesterday, ${clockWords(at)}`
  return dateWords(at, now)
}

/** “Today”, “Yesterday”, “12 Sept”: for the heads between days. */
export function dayTitle(at: number, now: number): string {
  if (at >= midnight(now)) return t`Today`
  if (at >= midnight(now, -1)) return t`Yesterday`
  return dateWords(at, now)
}

/** Of what will be: “today, 18:00”, “tomorrow, 09:00”, “12 Sept”. */
export function untilWords(at: number, now: number): string {
  if (at < midnight(now, 1)) return t`today, ${clockWords(at)}`
  if (at < midnight(now, 2)) return t`tomorrow, ${clockWords(at)}`
  return dateWords(at, now)
}
