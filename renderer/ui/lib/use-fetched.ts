import { useEffect, useEffectEvent } from 'react'
import type { RequestName, RequestParams, RequestResult } from '#app/contract/requests.ts'
import type { ActionOutcome } from '#renderer/stores/actions.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'

/** Sends a request when its parameters or `reason` change, none while they are undefined. The outcome of an earlier one is dropped. */
export function useFetched<N extends RequestName>(
  name: N,
  params: RequestParams<N> | undefined,
  onOutcome: (outcome: ActionOutcome<RequestResult<N>>) => void,
  reason?: unknown,
): void {
  const { attempt } = useActions()
  const heard = useEffectEvent(onOutcome)
  const key = params && JSON.stringify(params)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another reason is one to ask again
  useEffect(() => {
    if (key === undefined) return undefined
    let current = true
    void attempt(name, JSON.parse(key) as RequestParams<N>).then((outcome) => {
      if (current) heard(outcome)
    })
    return () => {
      current = false
    }
  }, [attempt, name, key, reason])
}
