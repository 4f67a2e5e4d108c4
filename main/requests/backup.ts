import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { backupPath } from '#app/contract/csp.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { BackupStep } from '#main/store/backup/copy.ts'
import { backupFolder } from '#main/store/backup/places.ts'
import type { HandlersOf, HostParts } from './handlers.ts'

interface Running {
  readonly abort: AbortController
  step: BackupStep
}

export function backupRequests({ store, clock, snapshot }: HostParts): HandlersOf<'backup'> {
  const running = new Map<string, Running>()

  return {
    async 'backup.write'({ run, folder }) {
      const into = folder ?? backupFolder(snapshot().dataDir)
      try {
        await mkdir(into, { recursive: true, mode: 0o700 })
      } catch (cause) {
        throw new HostError('folder.not-found', t`The folder ${into} cannot be used.`, { data: { path: into }, cause })
      }
      const path = join(into, `assent-${new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '')}.db`)
      const one: Running = { abort: new AbortController(), step: { kind: 'copying', share: 0 } }
      running.set(run, one)
      try {
        const facts = await store.backup.write(path, {
          signal: one.abort.signal,
          onStep: (step) => {
            one.step = step
          },
        })
        return { path, ...facts }
      } finally {
        running.delete(run)
      }
    },
    'backup.progress': ({ run }) => running.get(run)?.step ?? { kind: 'none' },
    'backup.cancel'({ run }) {
      running.get(run)?.abort.abort()
      return {}
    },
    'backup.list': () => ({ backups: store.backup.list(), staged: store.backup.isStaged() }),
    async 'backup.receive'({ base64, ...part }) {
      await store.backup.received.part({ ...part, bytes: Buffer.from(base64, 'base64') })
      return {}
    },
    async 'backup.forget'({ upload }) {
      await store.backup.received.forget(upload)
      return {}
    },
    'backup.offer': ({ path }) => ({ href: backupPath(store.backup.given.offer(path)) }),
    'backup.remove'({ path }) {
      store.backup.remove(path)
      return {}
    },
    'backup.diskUse': () => store.backup.measure(),
    'backup.check': (source) => store.backup.check(source),
    'backup.restore': ({ source, bring }) => store.backup.stage(source, bring),
    'backup.unstage'() {
      store.backup.unstage()
      return {}
    },
  }
}
