import { useCallback, useEffect, useMemo, useState } from 'react'
import type { HostEvent } from '#app/contract/events.ts'
import type { RequestName, RequestParams, RequestResult } from '#app/contract/requests.ts'
import type { ErrorValue } from '#app/errors.ts'
import type { ActionOutcome } from '#renderer/stores/actions.ts'
import { useActions, useStores } from '#renderer/stores/store-hooks.tsx'
import { onEvents } from './on-events.ts'

interface HostAnswer<T> {
  /** The latest answer; it stays while another is asked for, and when that fails. */
  readonly value: T | undefined
  /** Why the latest request failed. */
  readonly error: ErrorValue | undefined
}
const none = { value: undefined, error: undefined }

/**
 * Asks the host, and again when the parameters (undefined: none) or `turn` change. An answer to earlier parameters is dropped. `everyMs`: it
 * is asked again so many milliseconds after each answer, while the page is visible.
 */
export function useHostAnswer<N extends RequestName>(name: N, params: RequestParams<N> | undefined, turn?: unknown, everyMs?: number) {
  const { attempt } = useActions()
  const [answer, setAnswer] = useState<HostAnswer<RequestResult<N>> & { readonly to?: object }>(none)
  const [reloads, setReloads] = useState(0)
  const key = JSON.stringify(params)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them makes another question.
  const question = useMemo(() => ({}), [name, key, turn, reloads])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `question` stands for `params` too.
  useEffect(() => {
    if (params === undefined) return setAnswer(none)
    let gone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      const outcome = await attempt(name, params)
      if (gone) return
      if (outcome.ok) setAnswer({ value: outcome.value, error: undefined, to: question })
      else setAnswer(({ value }) => ({ value, error: outcome.error, to: question }))
      if (everyMs !== undefined) timer = setTimeout(again, everyMs)
    }
    const again = (): void => {
      if (document.hidden) timer = setTimeout(again, everyMs)
      else void ask()
    }
    void ask()
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [attempt, name, question, everyMs])
  const reload = useCallback(() => setReloads((count) => count + 1), [])
  // From the first rendering with other parameters on: no answer to earlier ones passes for theirs.
  return { ...answer, loading: params !== undefined && answer.to !== question, reload, setAnswer }
}

/** Counts events of those names while the page is open; those within 300 ms count as one. A turn of `useHostAnswer`. */
export function useEventCount(names: ReadonlySet<HostEvent['name']>): number {
  const { hostConnection } = useStores()
  const [count, setCount] = useState(0)
  useEffect(() => onEvents(hostConnection, names, 300, () => setCount((before) => before + 1)), [hostConnection, names])
  return count
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
