import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { HandlersOf, HostParts } from './handlers.ts'

export function backupRequests({ store, clock, snapshot }: HostParts): HandlersOf<'backup'> {
  /** Of the backup that is being written. */
  let part: string | undefined

  return {
    async 'backup.write'({ folder }) {
      const into = folder ?? join(snapshot().dataDir, 'backups')
      try {
        await mkdir(into, { recursive: true, mode: 0o700 })
      } catch (cause) {
        throw new HostError('folder.not-found', t`The folder ${into} cannot be used.`, { data: { path: into }, cause })
      }
      const path = join(into, `assent-${new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '')}.db`)
      part = `${path}.part`
      try {
        return { path, ...(await store.backup.write(path)) }
      } finally {
        part = undefined
      }
    },
    async 'backup.progress'() {
      return {
        bytes:
          part === undefined
            ? 0
            : await stat(part).then(
                ({ size }) => size,
                () => 0,
              ),
      }
    },
    'backup.check': ({ path }) => store.backup.check(path),
    'backup.restore': ({ path }) => store.backup.stage(path),
  }
}
