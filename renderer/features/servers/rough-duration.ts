import { t } from '#app/words/translate.ts'

/** Hours and more without minutes: for places with little room. */
export function roughDuration(ms: number): string {
  const safe = Math.max(0, ms)
  if (safe < 60_000) return `${Math.floor(safe / 1000)} s`
  if (safe < 3_600_000) return t`${Math.floor(safe / 60_000)} min`
  if (safe < 86_400_000) return `${Math.floor(safe / 3_600_000)} h`
  const days = Math.floor(safe / 86_400_000)
  return days === 1 ? t`1 day` : t`${days} days`
}
