import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { ServerView } from '#app/server/view.ts'
import { useActions, useServers } from '#renderer/stores/react.tsx'
import { createShelves, type Shelves } from './shelves.ts'

export interface ShelvesInUse {
  /** Those that are on, in the person's order. */
  readonly servers: readonly ServerView[]
  readonly shelves: Shelves
  readonly reload: (server: string) => void
}

export function useShelves(withResources: boolean): ShelvesInUse {
  const { attempt } = useActions()
  const all = useServers((state) => state.list)
  const servers = useMemo(() => all.filter(({ definition }) => definition.enabled), [all])
  const [loader] = useState(() => createShelves(attempt, withResources))
  const shelves = useStore(loader.store)
  useEffect(() => loader.sync(servers.map(({ name, catalogueRevision }) => ({ name, revision: catalogueRevision }))), [loader, servers])
  useEffect(() => () => loader.dispose(), [loader])
  return { servers, shelves, reload: loader.reload }
}
