import { useId, useMemo, useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { type LogLevel, type LogLine, logLevel, logText } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { useActions, useServers } from '#renderer/stores/store-hooks.tsx'
import { IconButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { type Choice, ChoiceSelect, SearchInput, Segmented, type SelectOption } from '#renderer/ui/field.tsx'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { Menu, MenuItem, MenuSeparator } from '#renderer/ui/menu.tsx'
import { Empty, ErrorNotice, Loading } from '#renderer/ui/notice.tsx'
import { FollowButton, useTextExport } from './follow-and-export.tsx'
import { addLines, emptyLog, type LogFilter, type LogSource, linesOf, logRows } from './log-lines.ts'
import { findRows, LogList, nextMatch } from './log-list.tsx'

interface LogActionsProps {
  readonly name: string
  readonly all: readonly LogLine[]
  readonly shown: readonly LogLine[]
  readonly selection: readonly LogLine[]
  readonly onClear: () => void
}

const count = (lines: number): string => t`${formatNumber(lines)} {line|lines}`

function LogActions({ name, all, shown, selection, onClear }: LogActionsProps) {
  const { copyWith, save } = useTextExport()
  const take = (lines: readonly LogLine[]): void => copyWith(logText(lines), t`Copied`)
  return (
    <Menu align="end" trigger={<IconButton label={t`Copy, save or clear`} icon="more" small />}>
      <MenuItem onSelect={() => take(all)}>{t`Copy all`}</MenuItem>
      <MenuItem onSelect={() => take(shown)} disabled={shown.length === all.length || shown.length === 0}>
        {t`Copy shown`}
      </MenuItem>
      <MenuItem onSelect={() => take(selection)} disabled={selection.length === 0}>
        {t`Copy`}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        onSelect={() => void save(`${name} log.txt`, () => `${logText(all)}\n`, 'server.saveLog', name)}
      >{t`Save as a file`}</MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={onClear}>{t`Clear`}</MenuItem>
    </Menu>
  )
}

const nothingCleared = Number.NEGATIVE_INFINITY

/** The log of a server: what the host kept before the page looked, joined with what came since. */
export function useServerLog(name: string) {
  const since = useServers((state) => state.logs[name])
  const { value, error, loading, reload } = useHostAnswer('server.log', { name })
  const [cleared, setCleared] = useState({ name, to: nothingCleared })
  const before = useMemo(
    () => (value && !error ? addLines({ ...emptyLog, earlier: value.earlier ?? [] }, value.lines, value.dropped) : emptyLog),
    [value, error],
  )
  const page = useMemo(() => (since ? addLines(before, since.lines, since.dropped) : before), [before, since])
  return {
    page,
    loading,
    error,
    reload,
    /** Lines up to this number are put away, on this page alone. */
    clearedTo: cleared.name === name ? cleared.to : nothingCleared,
    clear: (to: number): void => setCleared({ name, to }),
  }
}

const levelLabels: Record<LogLevel, string> = {
  debug: t`Everything`,
  info: t`Info`,
  notice: t`Notice`,
  warning: t`Warnings`,
  error: t`Errors`,
  critical: t`Critical`,
  alert: t`Alert`,
  emergency: t`Emergency`,
}

/** Level from which a server with the `logging` capability sends messages (MCP, "Logging"). */
function LogLevelSelect({ server }: { readonly server: ServerSummary }) {
  const { go } = useActions()
  const id = useId()
  if (!server.session?.offers?.includes('logging')) return null
  return (
    <div className="row log-level">
      <label htmlFor={id} className="help nowrap">
        {t`Log level`}
      </label>
      <ChoiceSelect
        id={id}
        className="fit"
        value={server.logLevel ?? 'info'}
        options={logLevel.options.map((level) => ({ value: level, label: levelLabels[level] }))}
        onChoose={(level) => go('server.setLogLevel', { name: server.name, level })}
      />
    </div>
  )
}

interface LogSearchFieldProps {
  readonly query: string
  readonly onQuery: (query: string) => void
  readonly found: number
  /** Number of the current match, from 1; undefined: none yet. */
  readonly current: number | undefined
  readonly onGo: (step: 1 | -1) => void
}

/** Enter goes to the next match, Shift+Enter to the one before. */
function LogSearchField({ query, onQuery, found, current, onGo }: LogSearchFieldProps) {
  const lines = count(found)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field within.
    <div
      className="row log-search"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || isTyping(event) || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        onGo(event.shiftKey ? -1 : 1)
      }}
    >
      <SearchInput label={t`Search`} value={query} onChange={onQuery} />
      <span className="help num nowrap" role="status">
        {query === '' ? '' : found === 0 ? t`not found` : current === undefined ? lines : t`${formatNumber(current)} of ${lines}`}
      </span>
      {found === 0 ? null : (
        <>
          <IconButton label={t`Previous match`} icon="chevron-up" small onClick={() => onGo(-1)} />
          <IconButton label={t`Next match`} icon="chevron-down" small onClick={() => onGo(1)} />
        </>
      )}
    </div>
  )
}

const filters: readonly Choice<LogFilter>[] = [
  { value: 'all', label: t`All` },
  { value: 'warnings', label: t`Warnings` },
  { value: 'errors', label: t`Errors` },
]
const sources: readonly SelectOption<LogSource>[] = [
  { value: 'all', label: t`All` },
  { value: 'stderr', label: 'stderr' },
  { value: 'stdout', label: 'stdout' },
  { value: 'message', label: t`Messages` },
  { value: 'host', label: 'Assent' },
]

/** stderr, stray stdout, log messages and actions of the host. Not a live region: it would never be quiet. */
export function LogTab({ server, log }: { readonly server: ServerSummary; readonly log: ReturnType<typeof useServerLog> }) {
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
  if (loading && all === 0) return <Loading />
  if (all === 0) {
    return (
      <Empty icon="text" title={t`Nothing found.`}>
        <LogLevelSelect server={server} />
      </Empty>
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
        <Segmented<LogFilter> label={t`What to show`} value={filter} onChange={setFilter} choices={filters} />
        <ChoiceSelect className="fit" aria-label={t`Source`} value={source} options={sources} onChoose={setSource} />
        <span className="grow" />
        <FollowButton follow={follow} onFollow={setFollow} />
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
      {page.dropped > 0 ? <p className="help">{tx`${formatNumber(page.dropped)} lines were left out.`}</p> : null}
      {clearedTo === nothingCleared ? null : (
        <p className="help row">
          {t`Earlier lines are hidden.`}
          <SmallGhostButton onClick={() => log.clear(nothingCleared)}>{t`Show all`}</SmallGhostButton>
        </p>
      )}
      {shown.length === 0 ? (
        <p className="dim">{t`Nothing found.`}</p>
      ) : (
        <LogList label={t`Log`} rows={rows} query={query} current={current} follow={follow} onFollow={setFollow} onSelect={setSelection} />
      )}
    </div>
  )
}
