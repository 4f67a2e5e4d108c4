import { createStore } from 'zustand/vanilla'
import type { LinkStatus } from '#app/contract/link.ts'
import type { ShellView } from '#app/contract/snapshot.ts'
import type { ErrorValue } from '#app/errors.ts'

/** How the page stands to its host. `about` is there once the first snapshot came. */
export interface ConnectionState {
  readonly link: LinkStatus
  readonly about: { readonly epoch: string; readonly version: string; readonly dataDir: string; readonly shell: ShellView } | undefined
  /** The host answered the request for a snapshot with an error: it could not start. */
  readonly startError: ErrorValue | undefined
}

export const createConnectionStore = () =>
  createStore<ConnectionState>(() => ({ link: 'connecting', about: undefined, startError: undefined }))
