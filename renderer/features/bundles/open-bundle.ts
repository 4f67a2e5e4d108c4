// The one bundle that is being looked at. A file that is chosen, or dropped anywhere on the window, goes to the host in pieces, or
// the host downloads it from an address that the person agreed to; the host reads and judges it. Nothing of it runs.

import { useEffect } from 'react'
import { createStore } from 'zustand/vanilla'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { fileNameIn, isBundleFile } from '#app/server/bundle/bundle-download.ts'
import type { BundleSummary } from '#app/server/bundle/bundle-summary.ts'
import { navigate, parseRoute } from '#renderer/router.ts'
import type { Actions } from '#renderer/stores/actions.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { inPieces } from '#renderer/ui/forms/file-pieces.ts'
import { listen } from '#renderer/ui/lib/listen.ts'

/** A bundle that a registry lists. */
export interface BundleOffer {
  readonly url: string
  /** SHA-256 that the registry names; undefined: none. */
  readonly sha256: string | undefined
  readonly registry: string
}

type Opening =
  | { readonly kind: 'none' }
  /** Nothing is fetched before the person says so. */
  | { readonly kind: 'offered'; readonly offer: BundleOffer }
  /** `download`: its id at the host. */
  | { readonly kind: 'downloading'; readonly offer: BundleOffer; readonly download: string }
  | { readonly kind: 'reading'; readonly file: string; readonly share: number }
  | { readonly kind: 'open'; readonly view: BundleSummary; readonly server: string | undefined }
  /** `offer`: the download that failed, which can be tried again. */
  | { readonly kind: 'failed'; readonly file: string; readonly error: ErrorValue; readonly offer?: BundleOffer }

/** `turn` counts up with each bundle: what an earlier one still brings is dropped. */
export const openingStore = createStore<{ readonly opening: Opening; readonly turn: number }>(() => ({
  opening: { kind: 'none' },
  turn: 0,
}))

/** Shows another bundle; the setter that it returns answers false once yet another one is shown. */
function begin(opening: Opening): (next: Opening) => boolean {
  const turn = openingStore.getState().turn + 1
  openingStore.setState({ opening, turn })
  return (next) => {
    if (openingStore.getState().turn !== turn) return false
    openingStore.setState({ opening: next })
    return true
  }
}

/** `server`: name of the server that the person wants to update. */
export async function openBundleFile({ attempt }: Pick<Actions, 'attempt'>, file: File, server?: string): Promise<void> {
  const { name } = file
  const set = begin({ kind: 'reading', file: name, share: 0 })
  const fail = (error: ErrorValue): void => void set({ kind: 'failed', file: name, error })
  if (file.size === 0) return fail({ code: 'bundle.unreadable', message: t`“${name}” is empty.` })
  const upload = crypto.randomUUID()
  const abort = new AbortController()
  const end = await inPieces(file, {
    push: (at, data) => attempt('bundle.part', { upload, at, data }),
    onProgress: (share) => set({ kind: 'reading', file: name, share }) || abort.abort(),
    signal: abort.signal,
  })
  if (end.kind === 'stopped') return
  if (end.kind === 'unreadable') return fail({ code: 'bundle.unreadable', message: t`“${name}” could not be read.` })
  if (end.kind === 'failed') return fail(end.error)
  const opened = await attempt('bundle.open', { upload, file: name })
  if (!opened.ok) return fail(opened.error)
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

export async function showBundle({ attempt }: Pick<Actions, 'attempt'>, id: string, file: string): Promise<void> {
  const set = begin({ kind: 'reading', file, share: 1 })
  const seen = await attempt('bundle.view', { id })
  set(seen.ok ? { kind: 'open', view: seen.value, server: undefined } : { kind: 'failed', file, error: seen.error })
}

/** Drops the bundle that is shown or on its way. */
export function closeBundle({ attempt }: Pick<Actions, 'attempt'>): void {
  const { opening } = openingStore.getState()
  if (opening.kind === 'downloading') void attempt('bundle.stopDownload', { download: opening.download })
  if (opening.kind === 'open') void attempt('bundle.close', { id: opening.view.id })
  begin({ kind: 'none' })
}

export function useBundleDrop(): void {
  const actions = useActions()
  useEffect(() => {
    // Without this the browser would open the file.
    const dragover = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const drop = (event: DragEvent): void => {
      const file = [...(event.dataTransfer?.files ?? [])].find(({ name }) => isBundleFile(name))
      if (!file) return
      event.preventDefault()
      const { kind } = openingStore.getState().opening
      // Another bundle does not replace the one that is open.
      if (kind !== 'none' && kind !== 'failed') return
      const route = parseRoute(window.location.hash)
      // The dialog that adds a server closes in favour of the bundle.
      if (route.page === 'servers' && route.tab === 'add') navigate({ page: 'servers' })
      void openBundleFile(actions, file)
    }
    return listen(window, { dragover, drop })
  }, [actions])
}
