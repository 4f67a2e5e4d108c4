import { useEffect, useId, useMemo, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { logText } from '#app/server/log-text.ts'
import { type LogLevel, type LogLine, logLevel } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import type { ServersState } from '#renderer/stores/servers-store.ts'
import { useActions, useConnection, useServers, useStores } from '#renderer/stores/store-hooks.tsx'
import { showToast } from '#renderer/stores/view-state.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { type Choice, Segmented } from '#renderer/ui/choices.tsx'
import { ErrorNotice, Loading } from '#renderer/ui/error-notice.tsx'
import { Select } from '#renderer/ui/field.tsx'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { saveTextFile } from '#renderer/ui/lib/save-file.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Menu, MenuItem, MenuSeparator } from '#renderer/ui/menu.tsx'
import { ServerName } from '#renderer/ui/named-text.tsx'
import { SearchInput } from '#renderer/ui/search-input.tsx'
import { addLines, emptyLog, type LogFilter, type LogPage, type LogSource, linesOf, logRows } from './log-lines.ts'
import { findRows, LogList, nextMatch } from './log-list.tsx'

// What can be done with a log: copy it, save it, put it away.

interface LogActionsProps {
  readonly name: string
  readonly all: readonly LogLine[]
  readonly shown: readonly LogLine[]
  readonly selection: readonly LogLine[]
  readonly onClear: () => void
}

const count = (lines: readonly LogLine[]): string => (lines.length === 1 ? t`one line` : t`${formatNumber(lines.length)} lines`)

function LogActions({ name, all, shown, selection, onClear }: LogActionsProps) {
  const { copy, ask } = useActions()
  const { view } = useStores()
  const shell = useConnection((state) => state.about?.shell.kind)
  const take = (lines: readonly LogLine[]): void =>
    void copy(logText(lines)).then((copied) => {
      if (copied) showToast(view, t`Copied ${count(lines)}.`)
    })
  const save = async (): Promise<void> => {
    // A window of ours downloads nothing; there the host writes the file.
    if (shell !== 'electron') return saveTextFile(t`${name} log.txt`, [`${logText(all)}\n`])
    const saved = await ask('server.saveLog', { name })
    if (saved?.path) showToast(view, t`Saved as ${saved.path}`)
  }
  return (
    <Menu align="end" trigger={<IconButton label={t`Copy, save or clear the log`} icon="more" small />}>
      <MenuItem onSelect={() => take(all)}>{t`Copy all`}</MenuItem>
      <MenuItem onSelect={() => take(shown)} disabled={shown.length === all.length || shown.length === 0}>
        {tx`Copy what is shown (${count(shown)})`}
      </MenuItem>
      <MenuItem onSelect={() => take(selection)} disabled={selection.length === 0}>
        {t`Copy the selected lines`}
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => void save()}>{t`Save as a file`}</MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={onClear}>{t`Clear`}</MenuItem>
    </Menu>
  )
}

// A server's log: what the host kept before the page looked, joined with what came since.

interface ServerLog {
  readonly page: LogPage
  readonly loading: boolean
  readonly error: ErrorValue | undefined
  readonly reload: () => void
  /** Lines up to this number are put away, on this page alone. */
  readonly clearedTo: number
  readonly clear: (upTo: number) => void
}

const nothingCleared = Number.NEGATIVE_INFINITY

const live = (name: string) => (state: ServersState) => state.logs[name]

export function useServerLog(name: string): ServerLog {
  const { attempt } = useActions()
  const since = useServers(live(name))
  const [before, setBefore] = useState<Pick<ServerLog, 'page' | 'loading' | 'error'>>({
    page: emptyLog,
    loading: true,
    error: undefined,
  })
  const [again, setAgain] = useState(0)
  const [cleared, setCleared] = useState({ name, to: nothingCleared })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a press on "Try again" is a reason to fetch.
  useEffect(() => {
    let gone = false
    void attempt('server.log', { name }).then((outcome) => {
      if (gone) return
      if (outcome.ok) {
        const { lines, dropped, earlier = [] } = outcome.value
        setBefore({ page: addLines({ ...emptyLog, earlier }, lines, dropped), loading: false, error: undefined })
      } else setBefore({ page: emptyLog, loading: false, error: outcome.error })
    })
    return () => {
      gone = true
    }
  }, [attempt, name, again])
  const page = useMemo(() => (since ? addLines(before.page, since.lines, since.dropped) : before.page), [before.page, since])
  return {
    page,
    loading: before.loading,
    error: before.error,
    reload: () => setAgain((count) => count + 1),
    clearedTo: cleared.name === name ? cleared.to : nothingCleared,
    clear: (to) => setCleared({ name, to }),
  }
}

const words: Record<LogLevel, string> = {
  debug: t`Everything`,
  info: t`Info and worse`,
  notice: t`Notices and worse`,
  warning: t`Warnings and worse`,
  error: t`Errors and worse`,
  critical: t`Critical and worse`,
  alert: t`Alerts and worse`,
  emergency: t`Emergencies only`,
}

/** From which level on the server is asked to send messages. Only for servers that say they log this way. */
function LogLevelSelect({ server }: { readonly server: ServerSummary }) {
  const { go } = useActions()
  const id = useId()
  if (!server.session?.offers?.includes('logging')) return null
  return (
    <div className="row log-level">
      <label htmlFor={id} className="help nowrap">
        {t`Messages to send`}
      </label>
      <Select
        id={id}
        className="fit"
        value={server.logLevel ?? 'info'}
        onChange={({ target }) => go('server.setLogLevel', { name: server.name, level: logLevel.parse(target.value) })}
      >
        {logLevel.options.map((level) => (
          <option key={level} value={level}>
            {words[level]}
          </option>
        ))}
      </Select>
    </div>
  )
}

interface LogSearchFieldProps {
  readonly query: string
  readonly onQuery: (query: string) => void
  readonly found: number
  /** Which of them the list is at, from one; undefined: at none yet. */
  readonly current: number | undefined
  readonly onGo: (step: 1 | -1) => void
}

/** Enter goes to the next line that holds the words, Shift and Enter to the one before. */
function LogSearchField({ query, onQuery, found, current, onGo }: LogSearchFieldProps) {
  const lines = found === 1 ? t`one line` : t`${formatNumber(found)} lines`
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
      <SearchInput label={t`Find in the log`} value={query} onChange={onQuery} />
      <span className="help num nowrap" role="status">
        {query === '' ? '' : found === 0 ? t`not found` : current === undefined ? lines : t`${formatNumber(current)} of ${lines}`}
      </span>
      {found === 0 ? null : (
        <>
          <IconButton label={t`Match before`} icon="chevron-up" small onClick={() => onGo(-1)} />
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
const sources: readonly { readonly value: LogSource; readonly label: string }[] = [
  { value: 'all', label: t`From everywhere` },
  { value: 'stderr', label: 'stderr' },
  { value: 'stdout', label: 'stdout' },
  { value: 'message', label: t`Messages` },
  { value: 'host', label: t`Assent` },
]
const isSource = (value: string): value is LogSource => sources.some((source) => source.value === value)

/** stderr, stray stdout, log messages and what the host did, as they come. Not a live region: it would never be quiet. */
export function LogTab({ server, log }: { readonly server: ServerSummary; readonly log: ServerLog }) {
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
      {page.dropped > 0 ? <p className="help">{tx`${formatNumber(page.dropped)} lines were too many to keep.`}</p> : null}
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
