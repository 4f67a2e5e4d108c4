// Sends a backup from the page's machine to the host. Requests that may come twice are sent again after the connection broke, as
// their answer is lost with it. The host drops what nobody goes on with.
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ActionOutcome, Actions } from '#renderer/stores/actions.ts'
import type { Stores } from '#renderer/stores/stores.ts'
import { inPieces } from '#renderer/ui/forms/file-pieces.ts'

type ConnectionStore = Pick<Stores['connection'], 'getState' | 'subscribe'>

const mostTimes = 10

/** Repeats a request while the connection breaks, up to `mostTimes` times. */
export async function persist<T>(
  connection: ConnectionStore,
  work: () => Promise<ActionOutcome<T>>,
  signal?: AbortSignal,
): Promise<ActionOutcome<T>> {
  for (let times = 1; ; times += 1) {
    const outcome = await work()
    if (outcome.ok || outcome.error.code !== 'link.closed' || times === mostTimes) return outcome
    if (!(await opens(connection, signal))) return outcome
  }
}

/** Waits for the connection; false: the host refuses it, or `signal` was aborted. */
function opens({ getState, subscribe }: ConnectionStore, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    let unsubscribe = (): void => undefined
    const end = (opened: boolean): void => {
      unsubscribe()
      signal?.removeEventListener('abort', stop)
      resolve(opened)
    }
    const stop = (): void => end(false)
    const look = (): void => {
      const { status } = getState()
      if (status === 'open' || status === 'refused') end(status === 'open')
    }
    signal?.addEventListener('abort', stop)
    unsubscribe = subscribe(look)
    if (signal?.aborted) stop()
    else look()
  })
}

type SentBackup =
  | { readonly kind: 'sent'; readonly upload: string }
  | { readonly kind: 'failed'; readonly error: ErrorValue }
  | { readonly kind: 'stopped' }

interface SendBackupOptions {
  /** Called with the share of the file that the host has. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
  readonly connection: ConnectionStore
}

export async function sendBackup(
  { attempt }: Pick<Actions, 'attempt'>,
  file: File,
  { onProgress, signal, connection }: SendBackupOptions,
): Promise<SentBackup> {
  const { name, size: total } = file
  const unreadable = (message: string): SentBackup => ({ kind: 'failed', error: { code: 'backup.unreadable', message } })
  if (total === 0) return unreadable(t`“${name}” is empty.`)
  const upload = crypto.randomUUID()
  const end = await inPieces(file, {
    push: (at, base64) => persist(connection, () => attempt('backup.receive', { upload, name, at, total, base64 }), signal),
    onProgress,
    signal,
  })
  if (end.kind === 'sent') return { kind: 'sent', upload }
  if (end.kind === 'failed') return end
  void attempt('backup.forget', { upload })
  return end.kind === 'stopped' ? end : unreadable(t`“${name}” could not be read.`)
}
