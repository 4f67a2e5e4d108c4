import { t } from './words/translate.ts'

/** How long to wait, never too short: 4 s, 90 s, 12 min, 3 h. Milliseconds. */
export function waitWords(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? t`${minutes} min` : `${Math.ceil(minutes / 60)} h`
}
