import { memo, useLayoutEffect, useRef, useState } from 'react'
import type { LogLine } from '#app/server/state.ts'
import type { ServerView } from '#app/server/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { type Choice, Segmented } from '#renderer/ui/choices.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { Loading } from './load-state.tsx'
import { LogLevelSelect } from './log-level-select.tsx'
import { clockTime, type LogFilter, lineTone, logText, passes, plainText } from './log-lines.ts'
import type { ServerLog } from './use-server-log.ts'

const sourceWords: Record<LogLine['source'], string> = { stderr: '', stdout: 'stdout', message: 'message', host: 'Assent' }

const Line = memo(function Line({ line }: { readonly line: LogLine }) {
  const mark = line.level ?? sourceWords[line.source]
  return (
    <div className={`log-line ${lineTone(line)}`}>
      <span className="log-time">{clockTime(line.time)}</span>
      <span className="log-text">
        {mark ? <span className="log-mark">{mark} </span> : null}
        <Revealed text={plainText(line.text)} />
      </span>
    </div>
  )
})

const filters: readonly Choice<LogFilter>[] = [
  { value: 'all', label: 'All' },
  { value: 'warnings', label: 'Warnings' },
  { value: 'errors', label: 'Errors' },
]

/** stderr, stray stdout, log messages and what the host did, as they come. Not a live region: it would never be quiet. */
export function LogTab({ server, log }: { readonly server: ServerView; readonly log: ServerLog }) {
  const { page, loading, error, reload } = log
  const [filter, setFilter] = useState<LogFilter>('all')
  const [follow, setFollow] = useState(true)
  const box = useRef<HTMLElement>(null)
  const lines = page.lines.filter((line) => passes(line, filter))
  const last = lines.at(-1)?.seq

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last line is the reason to scroll.
  useLayoutEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [follow, last])
  if (error && page.lines.length === 0) return <ErrorNotice error={error} onRetry={reload} />
  if (loading && page.lines.length === 0) return <Loading what="log" />
  if (page.lines.length === 0) {
    return (
      <div className="empty">
        <p className="strong">The log is empty.</p>
        <p>What {server.name} writes to stderr and what Assent does to it appear here.</p>
        <LogLevelSelect server={server} />
      </div>
    )
  }
  return (
    <div className="log">
      <div className="row wrap">
        <Segmented<LogFilter> label="Which lines to show" value={filter} onChange={setFilter} choices={filters} />
        <span className="grow" />
        <Button variant="ghost" size="sm" icon={follow ? 'check' : 'arrow-down'} aria-pressed={follow} onClick={() => setFollow(!follow)}>
          Follow
        </Button>
        <CopyButton variant="ghost" label="Copy the log" text={() => logText(lines)}>
          Copy
        </CopyButton>
      </div>
      <LogLevelSelect server={server} />
      {page.dropped > 0 ? <p className="help">{page.dropped.toLocaleString('en')} older lines are gone.</p> : null}
      {lines.length === 0 ? (
        <p className="dim">No line is a {filter === 'errors' ? 'named error' : 'named warning or error'}. Lines of stderr have no level.</p>
      ) : (
        <section
          ref={box}
          className="log-box"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
          tabIndex={0}
          aria-label={`Log of ${server.name}`}
          onScroll={({ currentTarget: at }) => setFollow(at.scrollHeight - at.scrollTop - at.clientHeight < 24)}
        >
          {lines.map((line) => (
            <Line key={line.seq} line={line} />
          ))}
        </section>
      )}
    </div>
  )
}
