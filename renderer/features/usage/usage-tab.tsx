// What models were asked for: by day, by model, by chat. Tokens as the providers count them.

import { useState } from 'react'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { hrefOf } from '#renderer/router.ts'
import { useModels } from '#renderer/stores/react.tsx'
import { Segmented } from '#renderer/ui/choices.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { BudgetSection } from './budget-section.tsx'
import { DayBars } from './day-bars.tsx'
import { PriceSection } from './price-section.tsx'
import { useReport } from './use-report.ts'
import { UseTable } from './use-table.tsx'
import { costWords, daysOf, dayWords, rangeNames, ranges, tokenWords, type UseRange } from './use-words.ts'
import './usage.css'

export function UsageTab() {
  const [range, setRange] = useState<UseRange>('month')
  const { from, to } = daysOf(range, Date.now())
  const { report, error } = useReport(from, to)
  const models = useModels((state) => state.models)
  const modelName = (id: string): string => models.find((model) => model.id === id)?.name ?? id
  const cost = report && costWords(report.total)
  return (
    <>
      <section className="sec">
        <div className="row wrap">
          <h2 className="h3">{t`Used`}</h2>
          <span className="grow" />
          <Segmented<UseRange>
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
              <span className="num strong">{tokenWords(report.total)}</span>{' '}
              <span className="dim">
                {report.total.requests === 1 ? t`in 1 answer` : t`in ${numberWords(report.total.requests)} answers`}
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
          <UseTable
            title={t`By model`}
            of={t`Model`}
            rows={report.models}
            name={({ key }) => (
              <span title={modelName(key)}>
                <Revealed text={modelName(key)} />
              </span>
            )}
          />
          <UseTable
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
                  <Revealed text={title} />
                </a>
              )
            }
          />
          <UseTable
            folded
            title={t`By day`}
            of={t`Day`}
            rows={report.days.toReversed()}
            name={({ key }) => <span className="num">{dayWords(key)}</span>}
          />
        </>
      )}
      <BudgetSection />
      <PriceSection unpriced={report?.models.filter(({ unpriced }) => unpriced > 0).map(({ key }) => key) ?? []} />
    </>
  )
}
