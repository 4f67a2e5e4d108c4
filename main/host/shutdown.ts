// Shutdown of a host: turns first, so that their calls are cancelled rather than lost; then every process; the store last.
import { type Log, logFailure } from '#main/base/host-log.ts'
import type { AuditAnchor } from '../store/audit/audit-anchor.ts'
import type { SignedState } from '../store/signed-state.ts'

function withTimeout(work: Promise<void>, ms: number, onLate: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate()
      resolve()
    }, ms)
    work.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}

interface ShutdownOptions {
  readonly turns: Promise<unknown>
  readonly processes: readonly Promise<unknown>[]
  readonly auditAnchor: AuditAnchor | undefined
  readonly signed: Pick<SignedState, 'flush'>
  /** Steps in the order of construction; they are run in reverse. */
  readonly undo: readonly (() => void)[]
  readonly log: Log
}

/** Limits in milliseconds, so that a turn or a keyring that hangs does not keep the profile locked. */
const TURNS_MS = 4000
const ANCHOR_MS = 1000

/** Never rejects: whatever fails, the rest ends. */
export async function shutdownHost({ turns, processes, auditAnchor, signed, undo, log }: ShutdownOptions): Promise<void> {
  const over = turns.then(() => {})
  const results = await Promise.allSettled([...processes, withTimeout(over, TURNS_MS, () => log.error('A turn did not end in time'))])
  auditAnchor?.stop()
  if (auditAnchor)
    await withTimeout(auditAnchor.anchor(), ANCHOR_MS, () => log.debug('The audit log was not anchored in time')).catch(() => undefined) // The next run does.
  await withTimeout(signed.flush(), ANCHOR_MS, () => log.warn('The state of the permissions was not kept in time'))
  for (const step of undo.toReversed()) logFailure(log, 'Something could not be closed', step)
  for (const result of results) if (result.status === 'rejected') log.error('Something could not be ended', result.reason)
}
