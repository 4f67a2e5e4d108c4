import { dayOfYear, dayWithYear, formatClock } from './format-values.ts'
import { t } from './translate.ts'

/** How long to wait, never too short: 4 s, 90 s, 12 min, 3 h. Milliseconds. */
export function formatWait(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? t`${minutes} min` : `${Math.ceil(minutes / 60)} h`
}

const midnight = (at: number, days = 0): number => {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}
/** “24 Sept”, “24 Sept 2025”: where the hour says nothing. */
export const formatDate = (at: number, now: number): string =>
  new Date(at).getFullYear() === new Date(now).getFullYear() ? dayOfYear(at) : dayWithYear(at)

/** Formats a past time: “today, 11:04”, “yesterday, 09:12”, “24 Sept”, “24 Sept 2025”. */
export function formatWhen(at: number, now: number): string {
  if (at >= midnight(now)) return t`today, ${formatClock(at)}`
  if (at >= midnight(now, -1)) return t`yesterday, ${formatClock(at)}`
  return formatDate(at, now)
}

/** “Today”, “Yesterday”, “12 Sept”: for the heads between days. */
export function dayTitle(at: number, now: number): string {
  if (at >= midnight(now)) return t`Today`
  if (at >= midnight(now, -1)) return t`Yesterday`
  return formatDate(at, now)
}

/** Formats a future time: “today, 18:00”, “tomorrow, 09:00”, “12 Sept”. */
export function formatUntil(at: number, now: number): string {
  if (at < midnight(now, 1)) return t`today, ${formatClock(at)}`
  if (at < midnight(now, 2)) return t`tomorrow, ${formatClock(at)}`
  return formatDate(at, now)
}
