// A backup of the page's own machine goes to the host, which forgets what nobody goes on with. A file of the page's own machine
// goes to the host piece by piece, so that neither side ever holds all of it. Requests that may come twice, over a link that
// may break: the answer is lost with it, so they are asked again once it is back.
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ActionOutcome, Actions } from '#renderer/stores/actions.ts'
import type { Stores } from '#renderer/stores/stores.ts'
import { base64Of } from '#renderer/ui/lib/base64.ts'

type ConnectionStore = Pick<Stores['connection'], 'getState' | 'subscribe'>

const mostTimes = 10

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

/** False: it will not, or nobody waits for it any more. */
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

/** A multiple of three, so that the base64 of each piece ends with itself. */
const PIECE_BYTES = 999_999

type PiecesEnd =
  | { readonly kind: 'sent' }
  /** The file went, or is not for us to read. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'failed'; readonly error: ErrorValue }
  | { readonly kind: 'stopped' }

interface PiecesOptions {
  readonly push: (at: number, base64: string) => Promise<ActionOutcome<unknown>>
  /** Share of the file that the host has. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

export async function inPieces(file: File, { push, onProgress, signal }: PiecesOptions): Promise<PiecesEnd> {
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    const bytes = await file
      .slice(at, at + PIECE_BYTES)
      .arrayBuffer()
      .catch(() => undefined)
    if (!bytes) return { kind: 'unreadable' }
    const pushed = await push(at, base64Of(new Uint8Array(bytes)))
    if (signal.aborted) return { kind: 'stopped' }
    if (!pushed.ok) return { kind: 'failed', error: pushed.error }
    onProgress(Math.min(1, (at + bytes.byteLength) / file.size))
  }
  return { kind: 'sent' }
}

type SentBackup =
  | { readonly kind: 'sent'; readonly upload: string }
  | { readonly kind: 'failed'; readonly error: ErrorValue }
  | { readonly kind: 'stopped' }

interface SendBackupOptions {
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
