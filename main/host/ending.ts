// How a host ends: turns first, so that their calls are withdrawn rather than lost; then every process; the store last.
import type { Log } from '#main/base/log.ts'
import { orLate } from './or-late.ts'
import type { RecordSeal } from './record-seal.ts'

export interface Ending {
  /** Those that models and people have begun. */
  readonly turns: Promise<unknown>
  /** Of whatever has processes. */
  readonly processes: readonly Promise<unknown>[]
  readonly seal: RecordSeal | undefined
  /** In the order in which things were opened. */
  readonly undo: readonly (() => void)[]
  readonly log: Log
}

/** What does not end must not keep the profile locked. */
const TURNS_MS = 4000
const SEAL_MS = 1000

/** Never rejects: whatever fails, the rest ends. */
export async function endHost({ turns, processes, seal, undo, log }: Ending): Promise<void> {
  const over = turns.then(() => {})
  const results = await Promise.allSettled([...processes, orLate(over, TURNS_MS, () => log.error('A turn did not end in time'))])
  seal?.stop()
  if (seal) await orLate(seal.seal(), SEAL_MS, () => log.debug('The record was not sealed in time')).catch(() => undefined) // The next run does.
  for (const step of undo.toReversed()) {
    try {
      step()
    } catch (error) {
      log.error('Something could not be closed', error)
    }
  }
  for (const result of results) if (result.status === 'rejected') log.error('Something could not be ended', result.reason)
}
