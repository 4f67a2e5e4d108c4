import type { ErrorValue } from '#app/errors.ts'
import type { ActionOutcome } from '#renderer/stores/actions.ts'
import { base64Of } from '../lib/base64.ts'

/** A multiple of three, so that the base64 of each piece ends with itself. */
const PIECE_BYTES = 999_999

type PiecesEnd =
  | { readonly kind: 'sent' }
  | { readonly kind: 'stopped' }
  /** The file is gone, or the page may not read it. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

interface PiecesOptions {
  readonly push: (at: number, base64: string) => Promise<ActionOutcome<unknown>>
  /** Share of the file that the host has. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** Sends a file to the host piece by piece, so that neither side ever holds all of it. */
export async function inPieces(file: File, { push, onProgress, signal }: PiecesOptions): Promise<PiecesEnd> {
  for (let at = 0; at < file.size && !signal.aborted; at += PIECE_BYTES) {
    const piece = file.slice(at, at + PIECE_BYTES)
    const bytes = await piece.arrayBuffer().catch(() => undefined)
    if (!bytes) return { kind: 'unreadable' }
    const pushed = await push(at, base64Of(new Uint8Array(bytes)))
    if (signal.aborted) break
    if (!pushed.ok) return { kind: 'failed', error: pushed.error }
    onProgress(Math.min(1, (at + bytes.byteLength) / file.size))
  }
  return { kind: signal.aborted ? 'stopped' : 'sent' }
}
