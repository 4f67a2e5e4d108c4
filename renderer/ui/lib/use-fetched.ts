import { useCallback, useEffect, useState } from 'react'
import type { RequestName, RequestParams, RequestResult } from '#app/contract/requests.ts'
import type { ErrorValue } from '#app/errors.ts'
import type { ActionOutcome } from '#renderer/stores/actions.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'

interface HostAnswer<T> {
  /** The latest answer; it stays while another is asked for, and when that fails. */
  readonly value: T | undefined
  /** Why the latest request failed. */
  readonly error: ErrorValue | undefined
  readonly loading: boolean
}

/** Asks the host, and again when the parameters (undefined: none) or `turn` change. An answer to earlier parameters is dropped. */
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

/** Requests that a form sends: whether one is under way, and why the last one failed, to be shown in place until the next answer. */
export function useSubmit() {
  const { attempt } = useActions()
  const [busy, setBusy] = useState<boolean>(false)
  const [error, setError] = useState<ErrorValue | undefined>(undefined)
  const submit = async <N extends RequestName>(name: N, params: RequestParams<N>): Promise<ActionOutcome<RequestResult<N>>> => {
    setBusy(true)
    const outcome = await attempt(name, params)
    setBusy(false)
    setError(outcome.ok ? undefined : outcome.error)
    return outcome
  }
  return { busy, error, setError, submit }
}
