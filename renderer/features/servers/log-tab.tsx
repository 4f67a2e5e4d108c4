import { useMemo, useState } from 'react'
import type { LogLine } from '#app/server/state.ts'
import type { ServerView } from '#app/server/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { type Choice, Segmented } from '#renderer/ui/choices.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Select } from '#renderer/ui/field.tsx'
import { Loading } from './load-state.tsx'
import { LogActions } from './log-actions.tsx'
import { LogLevelSelect } from './log-level-select.tsx'
import { type LogFilter, type LogSource, linesOf, logRows } from './log-lines.ts'
import { LogList } from './log-list.tsx'
import { findRows, nextMatch } from './log-search.ts'
import { LogSearchField } from './log-search-field.tsx'
import { nothingCleared, type ServerLog } from './use-server-log.ts'

const filters: readonly Choice<LogFilter>[] = [
  { value: 'all', label: 'All' },
  { value: 'warnings', label: 'Warnings' },
  { value: 'errors', label: 'Errors' },
]
const sources: readonly { readonly value: LogSource; readonly label: string }[] = [
  { value: 'all', label: 'From everywhere' },
  { value: 'stderr', label: 'stderr' },
  { value: 'stdout', label: 'stdout' },
  { value: 'message', label: 'Messages' },
  { value: 'host', label: 'Assent' },
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
  if (loading && all === 0) return <Loading what="log" />
  if (all === 0) {
    return (
      <div className="empty">
        <p className="strong">The log is empty.</p>
        <p>What {server.name} writes to stderr and what Assent does to it appear here.</p>
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
        <Segmented<LogFilter> label="Which lines to show" value={filter} onChange={setFilter} choices={filters} />
        <Select
          className="fit"
          aria-label="Where lines come from"
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
          Follow
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
      {page.dropped > 0 ? <p className="help">{page.dropped.toLocaleString('en')} lines were too many to keep.</p> : null}
      {clearedTo === nothingCleared ? null : (
        <p className="help row">
          Lines from before are put away.
          <Button variant="ghost" size="sm" onClick={() => log.clear(nothingCleared)}>
            Show them
          </Button>
        </p>
      )}
      {shown.length === 0 ? (
        <p className="dim">{emptyWords(filter, source)}</p>
      ) : (
        <LogList
          label={`Log of ${server.name}`}
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
  if (filter === 'all') return source === 'all' ? 'Nothing new yet.' : 'Nothing came from there.'
  return `No line is a ${filter === 'errors' ? 'named error' : 'named warning or error'}. Lines of stderr have no level.`
}
