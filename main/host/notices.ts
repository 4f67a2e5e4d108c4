// Notices about the profile as a whole: config problems, a disk that cannot be written, secrets kept in memory only, a budget
// that is nearly used. After a disk error a write is tried every ten seconds; the notice goes when one succeeds.
import { HostError, type HostErrorCode } from '#app/errors.ts'
import type { BudgetUsage } from '#app/models/usage.ts'
import type { ProfileNotice, UpdateState } from '#app/profile-notice.ts'
import type { SignedReport } from '#app/signed-state.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { ServerConfig } from '../servers/config/config-file.ts'

const diskCodes: ReadonlySet<HostErrorCode> = new Set(['disk.full', 'profile.unwritable'])
const RETRY_MS = 10_000

interface ProfileNoticesOptions {
  readonly safe: boolean
  readonly config: Pick<ServerConfig, 'problems'>
  readonly secretsInMemory: () => boolean
  /** Returns the outcome of the check of signed permissions. */
  readonly signed: () => SignedReport | undefined
  readonly update: () => UpdateState | undefined
  readonly emit: Emit
  readonly clock: Clock
  /** Use of the month's budget; undefined: far from its limit. */
  readonly budget: () => BudgetUsage | undefined
  /** @throws {HostError} `disk.full` or `profile.unwritable` while the disk cannot be written */
  readonly tryWrite: () => void
}

export function createProfileNotices({
  safe,
  config,
  secretsInMemory,
  signed,
  update,
  emit,
  clock,
  budget,
  tryWrite,
}: ProfileNoticesOptions) {
  let disk: HostError | undefined
  let damaged: HostError | undefined
  let stopTimer: (() => void) | undefined
  let disposed = false

  function list(): ProfileNotice[] {
    const problems = config.problems()
    const notices: ProfileNotice[] = []
    if (safe) notices.push({ kind: 'safe-start' })
    if (problems.length > 0) notices.push({ kind: 'config', problems: [...problems] })
    if (disk) notices.push({ kind: 'error', error: disk.toValue() })
    if (damaged) notices.push({ kind: 'error', error: damaged.toValue() })
    const report = signed()
    if (report) notices.push({ kind: 'permissions', ...report })
    const use = budget()
    if (use) notices.push({ kind: 'budget', ...use })
    if (secretsInMemory()) notices.push({ kind: 'secrets-in-memory' })
    const state = update()
    if (state) notices.push({ kind: 'update', update: state })
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
      // Still not writable: the notice stays.
      stopTimer = clock.after(RETRY_MS, retry)
    }
  }

  return {
    list,
    refresh,
    /** Remembers a disk error, and ignores any other. */
    onError(error: unknown): void {
      if (!(error instanceof HostError) || !diskCodes.has(error.code)) return
      if (!disk) stopTimer = clock.after(RETRY_MS, retry)
      disk = error
      refresh()
    },
    /** Adds a notice for the rest of this run: a part of the profile cannot be read, or its folder is no safe place. */
    onDamage(error: HostError): void {
      damaged = error
      refresh()
    },
    dispose(): void {
      disposed = true
      stopTimer?.()
    },
  }
}
