import type { ShellView } from '#app/contract/snapshot.ts'
import { useConnection } from '#renderer/stores/react.tsx'

/** The system that servers run on; a browser may be on another one. */
export const useHostOs = (): ShellView['os'] => useConnection((state) => state.about?.shell.os ?? 'linux')
