// A backup that is being written: its progress, asked for at intervals, and its end.
import { useEffect, useState } from 'react'
import type { RequestResult } from '#app/contract/requests.ts'
import type { ErrorValue } from '#app/errors.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'

type RunState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly run: string; readonly step: RequestResult<'backup.progress'> }
  | { readonly kind: 'written'; readonly facts: RequestResult<'backup.write'> }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

export type BackupRun = ReturnType<typeof useBackupRun>

const EVERY_MS = 300

export function useBackupRun() {
  const { attempt, go } = useActions()
  const [state, setState] = useState<RunState>({ kind: 'idle' })
  const run = state.kind === 'running' ? state.run : undefined

  useEffect(() => {
    if (run === undefined) return
    const look = async (): Promise<void> => {
      const told = await attempt('backup.progress', { run })
      if (told.ok) setState((now) => (now.kind === 'running' && now.run === run ? { ...now, step: told.value } : now))
    }
    const timer = setInterval(() => void look(), EVERY_MS)
    return () => clearInterval(timer)
  }, [attempt, run])

  return {
    state,
    /** `folder` undefined: the data folder. */
    async write(folder: string | undefined): Promise<void> {
      if (run !== undefined) return
      const begun = crypto.randomUUID()
      setState({ kind: 'running', run: begun, step: { kind: 'none' } })
      const outcome = await attempt('backup.write', { run: begun, ...(folder === undefined ? {} : { folder }) })
      if (outcome.ok) setState({ kind: 'written', facts: outcome.value })
      else setState(outcome.error.code === 'cancelled' ? { kind: 'idle' } : { kind: 'failed', error: outcome.error })
    },
    stop(): void {
      if (run !== undefined) go('backup.cancel', { run })
    },
  }
}
