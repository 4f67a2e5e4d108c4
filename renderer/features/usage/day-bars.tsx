// A bar a day. The table below says the same in figures, so that nobody has to see the bars.
import { tokensOf, type UseRow } from '#app/chat/usage.ts'
import { t } from '#app/words/translate.ts'
import { costWords, dayWords, everyDay, tokenWords } from './use-words.ts'

const mostBars = 62

export function DayBars({ days, from, to }: { readonly days: readonly UseRow[]; readonly from: string; readonly to: string }) {
  const first = days[0]?.key
  const last = days.at(-1)?.key
  if (first === undefined || last === undefined) return null
  const byDay = new Map(days.map((row) => [row.key, row]))
  const shown = everyDay(from < first ? first : from, to > last ? last : to, mostBars)
  const priced = days.every(({ unpriced }) => unpriced === 0) && days.some(({ cost }) => cost > 0)
  const size = (row: UseRow | undefined): number => (row ? (priced ? row.cost : tokensOf(row)) : 0)
  const largest = Math.max(...shown.map((day) => size(byDay.get(day))), Number.MIN_VALUE)
  return (
    <figure className="day-bars">
      <div className="bars" aria-hidden="true">
        {shown.map((day) => {
          const row = byDay.get(day)
          return (
            <span
              key={day}
              className="one-day"
              title={row ? `${dayWords(day)}: ${tokenWords(row)}${withCost(row)}` : t`${dayWords(day)}: nothing`}
            >
              <span style={{ height: `${(size(row) / largest) * 100}%` }} />
            </span>
          )
        })}
      </div>
      <figcaption className="row help">
        <span>{dayWords(shown[0] ?? first)}</span>
        <span className="grow" />
        <span>{priced ? t`dollars a day` : t`tokens a day`}</span>
        <span className="grow" />
        <span>{dayWords(shown.at(-1) ?? last)}</span>
      </figcaption>
    </figure>
  )
}

const withCost = (row: UseRow): string => {
  const cost = costWords(row)
  return cost === undefined ? '' : `, ${cost}`
}
