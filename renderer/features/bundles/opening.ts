// The bundle that is being looked at: one at a time, wherever it came from. A file goes to the host in parts, which reads
// and judges it; what comes back is shown. Nothing of it runs.
import { createStore } from 'zustand/vanilla'
import type { ErrorValue } from '#app/errors.ts'
import type { BundleView } from '#app/server/bundle/view.ts'
import type { Actions } from '#renderer/stores/actions.ts'

export type Opening =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading'; readonly file: string; readonly share: number }
  | { readonly kind: 'open'; readonly view: BundleView; readonly server: string | undefined }
  | { readonly kind: 'failed'; readonly file: string; readonly error: ErrorValue }

/** `turn` counts up with each file: what an earlier one still brings is let go. */
interface OpeningState {
  readonly opening: Opening
  readonly turn: number
}
export const openingStore = createStore<OpeningState>(() => ({ opening: { kind: 'none' }, turn: 0 }))

const PART_BYTES = 999_999

function begin(opening: Opening): (next: Opening) => boolean {
  const turn = openingStore.getState().turn + 1
  openingStore.setState({ opening, turn })
  return (next) => {
    if (openingStore.getState().turn !== turn) return false
    openingStore.setState({ opening: next })
    return true
  }
}

/** `server`: the one that the person wants to update with it. */
export async function openBundleFile({ attempt }: Pick<Actions, 'attempt'>, file: File, server?: string): Promise<void> {
  const { name } = file
  const set = begin({ kind: 'reading', file: name, share: 0 })
  const fail = (error: ErrorValue): boolean => set({ kind: 'failed', file: name, error })
  const upload = crypto.randomUUID()
  for (let at = 0; at < file.size; at += PART_BYTES) {
    const bytes = await file
      .slice(at, at + PART_BYTES)
      .arrayBuffer()
      .catch(() => undefined)
    if (!bytes) return void fail({ code: 'bundle.unreadable', message: `“${name}” could not be read.` })
    const sent = await attempt('bundle.part', { upload, at, data: base64Of(new Uint8Array(bytes)) })
    if (!sent.ok) return void fail(sent.error)
    if (!set({ kind: 'reading', file: name, share: Math.min(1, (at + PART_BYTES) / file.size) })) return
  }
  if (file.size === 0) return void fail({ code: 'bundle.unreadable', message: `“${name}” is empty.` })
  const opened = await attempt('bundle.open', { upload, file: name })
  if (!opened.ok) return void fail(opened.error)
  if (!set({ kind: 'open', view: opened.value, server })) void attempt('bundle.close', { id: opened.value.id })
}

/** One that the host has open. */
export async function showBundle({ attempt }: Pick<Actions, 'attempt'>, id: string, file: string): Promise<void> {
  const set = begin({ kind: 'reading', file, share: 1 })
  const seen = await attempt('bundle.view', { id })
  set(seen.ok ? { kind: 'open', view: seen.value, server: undefined } : { kind: 'failed', file, error: seen.error })
}

/** Whatever is shown, or on its way, is let go. */
export function closeBundle({ attempt }: Pick<Actions, 'attempt'>): void {
  const { opening } = openingStore.getState()
  if (opening.kind === 'open') void attempt('bundle.close', { id: opening.view.id })
  begin({ kind: 'none' })
}

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}
