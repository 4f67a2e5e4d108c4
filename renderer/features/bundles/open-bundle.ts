// The bundle that is being looked at: one at a time, wherever it came from. A file goes to the host in parts, or the host
// fetches it from an address that a person agreed to; the host reads and judges it, and what comes back is shown. Nothing
// of it runs.
import { createStore } from 'zustand/vanilla'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { fileNameIn } from '#app/server/bundle/bundle-download.ts'
import type { BundleSummary } from '#app/server/bundle/bundle-summary.ts'
import type { Actions } from '#renderer/stores/actions.ts'
import { base64Of } from '#renderer/ui/lib/base64.ts'

/** A bundle that a registry lists. */
export interface BundleOffer {
  readonly url: string
  /** As the registry names it; undefined: it names none. */
  readonly sha256: string | undefined
  /** The registry's address. */
  readonly registry: string
}

type Opening =
  | { readonly kind: 'none' }
  /** Nothing is fetched before the person says so. */
  | { readonly kind: 'offered'; readonly offer: BundleOffer }
  /** `download`: as the host knows it. */
  | { readonly kind: 'downloading'; readonly offer: BundleOffer; readonly download: string }
  | { readonly kind: 'reading'; readonly file: string; readonly share: number }
  | { readonly kind: 'open'; readonly view: BundleSummary; readonly server: string | undefined }
  /** `offer`: it was to be fetched, and can be again. */
  | { readonly kind: 'failed'; readonly file: string; readonly error: ErrorValue; readonly offer?: BundleOffer }

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
    if (!bytes) return void fail({ code: 'bundle.unreadable', message: t`“${name}” could not be read.` })
    const sent = await attempt('bundle.part', { upload, at, data: base64Of(new Uint8Array(bytes)) })
    if (!sent.ok) return void fail(sent.error)
    if (!set({ kind: 'reading', file: name, share: Math.min(1, (at + PART_BYTES) / file.size) })) return
  }
  if (file.size === 0) return void fail({ code: 'bundle.unreadable', message: t`“${name}” is empty.` })
  const opened = await attempt('bundle.open', { upload, file: name })
  if (!opened.ok) return void fail(opened.error)
  if (!set({ kind: 'open', view: opened.value, server })) void attempt('bundle.close', { id: opened.value.id })
}

export const offerBundle = (offer: BundleOffer): void => void begin({ kind: 'offered', offer })

export async function downloadBundle({ attempt }: Pick<Actions, 'attempt'>, offer: BundleOffer): Promise<void> {
  const { url, sha256 } = offer
  const download = crypto.randomUUID()
  const set = begin({ kind: 'downloading', offer, download })
  const came = await attempt('bundle.download', { download, url, ...(sha256 === undefined ? {} : { sha256 }) })
  if (!came.ok) return void set({ kind: 'failed', file: fileNameIn(url), error: came.error, offer })
  if (!set({ kind: 'open', view: came.value, server: undefined })) void attempt('bundle.close', { id: came.value.id })
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
  if (opening.kind === 'downloading') void attempt('bundle.stopDownload', { download: opening.download })
  if (opening.kind === 'open') void attempt('bundle.close', { id: opening.view.id })
  begin({ kind: 'none' })
}
