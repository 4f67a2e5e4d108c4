import { Fragment, useState } from 'react'
import type { AuditRow } from '#app/consent/audit.ts'
import { Loading } from '#renderer/features/servers/load-state.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Select } from '#renderer/ui/field.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { SearchInput } from '#renderer/ui/search-input.tsx'
import { RecordRow, recordColumns } from './record-row.tsx'
import { auditKinds, filterRows, kindWord, sameDay } from './record-words.ts'
import { dayTitle } from './rule-words.ts'
import { useAudit } from './use-audit.ts'

export function RecordTab() {
  const audit = useAudit()
  const [search, setSearch] = useState('')
  const [kind, setKind] = useState<AuditRow['kind'] | 'all'>('all')
  const { rows, loaded, loading, complete, error } = audit
  if (!loaded) return error ? <ErrorNotice error={error} onRetry={audit.retry} /> : <Loading what="record" />
  if (rows.length === 0) {
    return (
      <div className="empty">
        <p className="strong">Nothing is on record yet.</p>
        <p>Every question, answer, call and start is written here, each with the hash of the one before it.</p>
      </div>
    )
  }
  const found = filterRows(rows, search, kind)
  const filtered = search.trim() !== '' || kind !== 'all'
  return (
    <>
      <div className="row wrap record-head">
        <SearchInput label="Server, tool, path" value={search} onChange={setSearch} />
        <Select
          aria-label="Which entries to show"
          className="fit"
          value={kind}
          onChange={(event) => setKind(auditKinds.find((one) => one === event.target.value) ?? 'all')}
        >
          <option value="all">All entries</option>
          {auditKinds.map((one) => (
            <option key={one} value={one}>
              {kindWord(one)}
            </option>
          ))}
        </Select>
        <span className="grow" />
        <span className="help num" role="status">
          {filtered
            ? `${found.length.toLocaleString('en')} of the ${rows.length.toLocaleString('en')} loaded`
            : `${rows.length.toLocaleString('en')} ${complete ? 'entries' : 'newest entries'}`}
        </span>
      </div>
      {found.length === 0 ? (
        <p className="dim">No loaded entry matches.{complete ? '' : ' Load older ones to search in them.'}</p>
      ) : (
        <RecordTable rows={found} />
      )}
      {error ? <ErrorNotice error={error} onRetry={audit.retry} /> : null}
      <div className="row wrap">
        {complete ? null : (
          <Button size="sm" aria-disabled={loading} onClick={audit.more}>
            {loading ? <Spinner /> : null}
            Load older entries
          </Button>
        )}
        <p className="help">
          Each entry holds the hash of the one before it, so nothing can be altered unseen. To check the whole chain:{' '}
          <span className="mono">assent audit --verify</span>
        </p>
      </div>
    </>
  )
}

function RecordTable({ rows }: { readonly rows: readonly AuditRow[] }) {
  const [open, setOpen] = useState<number | undefined>(undefined)
  const now = Date.now()
  return (
    <table className="tbl record">
      <thead>
        <tr>
          <th className="r opt-col no">No.</th>
          <th className="time">Time</th>
          <th>What</th>
          <th>Decision</th>
          <th className="opt-col">By</th>
          <th className="r opt-col mid-off">Hash</th>
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
              <RecordRow row={row} open={open === row.seq} onToggle={() => setOpen(open === row.seq ? undefined : row.seq)} />
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}
