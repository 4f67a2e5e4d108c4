import { t } from '#app/words/translate.ts'

const sameDay = (a: Date, b: Date): boolean => a.toDateString() === b.toDateString()

/** “today, 11:04”, “yesterday, 09:12”, “24 Sept”, “24 Sept 2025”. */
export function whenWords(at: number, now: number): string {
  const date = new Date(at)
  const today = new Date(now)
  const clock = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (sameDay(date, today)) return t`today, ${clock}`
  if (sameDay(date, new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1))) return t`yesterday, ${clock}`
  const year = date.getFullYear() === today.getFullYear() ? {} : { year: 'numeric' as const }
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year })
}
