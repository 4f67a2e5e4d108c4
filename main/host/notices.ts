// What the person should know about the profile as a whole, until it is mended: config problems, a disk that cannot be
// written, secrets kept in memory only, a month's budget that is nearly used. A disk error is tried again every ten seconds, and goes when a write succeeds.

import { HostError, type HostErrorCode } from '#app/errors.ts'
import type { BudgetUsage } from '#app/models/usage.ts'
import type { ProfileNotice } from '#app/profile-notice.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { ServerConfig } from '../servers/config/config-file.ts'

const diskCodes: ReadonlySet<HostErrorCode> = new Set(['disk.full', 'profile.unwritable'])
const RETRY_MS = 10_000

interface ProfileNotices {
  list(): ProfileNotice[]
  /** Looks at the config's problems again. */
  refresh(): void
  /** Remembers a disk error; anything else is not its business. */
  onError(error: unknown): void
  /** A part of the profile cannot be read: said for as long as this run lasts. */
  onDamage(error: HostError): void
  dispose(): void
}

interface ProfileNoticesOptions {
  readonly config: Pick<ServerConfig, 'problems'>
  readonly secretsInMemory: () => boolean
  readonly emit: Emit
  readonly clock: Clock
  /** How the month's budget stands; undefined: nothing is to be said. */
  readonly budget: () => BudgetUsage | undefined
  /** Throws while the disk cannot be written. */
  readonly tryWrite: () => void
}

export function createProfileNotices({ config, secretsInMemory, emit, clock, budget, tryWrite }: ProfileNoticesOptions): ProfileNotices {
  let disk: HostError | undefined
  let damaged: HostError | undefined
  let stopTimer: (() => void) | undefined
  let disposed = false

  function list(): ProfileNotice[] {
    const problems = config.problems()
    const notices: ProfileNotice[] = []
    if (problems.length > 0) notices.push({ kind: 'config', problems: [...problems] })
    if (disk) notices.push({ kind: 'error', error: disk.toValue() })
    if (damaged) notices.push({ kind: 'error', error: damaged.toValue() })
    const use = budget()
    if (use) notices.push({ kind: 'budget', ...use })
    if (secretsInMemory()) notices.push({ kind: 'secrets-in-memory' })
    return notices
  }

  let shown = JSON.stringify(list())
  function refresh(): void {
    const notices = list()
    const text = JSON.stringify(notices)
    if (disposed || text === shown) return
    shown = text
    emit('notices.changed', { notices })
  }

  function retry(): void {
    if (disposed) return
    try {
      tryWrite()
      disk = undefined
      refresh()
    } catch {
      // Still not writable: the notice stays, and it is tried again.
      stopTimer = clock.after(RETRY_MS, retry)
    }
  }

  return {
    list,
    refresh,
    onError(error) {
      if (!(error instanceof HostError) || !diskCodes.has(error.code)) return
      if (!disk) stopTimer = clock.after(RETRY_MS, retry)
      disk = error
      refresh()
    },
    onDamage(error) {
      damaged = error
      refresh()
    },
    dispose() {
      disposed = true
      stopTimer?.()
    },
  }
}
