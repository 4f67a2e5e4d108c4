import { mkdirSync } from 'node:fs'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { BackupStore } from '#main/store/backup/backup.ts'
import type { SettingsStore } from '#main/store/store-api.ts'

/** @throws {HostError} `profile.unwritable` when the folder cannot be made. */
export function prepareFolder(dataDir: string): void {
  try {
    // A folder that exists keeps its permissions.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new HostError('profile.unwritable', t`The data folder ${dataDir} cannot be made or written.`, { data: { path: dataDir }, cause })
  }
}

interface ProfileCheckOptions {
  readonly store: { readonly settings: Pick<SettingsStore, 'fact' | 'setFact'>; readonly backup: Pick<BackupStore, 'readWhole'> }
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
  /** Called with `profile.corrupt`. */
  readonly onDamage: (error: HostError) => void
}

const fact = 'profile-read'
const everyMs = 7 * 24 * 60 * 60_000
const afterMs = 60_000

/** Reads the whole profile once a week, so that damage is noticed while there are backups from before it. Returns its undo. */
export function checkProfile({ store, clock, log, onDamage }: ProfileCheckOptions): () => void {
  const last = store.settings.fact(fact)
  if (typeof last === 'number' && clock.now() - last < everyMs && last <= clock.now()) return () => {}
  return clock.after(afterMs, () => {
    store.backup
      .readWhole()
      .then(() => store.settings.setFact(fact, clock.now()))
      .catch((error: unknown) => {
        if (error instanceof HostError && error.code === 'cancelled') return
        log.error('The profile could not be read through', error)
        if (error instanceof HostError && error.code === 'profile.corrupt') onDamage(error)
      })
  })
}
