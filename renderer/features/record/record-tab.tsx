import { Fragment, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { type AuditRow, auditCountLimit } from '#app/consent/audit.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { dayTitle } from '#app/words/when.ts'
import { Loading } from '#renderer/features/servers/load-state.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { ExportButton, useVerify, VerifyOutcome } from './record-actions.tsx'
import { allRows, isAll, type RecordFilter, toAuditFilter } from './record-filter.ts'
import { RecordFilters } from './record-filters.tsx'
import { RecordRow, recordColumns } from './record-row.tsx'
import { sameDay } from './record-words.ts'
import { type AuditPages, useAudit } from './use-audit.ts'

const many = (count: number): string => (count > auditCountLimit ? t`more than ${numberWords(auditCountLimit)}` : numberWords(count))

export function RecordTab() {
  const [chosen, setChosen] = useState<RecordFilter>(allRows)
  const [upTo, setUpTo] = useState<number | undefined>(undefined)
  // While somebody types, the list follows when there is time for it.
  const settled = useDeferredValue(chosen)
  const filter = useMemo(() => toAuditFilter(settled, Date.now()), [settled])
  const audit = useAudit(filter, upTo)
  const verify = useVerify()
  const { rows, loaded, error } = audit
  const change = (part: Partial<RecordFilter>): void => setChosen((now) => ({ ...now, ...part }))
  const showUpTo = (seq: number): void => {
    setChosen(allRows)
    setUpTo(seq)
  }

  if (!loaded && rows.length === 0 && isAll(filter))
    return error ? <ErrorNotice error={error} onRetry={audit.retry} /> : <Loading what={t`record`} />
  if (loaded && rows.length === 0 && isAll(filter) && upTo === undefined) {
    return (
      <div className="empty">
        <p className="strong">{t`Nothing is on record yet.`}</p>
        <p>{t`Every question, answer, call and start is written here, each with the hash of the one before it.`}</p>
      </div>
    )
  }
  const mentioned = [...new Set(rows.flatMap(({ server }) => server ?? []))]
  return (
    <>
      <RecordFilters value={chosen} mentioned={mentioned} onChange={change} />
      <div className="row wrap record-state">
        <span className="help num" role="status">
          {upTo === undefined ? foundWords(audit, isAll(filter)) : t`From entry ${numberWords(upTo)} on down`}
        </span>
        {upTo === undefined ? null : (
          <Button size="sm" variant="ghost" onClick={() => setUpTo(undefined)}>
            {t`Show the newest`}
          </Button>
        )}
        {isAll(filter) ? null : (
          <Button size="sm" variant="ghost" onClick={() => setChosen(allRows)}>
            {t`Show all`}
          </Button>
        )}
        <span className="grow" />
        {verify.button}
        <ExportButton filter={filter} />
      </div>
      <div role="status">{verify.outcome ? <VerifyOutcome outcome={verify.outcome} onShow={showUpTo} /> : null}</div>
      {loaded && rows.length === 0 ? <p className="dim">{t`No entry fits. Take a word or a filter away to see more.`}</p> : null}
      {rows.length === 0 ? null : <RecordTable rows={rows} />}
      {error ? <ErrorNotice error={error} onRetry={audit.retry} /> : null}
      <div className="row wrap">
        {audit.complete || !loaded ? null : (
          <Button size="sm" aria-disabled={audit.loading} onClick={audit.more}>
            {audit.loading ? <Spinner /> : null}
            {t`Load older entries`}
          </Button>
        )}
        <p className="help">{t`Each entry holds the hash of the one before it. Select one to see what was asked, what was decided and why.`}</p>
      </div>
    </>
  )
}

function foundWords({ loaded, found, rows }: AuditPages, all: boolean): string {
  if (!loaded) return t`Looking`
  const count = found ?? rows.length
  if (!all) return count === 1 ? t`One entry fits` : t`${many(count)} entries fit`
  return count === 1 ? t`One entry` : t`${many(count)} entries`
}

function RecordTable({ rows }: { readonly rows: readonly AuditRow[] }) {
  const [open, setOpen] = useState<number | undefined>(undefined)
  const toggle = useCallback((seq: number) => setOpen((now) => (now === seq ? undefined : seq)), [])
  const now = Date.now()
  return (
    <table className="tbl record">
      <thead>
        <tr>
          <th className="r opt-col no">{t`No.`}</th>
          <th className="time">{t`Time`}</th>
          <th>{t`What`}</th>
          <th>{t`Decision`}</th>
          <th className="opt-col">{t`By`}</th>
          <th className="r opt-col mid-off">{t`Hash`}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const before = rows[index - 1]
          const newDay = before === undefined ? !sameDay(row.time, now) : !sameDay(before.time, row.time)
          return (
            <Fragment key={row.seq}>
              {newDay ? (
                <tr className="day">
                  <th colSpan={recordColumns} scope="rowgroup">
                    {dayTitle(row.time, now)}
                  </th>
                </tr>
              ) : null}
              <RecordRow row={row} open={open === row.seq} onToggle={toggle} />
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}
