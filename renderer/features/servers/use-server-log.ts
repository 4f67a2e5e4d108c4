// A server's log: what the host kept before the page looked, joined with what came since.
import { useEffect, useMemo, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { useActions, useServers } from '#renderer/stores/react.tsx'
import type { ServersState } from '#renderer/stores/servers.ts'
import { addLines, emptyLog, type LogPage } from './log-lines.ts'

export interface ServerLog {
  readonly page: LogPage
  readonly loading: boolean
  readonly error: ErrorValue | undefined
  readonly reload: () => void
  /** Lines up to this number are put away, on this page alone. */
  readonly clearedTo: number
  readonly clear: (upTo: number) => void
}

export const nothingCleared = Number.NEGATIVE_INFINITY

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
