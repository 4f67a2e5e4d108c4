// A backup of the page's own machine goes to the host in parts, so that neither side holds all of it.
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Actions } from '#renderer/stores/actions.ts'
import { base64Of } from '#renderer/ui/base64.ts'

const PART_BYTES = 999_999

export type SentBackup =
  | { readonly kind: 'sent'; readonly upload: string }
  | { readonly kind: 'failed'; readonly error: ErrorValue }
  | { readonly kind: 'stopped' }

export interface SendBackupOptions {
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

export async function sendBackup(
  { attempt }: Pick<Actions, 'attempt'>,
  file: File,
  { onProgress, signal }: SendBackupOptions,
): Promise<SentBackup> {
  const { name, size: total } = file
  const unreadable = (message: string): SentBackup => ({ kind: 'failed', error: { code: 'backup.unreadable', message } })
  if (total === 0) return unreadable(t`“${name}” is empty.`)
  const upload = crypto.randomUUID()
  for (let at = 0; at < total; at += PART_BYTES) {
    const bytes = await file
      .slice(at, at + PART_BYTES)
      .arrayBuffer()
      .catch(() => undefined)
    if (!bytes) {
      void attempt('backup.forget', { upload })
      return unreadable(t`“${name}” could not be read.`)
    }
    const sent = await attempt('backup.receive', { upload, name, at, total, base64: base64Of(new Uint8Array(bytes)) })
    if (signal.aborted) {
      void attempt('backup.forget', { upload })
      return { kind: 'stopped' }
    }
    if (!sent.ok) return { kind: 'failed', error: sent.error }
    onProgress(Math.min(1, (at + bytes.byteLength) / total))
  }
  return { kind: 'sent', upload }
}
