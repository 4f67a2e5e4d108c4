// Under which heading a day stands. Days are those of a calendar, not stretches of 24 hours: where a clock is put forward
// or back, a day is 23 or 25 hours long.
import { t } from '#app/words/translate.ts'

export interface Day {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
}

/** In the person's time zone. */
export function localDay(time: number): Day {
  const date = new Date(time)
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() }
}

const months = [
  t`January`,
  t`February`,
  t`March`,
  t`April`,
  t`May`,
  t`June`,
  t`July`,
  t`August`,
  t`September`,
  t`October`,
  t`November`,
  t`December`,
]
const dayNumber = ({ year, month, day }: Day): number => Date.UTC(year, month - 1, day) / 86_400_000

/** A time ahead of the clock counts as today. */
export function dateGroup(time: number, now: number, dayOf: (time: number) => Day = localDay): string {
  const [then, today] = [dayOf(time), dayOf(now)]
  const ago = dayNumber(today) - dayNumber(then)
  if (ago <= 0) return t`Today`
  if (ago === 1) return t`Yesterday`
  if (ago <= 7) return t`Previous 7 days`
  return then.year === today.year ? (months[then.month - 1] ?? '') : String(then.year)
}
