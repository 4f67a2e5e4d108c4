// A server's lists, fetched when the page opens them and again when they change; the old ones stay until the new ones are here.
import { useCallback, useEffect, useState } from 'react'
import type { RequestResult } from '#app/contract/requests.ts'
import type { ErrorValue } from '#app/errors.ts'
import { useActions } from '#renderer/stores/react.tsx'

export interface CataloguePage {
  readonly catalogue: RequestResult<'server.catalogue'> | undefined
  readonly error: ErrorValue | undefined
  readonly loading: boolean
  readonly reload: () => void
  /** Shows a switch as it was set, until the host's list says so too. */
  readonly setEnabled: (tool: string, enabled: boolean) => void
}

export function useCatalogue(name: string, revision: number): CataloguePage {
  const { attempt, ask } = useActions()
  const [page, setPage] = useState<Omit<CataloguePage, 'reload' | 'setEnabled'>>({ catalogue: undefined, error: undefined, loading: true })
  const [again, setAgain] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision, and a press on "Try again", are reasons to fetch.
  useEffect(() => {
    let gone = false
    setPage((before) => ({ ...before, loading: true }))
    void attempt('server.catalogue', { name }).then((outcome) => {
      if (gone) return
      if (outcome.ok) setPage({ catalogue: outcome.value, error: undefined, loading: false })
      else setPage((before) => ({ ...before, error: outcome.error, loading: false }))
    })
    return () => {
      gone = true
    }
  }, [attempt, name, revision, again])

  const reload = useCallback(() => setAgain((count) => count + 1), [])
  const setEnabled = useCallback(
    (tool: string, enabled: boolean) => {
      const show = (value: boolean): void =>
        setPage((before) => {
          if (!before.catalogue) return before
          const tools = before.catalogue.tools.map((one) => (one.name === tool ? { ...one, enabled: value } : one))
          return { ...before, catalogue: { ...before.catalogue, tools } }
        })
      show(enabled)
      void ask('server.setToolEnabled', { name, tool, enabled }).then((done) => {
        if (!done) show(!enabled)
      })
    },
    [ask, name],
  )
  return { ...page, reload, setEnabled }
}
