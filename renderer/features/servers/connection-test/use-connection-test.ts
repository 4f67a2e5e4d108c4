// The connection test of a server that is being set up. The test goes on while this page watches it and ends when the page is left
// or the person stops it. All tests of one screen belong together: consent given in one holds for the next, and for saving.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import type { ConnectionTestSummary, TestedDefinition } from '#app/server/connection-test.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'

export interface ConnectionTestRun {
  readonly id: string
  /** Definition that is tested. */
  readonly tried: TestedDefinition
  /** Undefined: there is no answer yet. */
  readonly view: ConnectionTestSummary | undefined
  /** Why the test could not be started or followed. */
  readonly error: ErrorValue | undefined
}

export type ConnectionTestControl = ReturnType<typeof useConnectionTest>

/** Earlier tests that the host is told of at most, as the contract allows. */
const mostTrials = 100

export const isTestRunning = (run: ConnectionTestRun | undefined): boolean =>
  run !== undefined && run.error === undefined && run.view?.over !== true

export function useConnectionTest() {
  const { attempt } = useActions()
  const [run, setRun] = useState<ConnectionTestRun | undefined>(undefined)
  /** Id of the test that goes on. */
  const current = useRef<string | undefined>(undefined)
  const turn = useRef(0)
  const begun = useRef<readonly string[]>([])
  /** Ids of the earlier tests, as a parameter of requests. */
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
      const nothing: ConnectionTestRun = { id: '', tried: what, view: undefined, error: undefined }
      const follow = async (): Promise<void> => {
        setRun(nothing)
        const outcome = await attempt('server.try', { ...what, ...earlier() })
        if (!outcome.ok) {
          if (mine === turn.current) setRun({ ...nothing, error: outcome.error })
          return
        }
        const { id } = outcome.value
        if (mine !== turn.current) return void attempt('server.endTrial', { id })
        begun.current = [...begun.current, id].slice(-mostTrials)
        current.current = id
        for (let after = -1, over = false; !over; ) {
          const seen = await attempt('server.watchTrial', { id, after })
          if (mine !== turn.current) return
          if (seen.ok) ({ revision: after, over } = seen.value)
          else over = true
          setRun((before) => (seen.ok ? { ...nothing, id, view: seen.value } : { ...nothing, id, view: before?.view, error: seen.error }))
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
