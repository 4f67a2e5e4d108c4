// A backup of the page's own machine goes to the host, which forgets what nobody goes on with.
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Actions } from '#renderer/stores/actions.ts'
import { inPieces } from './in-pieces.ts'
import { type Connection, persist } from './persist.ts'

export type SentBackup =
  | { readonly kind: 'sent'; readonly upload: string }
  | { readonly kind: 'failed'; readonly error: ErrorValue }
  | { readonly kind: 'stopped' }

export interface SendBackupOptions {
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
  readonly connection: Connection
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
