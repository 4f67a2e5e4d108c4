// The way to the screen that takes servers over, with the program that the person pressed.
import { createStore } from 'zustand/vanilla'
import type { HostId } from '#app/server/import/host-names.ts'
import { navigate } from '#renderer/router.ts'

/** Undefined: of all programs. */
export const takingOver = createStore<{ readonly only: HostId | undefined }>(() => ({ only: undefined }))

export function startTakeover(only?: HostId): void {
  takingOver.setState({ only })
  navigate({ page: 'servers', name: '', tab: 'takeover' })
}
