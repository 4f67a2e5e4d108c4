import { createStore } from 'zustand/vanilla'
import type { ConnectionStatus } from '#app/contract/host-connection.ts'
import type { ShellSummary } from '#app/contract/snapshot.ts'
import type { ErrorValue } from '#app/errors.ts'

/** How the page stands to its host. `about` is there once the first snapshot came. */
export interface ConnectionState {
  readonly link: ConnectionStatus
  readonly about: { readonly epoch: string; readonly version: string; readonly dataDir: string; readonly shell: ShellSummary } | undefined
  /** The host answered the request for a snapshot with an error: it could not start. */
  readonly startError: ErrorValue | undefined
}

export const createConnectionStore = () =>
  createStore<ConnectionState>(() => ({ link: 'connecting', about: undefined, startError: undefined }))
