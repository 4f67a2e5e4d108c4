import { exitCodes } from './exit.ts'

/** A signal to a group comes twice: from its sender, and passed on by npm or timeout. So soon after the first it is the same one. */
const SAME_SIGNAL_MS = 500

/** The first signal ends the work; a second one ends the process at once. Returns its undo. */
export function onInterrupt(stop: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  let first: number | undefined
  const onSignal = (): void => {
    if (first !== undefined) {
      if (performance.now() - first > SAME_SIGNAL_MS) process.exit(exitCodes.failed)
      return
    }
    first = performance.now()
    stop()
  }
  for (const signal of signals) process.on(signal, onSignal)
  return () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
}
