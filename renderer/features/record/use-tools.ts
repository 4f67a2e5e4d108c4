// The tools of a server as Assent knows them, for forms about them; none while they are fetched or where none are known.
import { useEffect, useState } from 'react'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { useActions } from '#renderer/stores/react.tsx'

export function useTools(server: string): readonly ToolEntry[] {
  const { attempt } = useActions()
  const [found, setFound] = useState<{ readonly server: string; readonly tools: readonly ToolEntry[] } | undefined>(undefined)
  useEffect(() => {
    if (server === '') return undefined
    let gone = false
    void attempt('server.catalogue', { name: server }).then((outcome) => {
      if (!gone && outcome.ok) setFound({ server, tools: outcome.value.tools })
    })
    return () => {
      gone = true
    }
  }, [attempt, server])
  return found?.server === server ? found.tools : []
}
