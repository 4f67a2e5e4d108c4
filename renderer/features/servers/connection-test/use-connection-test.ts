// The test run of what is being set up. While it goes on this page watches it, which is what keeps it going; when the page
// is left, or the run called off, it is ended. All runs of one screen are one set-up: what was agreed to in one of them is
// not asked for again in the next, nor when it is saved.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import type { ConnectionTestSummary, TestedDefinition } from '#app/server/connection-test.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'

export interface ConnectionTestRun {
  readonly id: string
  /** What it is a run of. */
  readonly tried: TestedDefinition
  /** Undefined: there is no word yet. */
  readonly view: ConnectionTestSummary | undefined
  /** Why it could not be begun or followed. */
  readonly error: ErrorValue | undefined
}

export interface ConnectionTestControl {
  readonly run: ConnectionTestRun | undefined
  /** The ids of those that there were, as the host is to be told of them. */
  readonly earlier: () => { readonly trials?: string[] }
  readonly begin: (what: TestedDefinition) => void
  readonly stop: () => void
}

/** What the host is told of: as many as it takes. */
const most = 100

export const isTestRunning = (run: ConnectionTestRun | undefined): boolean =>
  run !== undefined && run.error === undefined && run.view?.over !== true

export function useConnectionTest(): ConnectionTestControl {
  const { attempt } = useActions()
  const [run, setRun] = useState<ConnectionTestRun | undefined>(undefined)
  /** Of the run that is there; another one takes its place. */
  const current = useRef<string | undefined>(undefined)
  const turn = useRef(0)
  const begun = useRef<readonly string[]>([])
  const earlier = useCallback((): { trials?: string[] } => (begun.current.length > 0 ? { trials: [...begun.current] } : {}), [])

  const drop = useCallback((): void => {
    turn.current += 1
    if (current.current !== undefined) void attempt('server.endTrial', { id: current.current })
    current.current = undefined
  }, [attempt])
  useEffect(
    () => () => {
      drop()
      const { trials } = earlier()
      if (trials) void attempt('server.forgetTrials', { trials })
    },
    [attempt, drop, earlier],
  )

  const begin = useCallback(
    (what: TestedDefinition): void => {
      drop()
      const mine = turn.current
      const follow = async (): Promise<void> => {
        setRun({ id: '', tried: what, view: undefined, error: undefined })
        const outcome = await attempt('server.try', { ...what, ...earlier() })
        if (!outcome.ok) {
          if (mine === turn.current) setRun({ id: '', tried: what, view: undefined, error: outcome.error })
          return
        }
        const { id } = outcome.value
        if (mine !== turn.current) return void attempt('server.endTrial', { id })
        begun.current = [...begun.current, id].slice(-most)
        current.current = id
        for (let after = -1, over = false; !over; ) {
          const seen = await attempt('server.watchTrial', { id, after })
          if (mine !== turn.current) return
          if (seen.ok) ({ revision: after, over } = seen.value)
          else over = true
          setRun((before) => ({
            id,
            tried: what,
            view: seen.ok ? seen.value : before?.view,
            error: seen.ok ? undefined : seen.error,
          }))
        }
      }
      void follow()
    },
    [attempt, drop, earlier],
  )

  const stop = useCallback((): void => {
    drop()
    setRun(undefined)
  }, [drop])

  return { run, earlier, begin, stop }
}
