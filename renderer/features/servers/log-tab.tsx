import { useMemo, useState } from 'react'
import type { LogLine } from '#app/server/state.ts'
import type { ServerView } from '#app/server/view.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { type Choice, Segmented } from '#renderer/ui/choices.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Select } from '#renderer/ui/field.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { Loading } from './load-state.tsx'
import { LogActions } from './log-actions.tsx'
import { LogLevelSelect } from './log-level-select.tsx'
import { type LogFilter, type LogSource, linesOf, logRows } from './log-lines.ts'
import { LogList } from './log-list.tsx'
import { findRows, nextMatch } from './log-search.ts'
import { LogSearchField } from './log-search-field.tsx'
import { nothingCleared, type ServerLog } from './use-server-log.ts'

const filters: readonly Choice<LogFilter>[] = [
  { value: 'all', label: t`All` },
  { value: 'warnings', label: t`Warnings` },
  { value: 'errors', label: t`Errors` },
]
const sources: readonly { readonly value: LogSource; readonly label: string }[] = [
  { value: 'all', label: t`From everywhere` },
  { value: 'stderr', label: 'stderr' },
  { value: 'stdout', label: 'stdout' },
  { value: 'message', label: t`Messages` },
  { value: 'host', label: t`Assent` },
]
const isSource = (value: string): value is LogSource => sources.some((source) => source.value === value)

/** stderr, stray stdout, log messages and what the host did, as they come. Not a live region: it would never be quiet. */
export function LogTab({ server, log }: { readonly server: ServerView; readonly log: ServerLog }) {
  const { page, loading, error, reload, clearedTo } = log
  const [filter, setFilter] = useState<LogFilter>('all')
  const [source, setSource] = useState<LogSource>('all')
  const [follow, setFollow] = useState(true)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState<string | undefined>(undefined)
  const [selection, setSelection] = useState<readonly LogLine[]>([])
  const rows = useMemo(() => logRows(page, { filter, source, clearedTo }), [page, filter, source, clearedTo])
  const matches = useMemo(() => findRows(rows, query), [rows, query])
  const all = page.earlier.length + page.lines.length

  if (error && all === 0) return <ErrorNotice error={error} onRetry={reload} />
  if (loading && all === 0) return <Loading what={t`log`} />
  if (all === 0) {
    return (
      <div className="empty">
        <p className="strong">{t`The log is empty.`}</p>
        <p>{tx`What ${<ServerName name={server.name} />} writes to stderr and what Assent does to it appear here.`}</p>
        <LogLevelSelect server={server} />
      </div>
    )
  }
  // A match is known by its line: rows before it may go.
  const current = matches.find((index) => rows[index]?.key === at)
  const go = (step: 1 | -1): void => {
    const next = nextMatch(matches, current, step)
    if (next === undefined) return
    setFollow(false)
    setAt(rows[next]?.key)
  }
  const shown = linesOf(rows)
  return (
    <div className="log">
      <div className="row wrap">
        <Segmented<LogFilter> label={t`Which lines to show`} value={filter} onChange={setFilter} choices={filters} />
        <Select
          className="fit"
          aria-label={t`Where lines come from`}
          value={source}
          onChange={({ target }) => isSource(target.value) && setSource(target.value)}
        >
          {sources.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <span className="grow" />
        <Button variant="ghost" size="sm" icon={follow ? 'check' : 'arrow-down'} aria-pressed={follow} onClick={() => setFollow(!follow)}>
          {t`Follow`}
        </Button>
        <LogActions
          name={server.name}
          all={[...page.earlier, ...page.lines]}
          shown={shown}
          selection={selection}
          onClear={() => log.clear(page.lines.at(-1)?.seq ?? -1)}
        />
      </div>
      <LogSearchField
        query={query}
        onQuery={(next) => {
          setQuery(next)
          setAt(undefined)
        }}
        found={matches.length}
        current={current === undefined ? undefined : matches.indexOf(current) + 1}
        onGo={go}
      />
      <LogLevelSelect server={server} />
      {page.dropped > 0 ? <p className="help">{tx`${numberWords(page.dropped)} lines were too many to keep.`}</p> : null}
      {clearedTo === nothingCleared ? null : (
        <p className="help row">
          {t`Lines from before are put away.`}
          <Button variant="ghost" size="sm" onClick={() => log.clear(nothingCleared)}>
            {t`Show them`}
          </Button>
        </p>
      )}
      {shown.length === 0 ? (
        <p className="dim">{emptyWords(filter, source)}</p>
      ) : (
        <LogList
          label={t`Log of “${server.name}”`}
          rows={rows}
          query={query}
          current={current}
          follow={follow}
          onFollow={setFollow}
          onSelect={setSelection}
        />
      )}
    </div>
  )
}

function emptyWords(filter: LogFilter, source: LogSource): string {
  if (filter === 'all') return source === 'all' ? t`Nothing new yet.` : t`Nothing came from there.`
  return filter === 'errors'
    ? t`No line is a named error. Lines of stderr have no level.`
    : t`No line is a named warning or error. Lines of stderr have no level.`
}
