// What models were asked for: by day, by model, by chat. Tokens as the providers count them. The report of what models were
// asked for, as of now: asked for again when something was counted. A bar a day. The table below says the same in figures, so
// that nobody has to see the bars.

import { type ReactNode, useEffect, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { totalTokensOf, type UsageReport, type UsageRow } from '#app/models/usage.ts'
import { hrefOf } from '#renderer/router.ts'
import { useActions, useModels, useStores } from '#renderer/stores/store-hooks.tsx'
import { Segmented } from '#renderer/ui/choices.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { BudgetSection } from './budget-section.tsx'
import { PriceSection } from './price-section.tsx'
import {
  cachedLabel,
  costLabel,
  dayLabel,
  daysOf,
  everyDay,
  formatCompactTokens,
  rangeNames,
  ranges,
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

interface UseTableProps {
  readonly title: string
  /** What the first column holds. */
  readonly of: string
  readonly rows: readonly UsageRow[]
  readonly name: (row: UsageRow) => ReactNode
  /** Opened by the person only. */
  readonly folded?: boolean
}

function UsageTable({ title, of, rows, name, folded }: UseTableProps) {
  if (rows.length === 0) return null
  return (
    <Frame title={title} folded={folded}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="tbl-scroll" aria-label={title} tabIndex={0}>
        <table className="tbl use">
          <thead>
            <tr>
              <th scope="col">{of}</th>
              <th scope="col" className="r wide-only">
                {t`Answers`}
              </th>
              <th scope="col" className="r">
                {t`Tokens read`}
              </th>
              <th scope="col" className="r wide-only">
                {t`From the cache`}
              </th>
              <th scope="col" className="r">
                {t`Written`}
              </th>
              <th scope="col" className="r">
                {t`Cost`}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row">{name(row)}</th>
                <td className="r num wide-only">{formatNumber(row.requests)}</td>
                <td className="r num">{formatCompactTokens(readTokens(row))}</td>
                <td className="r num wide-only">{cachedLabel(row)}</td>
                <td className="r num">{formatCompactTokens(row.outputTokens)}</td>
                <td className="r num">{costLabel(row) ?? <span className="dim">{t`not known`}</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Frame>
  )
}

function Frame({
  title,
  folded,
  children,
}: {
  readonly title: string
  readonly folded: boolean | undefined
  readonly children: ReactNode
}) {
  if (!folded)
    return (
      <section className="sec">
        <h2 className="h3">{title}</h2>
        {children}
      </section>
    )
  return (
    <details className="sec use-folded">
      <summary>
        <h2 className="h3">{title}</h2>
      </summary>
      {children}
    </details>
  )
}

interface UsageReportState {
  readonly report: UsageReport | undefined
  readonly error: ErrorValue | undefined
}

/** Answers in a row count as one change. */
const SETTLE_MS = 300

function useUsageReport(from: string, to: string): UsageReportState {
  const { attempt } = useActions()
  const { hostConnection } = useStores()
  const [shown, setShown] = useState<UsageReportState>({ report: undefined, error: undefined })
  useEffect(() => {
    let open = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      timer = undefined
      const outcome = await attempt('usage.report', { from, to })
      if (!open) return
      setShown((before) => (outcome.ok ? { report: outcome.value, error: undefined } : { ...before, error: outcome.error }))
    }
    const stop = hostConnection.onEvent(({ name }) => {
      if (name === 'usage.changed') timer ??= setTimeout(look, SETTLE_MS)
    })
    void look()
    return () => {
      open = false
      clearTimeout(timer)
      stop()
    }
  }, [attempt, hostConnection, from, to])
  return shown
}

export function UsageTab() {
  const [range, setRange] = useState<UsageRange>('month')
  const { from, to } = daysOf(range, Date.now())
  const { report, error } = useUsageReport(from, to)
  const models = useModels((state) => state.models)
  const modelName = (id: string): string => models.find((model) => model.id === id)?.name ?? id
  const cost = report && costLabel(report.total)
  return (
    <>
      <section className="sec">
        <div className="row wrap">
          <h2 className="h3">{t`Used`}</h2>
          <span className="grow" />
          <Segmented<UsageRange>
            label={t`Time`}
            value={range}
            onChange={setRange}
            choices={ranges.map((value) => ({ value, label: rangeNames[value] }))}
          />
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
            name={({ key }) => (
              <span title={modelName(key)}>
                <VisibleText text={modelName(key)} />
              </span>
            )}
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
