// A file of chats goes to the host: what it is at meanwhile is told, and a stop ends it there.
import type { ImportSummary } from '#app/chat/import/summary.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Actions } from '#renderer/stores/actions.ts'
import { inPieces } from './in-pieces.ts'

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
    const sent = await inPieces(file, { push: (_at, base64) => attempt('import.push', { id, base64 }), onProgress, signal })
    if (sent.kind === 'unreadable') {
      stop()
      return { kind: 'failed', error: { code: 'import.unreadable', message: t`“${file.name}” could not be read.` } }
    }
    if (sent.kind !== 'sent') return sent
    const ended = await attempt('import.end', { id })
    if (signal.aborted) return { kind: 'stopped' }
    return ended.ok ? { kind: 'done', summary: ended.value } : { kind: 'failed', error: ended.error }
  }
}
