// A file of the page's own machine goes to the host piece by piece, so that neither side ever holds all of it.
import type { ErrorValue } from '#app/errors.ts'
import type { Outcome } from '#renderer/stores/actions.ts'
import { base64Of } from '#renderer/ui/base64.ts'

/** A multiple of three, so that the base64 of each piece ends with itself. */
const PIECE_BYTES = 999_999

export type PiecesEnd =
  | { readonly kind: 'sent' }
  /** The file went, or is not for us to read. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'failed'; readonly error: ErrorValue }
  | { readonly kind: 'stopped' }

export interface PiecesOptions {
  readonly push: (at: number, base64: string) => Promise<Outcome<unknown>>
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
