// A file goes to the host in pieces, one after the other, so that neither side ever holds all of it.
import type { ImportSummary } from '#app/chat/import/summary.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Actions } from '#renderer/stores/actions.ts'
import { base64Of } from '#renderer/ui/base64.ts'

const PIECE_BYTES = 512 * 1024
const LOOK_MS = 500

export type FileOutcome =
  | { readonly kind: 'done'; readonly summary: ImportSummary }
  | { readonly kind: 'failed'; readonly error: ErrorValue }
  | { readonly kind: 'stopped' }

export interface SendOptions {
  readonly mode: 'preview' | 'import'
  /** Share of the file that the host has read. */
  readonly onProgress: (share: number) => void
  /** Messages that the host has kept: one chat may be long. */
  readonly onKept: (messages: number) => void
  readonly signal: AbortSignal
}

export async function sendFile(
  { attempt }: Pick<Actions, 'attempt'>,
  file: File,
  { mode, onProgress, onKept, signal }: SendOptions,
): Promise<FileOutcome> {
  const begun = await attempt('import.begin', { mode })
  if (!begun.ok) return { kind: 'failed', error: begun.error }
  const { id } = begun.value
  // Whatever the host is at with it ends.
  const stop = (): void => void attempt('import.cancel', { id })
  signal.addEventListener('abort', stop, { once: true })
  const timer = setInterval(() => void look(), LOOK_MS)
  const look = async (): Promise<void> => {
    const told = await attempt('import.progress', { id })
    if (told.ok) onKept(told.value.messages)
  }
  try {
    return await send()
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', stop)
  }

  async function send(): Promise<FileOutcome> {
    for (let at = 0; at < file.size; at += PIECE_BYTES) {
      const read = await file
        .slice(at, at + PIECE_BYTES)
        .arrayBuffer()
        .catch(() => undefined)
      if (!read) {
        stop()
        return { kind: 'failed', error: { code: 'import.unreadable', message: t`“${file.name}” could not be read.` } }
      }
      const bytes = new Uint8Array(read)
      const pushed = await attempt('import.push', { id, base64: base64Of(bytes) })
      if (signal.aborted) return { kind: 'stopped' }
      if (!pushed.ok) return { kind: 'failed', error: pushed.error }
      onProgress(Math.min(1, (at + bytes.length) / file.size))
    }
    const ended = await attempt('import.end', { id })
    if (signal.aborted) return { kind: 'stopped' }
    return ended.ok ? { kind: 'done', summary: ended.value } : { kind: 'failed', error: ended.error }
  }
}
