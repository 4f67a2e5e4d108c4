import { useState } from 'react'
import type { RequestName, RequestParams, RequestResult } from '#app/contract/requests.ts'
import type { ErrorValue } from '#app/errors.ts'
import type { ActionOutcome } from '#renderer/stores/actions.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'

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
