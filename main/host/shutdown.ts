// How a host ends: turns first, so that their calls are withdrawn rather than lost; then every process; the store last.
import type { Log } from '#main/base/host-log.ts'
import type { AuditAnchor } from '../store/audit/audit-anchor.ts'

/** Resolves with the work, or once it is late: `onLate` is told, and nobody waits for it any more. */
function withTimeout(work: Promise<void>, ms: number, onLate: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate()
      resolve()
    }, ms)
    work.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}

interface ShutdownParts {
  /** Those that models and people have begun. */
  readonly turns: Promise<unknown>
  /** Of whatever has processes. */
  readonly processes: readonly Promise<unknown>[]
  readonly seal: AuditAnchor | undefined
  /** In the order in which things were opened. */
  readonly undo: readonly (() => void)[]
  readonly log: Log
}

/** What does not end must not keep the profile locked. */
const TURNS_MS = 4000
const SEAL_MS = 1000

/** Never rejects: whatever fails, the rest ends. */
export async function shutdownHost({ turns, processes, seal, undo, log }: ShutdownParts): Promise<void> {
  const over = turns.then(() => {})
  const results = await Promise.allSettled([...processes, withTimeout(over, TURNS_MS, () => log.error('A turn did not end in time'))])
  seal?.stop()
  if (seal) await withTimeout(seal.seal(), SEAL_MS, () => log.debug('The record was not sealed in time')).catch(() => undefined) // The next run does.
  for (const step of undo.toReversed()) {
    try {
      step()
    } catch (error) {
      log.error('Something could not be closed', error)
    }
  }
  for (const result of results) if (result.status === 'rejected') log.error('Something could not be ended', result.reason)
}
