// The report of what models were asked for, as of now: asked for again when something was counted.
import { useEffect, useState } from 'react'
import type { UseReport } from '#app/chat/usage.ts'
import type { ErrorValue } from '#app/errors.ts'
import { useActions, useStores } from '#renderer/stores/react.tsx'

export interface ShownReport {
  readonly report: UseReport | undefined
  readonly error: ErrorValue | undefined
}

/** Answers in a row count as one change. */
const SETTLE_MS = 300

export function useReport(from: string, to: string): ShownReport {
  const { attempt } = useActions()
  const { link } = useStores()
  const [shown, setShown] = useState<ShownReport>({ report: undefined, error: undefined })
  useEffect(() => {
    let open = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      timer = undefined
      const outcome = await attempt('usage.report', { from, to })
      if (!open) return
      setShown((before) => (outcome.ok ? { report: outcome.value, error: undefined } : { ...before, error: outcome.error }))
    }
    const stop = link.onEvent(({ name }) => {
      if (name === 'usage.changed') timer ??= setTimeout(look, SETTLE_MS)
    })
    void look()
    return () => {
      open = false
      clearTimeout(timer)
      stop()
    }
  }, [attempt, link, from, to])
  return shown
}
