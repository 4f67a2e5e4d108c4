// Report of what models were asked for, by model, chat and day; tokens as the providers count them. Fetched again when something
// was counted. The table says the same in figures as the bars.

import { type ReactNode, useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { totalTokensOf, type UsageRow } from '#app/models/usage.ts'
import { hrefOf } from '#renderer/router.ts'
import { useModels } from '#renderer/stores/store-hooks.tsx'
import { labelledOptions, Segmented } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-fetched.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { useUsageChanges } from './chat-usage.tsx'
import { BudgetSection, PriceSection } from './price-section.tsx'
import {
  cachedLabel,
  costLabel,
  dayLabel,
  daysOf,
  everyDay,
  formatCompactTokens,
  rangeNames,
  readTokens,
  tokensLabel,
  type UsageRange,
} from './usage-labels.ts'
import './usage.css'

const mostBars = 62

function DayBars({ days, from, to }: { readonly days: readonly UsageRow[]; readonly from: string; readonly to: string }) {
  const first = days[0]?.key
  const last = days.at(-1)?.key
  if (first === undefined || last === undefined) return null
  const byDay = new Map(days.map((row) => [row.key, row]))
  const shown = everyDay(from < first ? first : from, to > last ? last : to, mostBars)
  const priced = days.every(({ unpriced }) => unpriced === 0) && days.some(({ cost }) => cost > 0)
  const size = (row: UsageRow | undefined): number => (row ? (priced ? row.cost : totalTokensOf(row)) : 0)
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
              title={row ? `${dayLabel(day)}: ${tokensLabel(row)}${withCost(row)}` : t`${dayLabel(day)}: nothing`}
            >
              <span style={{ height: `${(size(row) / largest) * 100}%` }} />
            </span>
          )
        })}
      </div>
      <figcaption className="row help">
        <span>{dayLabel(shown[0] ?? first)}</span>
        <span className="grow" />
        <span>{priced ? t`dollars a day` : t`tokens a day`}</span>
        <span className="grow" />
        <span>{dayLabel(shown.at(-1) ?? last)}</span>
      </figcaption>
    </figure>
  )
}

const withCost = (row: UsageRow): string => {
  const cost = costLabel(row)
  return cost === undefined ? '' : `, ${cost}`
}

interface UsageTableProps {
  readonly title: string
  readonly of: string
  readonly rows: readonly UsageRow[]
  readonly name: (row: UsageRow) => ReactNode
  readonly folded?: boolean | undefined
}

const columns: readonly (readonly [label: string, figure: (row: UsageRow) => string | undefined, look?: ' wide-only'])[] = [
  [t`Answers`, ({ requests }) => formatNumber(requests), ' wide-only'],
  [t`Tokens read`, (row) => formatCompactTokens(readTokens(row))],
  [t`From the cache`, cachedLabel, ' wide-only'],
  [t`Written`, ({ outputTokens }) => formatCompactTokens(outputTokens)],
  [t`Cost`, costLabel],
]

function UsageTable({ title, of, rows, name, folded }: UsageTableProps) {
  if (rows.length === 0) return null
  return (
    <Frame title={title} folded={folded}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="tbl-scroll" aria-label={title} tabIndex={0}>
        <table className="tbl use">
          <thead>
            <tr>
              <th scope="col">{of}</th>
              {columns.map(([label, , look = '']) => (
                <th key={label} scope="col" className={`r${look}`}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row">{name(row)}</th>
                {columns.map(([label, figure, look = '']) => (
                  <td key={label} className={`r num${look}`}>
                    {figure(row) ?? <span className="dim">{t`not known`}</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Frame>
  )
}

function Frame({ title, folded, children }: Pick<UsageTableProps, 'title' | 'folded'> & { readonly children: ReactNode }) {
  const heading = <h2 className="h3">{title}</h2>
  return folded ? (
    <details className="sec use-folded">
      <summary>{heading}</summary>
      {children}
    </details>
  ) : (
    <section className="sec">
      {heading}
      {children}
    </section>
  )
}

export function UsageTab() {
  const [range, setRange] = useState<UsageRange>('month')
  const { from, to } = daysOf(range, Date.now())
  const { value: report, error } = useHostAnswer('usage.report', { from, to }, useUsageChanges())
  const models = useModels((state) => state.models)
  const modelName = (id: string): string => models.find((model) => model.id === id)?.name ?? id
  const cost = report && costLabel(report.total)
  return (
    <>
      <section className="sec">
        <div className="row wrap">
          <h2 className="h3">{t`Used`}</h2>
          <span className="grow" />
          <Segmented label={t`Time`} value={range} onChange={setRange} choices={labelledOptions(rangeNames)} />
        </div>
        {error && <ErrorNotice error={error} />}
        {report && report.total.requests === 0 && (
          <p className="lede">
            {tx`${<span className="strong">{t`Nothing in this time.`}</span>} What models read and write is counted here, as their providers count it. The practice model costs nothing and is not counted.`}
          </p>
        )}
        {report && report.total.requests > 0 && (
          <>
            <p className="use-total">
              <span className="num strong">{tokensLabel(report.total)}</span>{' '}
              <span className="dim">
                {report.total.requests === 1 ? t`in 1 answer` : t`in ${formatNumber(report.total.requests)} answers`}
                {cost !== undefined && ', '}
              </span>
              {cost !== undefined && <span className="num strong">{cost}</span>}
            </p>
            <DayBars days={report.days} from={from} to={to} />
          </>
        )}
      </section>
      {report && (
        <>
          <UsageTable
            title={t`By model`}
            of={t`Model`}
            rows={report.models}
            name={({ key }) => <VisibleText title={modelName(key)} text={modelName(key)} />}
          />
          <UsageTable
            title={t`By chat`}
            of={t`Chat`}
            rows={report.conversations}
            name={({ key, title }) =>
              key === '' ? (
                t`For servers, outside of a chat`
              ) : title === undefined ? (
                <span className="dim">{t`A chat that is gone`}</span>
              ) : (
                <a href={hrefOf({ page: 'chat', id: key })} title={title}>
                  <VisibleText text={title} />
                </a>
              )
            }
          />
          <UsageTable
            folded
            title={t`By day`}
            of={t`Day`}
            rows={report.days.toReversed()}
            name={({ key }) => <span className="num">{dayLabel(key)}</span>}
          />
        </>
      )}
      <BudgetSection />
      <PriceSection unpriced={report?.models.filter(({ unpriced }) => unpriced > 0).map(({ key }) => key) ?? []} />
    </>
  )
}
