// One tool with what the person accepted of it: fetched when it is opened, and again when its server lists others or rules
// change; what was there stays until then.
import { useCallback, useEffect, useState } from 'react'
import type { ApprovedDefinition } from '#app/consent/tool-definition.ts'
import type { ErrorValue } from '#app/errors.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { useActions, useHandRuns, useServers } from '#renderer/stores/react.tsx'

export interface ToolPage {
  readonly tool: ToolEntry | undefined
  readonly approved: ApprovedDefinition | null
  readonly error: ErrorValue | undefined
  readonly reload: () => void
}

export function useTool(server: string, name: string): ToolPage {
  const { attempt } = useActions()
  const [page, setPage] = useState<Omit<ToolPage, 'reload'>>({ tool: undefined, approved: null, error: undefined })
  const [again, setAgain] = useState(0)
  const revision = useServers((state) => state.list.find((one) => one.name === server)?.catalogueRevision ?? 0)
  // A run may be what accepts it.
  const ran = useHandRuns(
    (state) => Object.values(state.byId).filter((run) => run.server === server && run.tool === name && run.state.kind !== 'queued').length,
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list, and a press on "Try again", are reasons to fetch.
  useEffect(() => {
    let gone = false
    void attempt('tool.get', { server, tool: name }).then((outcome) => {
      if (gone) return
      if (outcome.ok) setPage({ ...outcome.value, error: undefined })
      else setPage((before) => ({ ...before, error: outcome.error }))
    })
    return () => {
      gone = true
    }
  }, [attempt, server, name, revision, ran, again])
  const reload = useCallback(() => setAgain((count) => count + 1), [])
  return { ...page, reload }
}
