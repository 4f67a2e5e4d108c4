// Somebody's folders as the host has them: fetched when they are shown, and again after each change.
import { useCallback, useEffect, useState } from 'react'
import type { RequestResult } from '#app/contract/requests.ts'
import { describeError } from '#app/describe-error.ts'
import type { FolderOwner } from '#app/folders.ts'
import { useActions } from '#renderer/stores/react.tsx'

export interface Folders extends RequestResult<'folder.list'> {
  readonly busy: boolean
  readonly error: string | undefined
  readonly forgetError: () => void
  /** Whether it could be kept. */
  readonly save: (paths: readonly string[]) => Promise<boolean>
  readonly refresh: () => Promise<void>
}

/** `fresh`: changes when they may have changed elsewhere. */
export function useFolders(owner: FolderOwner, fresh: unknown = undefined): Folders {
  const { attempt } = useActions()
  const [known, setKnown] = useState<RequestResult<'folder.list'>>({ folders: [], told: [] })
  const [error, setError] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const key = JSON.stringify(owner)

  const refresh = useCallback(async (): Promise<void> => {
    const outcome = await attempt('folder.list', { owner: JSON.parse(key) as FolderOwner })
    if (outcome.ok) setKnown(outcome.value)
  }, [attempt, key])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changed elsewhere is looked at anew
  useEffect(() => void refresh(), [refresh, fresh])

  const save = async (paths: readonly string[]): Promise<boolean> => {
    setBusy(true)
    const outcome = await attempt('folder.set', { owner, paths: [...paths] })
    if (outcome.ok) await refresh()
    setBusy(false)
    const said = outcome.ok ? undefined : describeError(outcome.error)
    setError(said && `${said.message} ${said.remedy}`.trim())
    return outcome.ok
  }
  return { ...known, busy, error, forgetError: () => setError(undefined), save, refresh }
}
