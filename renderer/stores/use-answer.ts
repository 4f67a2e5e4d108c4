import { useEffect, useState } from 'react'
import type { RequestName, RequestParams, RequestResult } from '#app/contract/requests.ts'
import type { ErrorValue } from '#app/errors.ts'
import { useActions } from './store-hooks.tsx'

/**
 * Sends a request at first and whenever its parameters or `changes` are others; without parameters it sends none. `value`: the latest
 * answer, kept until a newer one; `error`: set where the latest request failed.
 */
export function useAnswer<N extends RequestName>(
  name: N,
  params: RequestParams<N> | undefined,
  changes: string | number = '',
): { readonly value?: RequestResult<N>; readonly error?: ErrorValue } {
  const { attempt } = useActions()
  const [answer, setAnswer] = useState<{ readonly value?: RequestResult<N>; readonly error?: ErrorValue }>({})
  const json = params && JSON.stringify(params)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other `changes` are a reason to ask again
  useEffect(() => {
    if (json === undefined) return
    let isLatest = true
    void attempt(name, JSON.parse(json) as RequestParams<N>).then((outcome) => {
      if (isLatest) setAnswer((before) => (outcome.ok ? { value: outcome.value } : { ...before, error: outcome.error }))
    })
    return () => {
      isLatest = false
    }
  }, [attempt, name, json, changes])
  return answer
}
