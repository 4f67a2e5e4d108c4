import { formatDate } from '#app/i18n/format-dates.ts'
import { formatPercent, numberIn } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { dayOf, totalTokensOf, type UsageTotal } from '#app/models/usage.ts'
import { formatCount } from '#app/text/format-text.ts'

export const rangeNames = { week: t`Last 7 days`, month: t`This month`, 'last-month': t`Last month`, all: t`All` }
export type UsageRange = keyof typeof rangeNames

/** First and last day of a range, both included, as YYYY-MM-DD. */
export function daysOf(range: UsageRange, now: number): { readonly from: string; readonly to: string } {
  const today = new Date(now)
  const at = (month: number, day: number): string => dayOf(new Date(today.getFullYear(), month, day, 12).getTime())
  const [month, day] = [today.getMonth(), today.getDate()]
  const days = {
    week: { from: at(month, day - 6), to: at(month, day) },
    month: { from: at(month, 1), to: at(month, day) },
    'last-month': { from: at(month - 1, 1), to: at(month, 0) },
    all: { from: '0000-01-01', to: '9999-12-31' },
  }
  return days[range]
}

/** Every day from the first to the last, also those on which nothing was asked. At most `most`, the latest. */
export function everyDay(from: string, to: string, most: number): string[] {
  const days: string[] = []
  const [year, month, day] = to.split('-').map(Number)
  for (let back = 0; back < most; back += 1) {
    const one = dayOf(new Date(year ?? 0, (month ?? 1) - 1, (day ?? 1) - back, 12).getTime())
    if (one < from) break
    days.unshift(one)
  }
  return days
}

const cents = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
const small = { ...cents, maximumSignificantDigits: 2 } as const

export const formatDollars = (dollars: number): string => numberIn(dollars > 0 && dollars < 0.01 ? small : cents, dollars)

/** "$0.42", "at least $0.42" where some of it has no price, or nothing where none has. */
export function costLabel({ requests, unpriced, cost }: Pick<UsageTotal, 'requests' | 'unpriced' | 'cost'>): string | undefined {
  if (requests === 0 || unpriced === requests) return undefined
  return unpriced === 0 ? formatDollars(cost) : t`at least ${formatDollars(cost)}`
}

export const tokensLabel = (total: UsageTotal): string => t`${formatCount(totalTokensOf(total))} tokens`

export const readTokens = ({ inputTokens, cacheReadTokens, cacheWriteTokens }: UsageTotal): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens

/** Share of the tokens read that came from the provider's cache: "83%". */
export function cachedLabel(total: UsageTotal): string {
  const read = readTokens(total)
  return read === 0 ? '' : formatPercent(total.cacheReadTokens / read)
}

/** “20 Nov”, “20 Nov 2025”; `day`: of this computer's calendar, YYYY-MM-DD. */
export const dayLabel = (day: string): string => formatDate(new Date(`${day}T12:00`).getTime(), Date.now())
