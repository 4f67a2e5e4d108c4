import { useCallback, useEffect, useState } from 'react'
import type { RequestName, RequestParams, RequestResult } from '#app/contract/requests.ts'
import type { ErrorValue } from '#app/errors.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'

interface HostAnswer<T> {
  /** The latest answer; it stays while another is asked for, and when that fails. */
  readonly value: T | undefined
  /** Why the latest request failed. */
  readonly error: ErrorValue | undefined
  readonly loading: boolean
}

/**
 * Asks the host, and again when the parameters or `turn` change. An answer to earlier parameters is dropped.
 * `params` undefined: nothing is asked.
 */
export function useHostAnswer<N extends RequestName>(name: N, params: RequestParams<N> | undefined, turn?: unknown) {
  const { attempt } = useActions()
  const [answer, setAnswer] = useState<HostAnswer<RequestResult<N>>>({ value: undefined, error: undefined, loading: params !== undefined })
  const [again, setAgain] = useState(0)
  const key = JSON.stringify(params)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another `turn` and `reload` are reasons to ask; `key` stands for `params`.
  useEffect(() => {
    if (params === undefined) return setAnswer({ value: undefined, error: undefined, loading: false })
    let gone = false
    setAnswer((before) => ({ ...before, loading: true }))
    void attempt(name, params).then((outcome) => {
      if (gone) return
      if (outcome.ok) setAnswer({ value: outcome.value, error: undefined, loading: false })
      else setAnswer((before) => ({ ...before, error: outcome.error, loading: false }))
    })
    return () => {
      gone = true
    }
  }, [attempt, name, key, turn, again])
  const reload = useCallback(() => setAgain((count) => count + 1), [])
  return { ...answer, reload, setAnswer }
}
