import { mkdirSync } from 'node:fs'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'

/** Throws `profile.unwritable`. */
export function prepareFolder(dataDir: string): void {
  try {
    // Only what Assent makes is closed to others: a folder that was there before keeps the rights that somebody gave it.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new HostError('profile.unwritable', t`The data folder ${dataDir} cannot be made or written.`, { data: { path: dataDir }, cause })
  }
}
