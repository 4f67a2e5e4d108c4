// Report of what models were asked for, by model, chat and day; tokens as the providers count them. Fetched again when something
// was counted. The table says the same in figures as the bars.

import { type ReactNode, useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { type Price, totalTokensOf, type UsageRow } from '#app/models/usage.ts'
import { formatCount } from '#app/text/format-text.ts'
import { hrefOf } from '#renderer/router.ts'
import { useActions, useModels, useSettings } from '#renderer/stores/store-hooks.tsx'
import { ChoiceSelect, labelledOptions, Segmented, SubmitForm, TextField } from '#renderer/ui/field.tsx'
import { useEventCount, useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { usageEvents } from './chat-usage.tsx'
import {
  cachedLabel,
  costLabel,
  dayLabel,
  daysOf,
  everyDay,
  formatDollars,
  rangeNames,
  readTokens,
  tokensLabel,
  type UsageRange,
} from './usage-labels.ts'
import './usage.css'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { NumberSetting } from '#renderer/ui/number-setting.tsx'
import { Section } from '#renderer/ui/text/section.tsx'

const parts = [
  ['input', t`Read`],
  ['output', t`Written`],
  ['cacheRead', t`Read from the cache`],
  ['cacheWrite', t`Written to the cache`],
] as const satisfies readonly (readonly [keyof Price, string])[]

/** `unpriced`: models that were used and have no price; they come first. */
function PriceSection({ unpriced }: { readonly unpriced: readonly string[] }) {
  const models = useModels((state) => state.models)
  const prices = useSettings((state) => state.settings.prices)
  const { set } = useActions()
  const [open, setOpen] = useState<string | undefined>(undefined)
  const own = Object.keys(prices)
  const choices = [...new Set([...unpriced, ...models.filter(({ ai }) => ai).map(({ id }) => id)])].filter((id) => !own.includes(id))
  const remove = (id: string): void => {
    const { [id]: _gone, ...rest } = prices
    set({ prices: rest })
  }
  const nameOf = (id: string): string => models.find((model) => model.id === id)?.name ?? id
  return (
    <Section level={2} title={t`Prices`}>
      <p className="lede">{t`Dollars per million tokens, from the page of the provider. Applies to later answers.`}</p>
      <div className="lines">
        {own.map((id) =>
          open === id ? (
            <PriceForm key={id} id={id} before={prices[id]} onDone={() => setOpen(undefined)} />
          ) : (
            <div key={id}>
              <span className="grow">
                <VisibleText text={nameOf(id)} />
                <span className="help block num">{priceLabel(prices[id])}</span>
              </span>
              <SmallGhostButton onClick={() => setOpen(id)}>{t`Change`}</SmallGhostButton>
              <SmallGhostButton onClick={() => remove(id)}>{t`Remove`}</SmallGhostButton>
            </div>
          ),
        )}
        {open !== undefined && !own.includes(open) ? (
          <PriceForm id={open} before={models.find(({ id }) => id === open)?.price} onDone={() => setOpen(undefined)} />
        ) : (
          choices.length > 0 && (
            <div>
              <label className="grow" htmlFor="price-of">
                {t`Set the price of a model`}
              </label>
              <ChoiceSelect
                id="price-of"
                className="fit"
                value=""
                options={[
                  { value: '', label: t`Choose…` },
                  ...choices.map((id) => ({ value: id, label: unpriced.includes(id) ? t`${nameOf(id)} (used, no price)` : nameOf(id) })),
                ]}
                onChoose={setOpen}
              />
            </div>
          )
        )}
      </div>
    </Section>
  )
}

const priceLabel = (price: Price | undefined): string =>
  parts.flatMap(([name, label]) => (price?.[name] === undefined ? [] : [`${label.toLowerCase()} ${formatDollars(price[name])}`])).join(', ')

type Typed = Readonly<Record<(typeof parts)[number][0], string>>

/** Price in dollars; undefined: what is typed is none. */
export function readPrice(typed: Typed): Price | undefined {
  const price: { -readonly [Part in keyof Price]: Price[Part] } = { input: 0, output: 0 }
  for (const [name] of parts) {
    const text = typed[name].trim()
    const isOptional = name !== 'input' && name !== 'output'
    if (text === '' && isOptional) continue
    const value = text === '' ? Number.NaN : Number(text.replace(/^\$/, '').replace(',', '.'))
    if (!(value >= 0 && value <= 1_000_000)) return undefined
    price[name] = value
  }
  return price
}

function PriceForm({ id, before, onDone }: { readonly id: string; readonly before: Price | undefined; readonly onDone: () => void }) {
  const models = useModels((state) => state.models)
  const prices = useSettings((state) => state.settings.prices)
  const { set } = useActions()
  const [typed, setTyped] = useState(() => Object.fromEntries(parts.map(([name]) => [name, String(before?.[name] ?? '')])) as Typed)
  const [tried, setTried] = useState(false)
  const price = readPrice(typed)
  return (
    <SubmitForm
      className="price-form"
      onSubmit={() => {
        setTried(true)
        if (!price) return
        set({ prices: { ...prices, [id]: price } })
        onDone()
      }}
    >
      <VisibleText as="p" text={models.find((model) => model.id === id)?.name ?? id} />
      <div className="price-fields">
        {parts.map(([name, label], index) => (
          <TextField
            key={name}
            label={label}
            note={index < 2 ? undefined : t`optional`}
            className="num"
            inputMode="decimal"
            autoFocus={index === 0}
            value={typed[name]}
            onText={(text) => setTyped({ ...typed, [name]: text })}
          />
        ))}
      </div>
      {tried && !price && (
        <p className="help dangertext" role="alert">
          {t`Write dollars, such as 3 or 0.25.`}
        </p>
      )}
      <p className="row">
        <SmallButton type="submit">{t`Save`}</SmallButton>
        <SmallGhostButton onClick={onDone}>{t`Cancel`}</SmallGhostButton>
      </p>
    </SubmitForm>
  )
}

const limits = {
  dollars: { first: 20, most: 1_000_000 },
  tokens: { first: 10_000_000, most: 1_000_000_000_000 },
} as const

function BudgetSection() {
  const budget = useSettings((state) => state.settings.monthBudget)
  const { set } = useActions()
  return (
    <Section level={2} title={t`Budget`}>
      <div className="lines">
        <div>
          <label className="grow" htmlFor="budget-unit">
            {t`Budget for a month`}
            <span className="help block">{t`A notice appears at 80% and at 100%. Nothing is stopped.`}</span>
          </label>
          <ChoiceSelect<'' | 'dollars' | 'tokens'>
            id="budget-unit"
            className="fit"
            value={budget?.unit ?? ''}
            options={[
              { value: '', label: t`None` },
              { value: 'dollars', label: t`Dollars` },
              { value: 'tokens', label: t`Tokens` },
            ]}
            onChoose={(unit) => set({ monthBudget: unit === '' ? null : { unit, amount: limits[unit].first } })}
          />
        </div>
        {budget && (
          <NumberSetting
            key={budget.unit}
            label={t`At most`}
            unit={budget.unit}
            value={Math.max(1, Math.round(budget.amount))}
            min={1}
            max={limits[budget.unit].most}
            onSave={(amount) => set({ monthBudget: { unit: budget.unit, amount } })}
          />
        )}
      </div>
    </Section>
  )
}

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
            <span key={day} className="one-day" title={row ? `${dayLabel(day)}: ${tokensLabel(row)}${withCost(row)}` : dayLabel(day)}>
              <span style={{ height: `${(size(row) / largest) * 100}%` }} />
            </span>
          )
        })}
      </div>
      <figcaption className="row help">
        <span>{dayLabel(shown[0] ?? first)}</span>
        <span className="grow" />
        <span>{priced ? t`Dollars a day` : t`Tokens a day`}</span>
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
  [t`Tokens read`, (row) => formatCount(readTokens(row))],
  [t`Read from the cache`, cachedLabel, ' wide-only'],
  [t`Written`, ({ outputTokens }) => formatCount(outputTokens)],
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
  const { value: report, error } = useHostAnswer('usage.report', { from, to }, useEventCount(usageEvents))
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
        {report && report.total.requests === 0 && <p className="lede">{t`Nothing in this period.`}</p>}
        {report && report.total.requests > 0 && (
          <>
            <p className="use-total">
              <span className="num strong">{tokensLabel(report.total)}</span>{' '}
              <span className="dim">
                {t`in ${formatNumber(report.total.requests)} {answer|answers}`}
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
                <span className="dim">{t`Deleted chat`}</span>
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
