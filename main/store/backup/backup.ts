// Backups of the profile's database. Each task runs in a thread of its own. Backups hold no secrets, since the database has none.
import { dirname } from 'node:path'
import type { BackupSource, DiskUsage, PermissionKind } from '#app/contract/transfer-requests.ts'
import { type ErrorValue, HostError } from '#app/errors.ts'
import { type LocaleSnapshot, localeSnapshot } from '#app/i18n/locale-snapshot.ts'
import { t } from '#app/i18n/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import { startWorker } from '#main/base/start-worker.ts'
import type { SignedState } from '../signed-state.ts'
import { brings } from './backup-permissions.ts'
import { type BackupFacts, type BackupStep, type CheckedBackup, gone, isBackupStaged, unstageBackup } from './copy.ts'
import { createBackupDownloads, type FoundBackup, findBackups } from './download.ts'
import { backupFolder, removePart, stagedPath } from './unfinished-backups.ts'
import { createBackupUploads } from './upload.ts'

export interface BackupResults {
  readonly write: BackupFacts
  readonly check: CheckedBackup
  readonly stage: BackupFacts
  readonly read: number
  readonly measure: DiskUsage
}

export interface BackupTask {
  readonly kind: keyof BackupResults
  readonly database: string
  readonly path: string
  /** Name of an uploaded backup for the person. Such a file is moved rather than copied. */
  readonly received?: string | undefined
  /** Digest of the file that is expected. */
  readonly digest?: string | undefined
  /** Not 0: the result is not wanted any more. */
  readonly stopped: Int32Array
  readonly words: LocaleSnapshot
}
export type BackupAnswer =
  | { readonly kind: 'step'; readonly step: BackupStep }
  | { readonly kind: 'done'; readonly result: BackupResults[keyof BackupResults] }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

interface WriteBackupOptions {
  readonly onStep?: (step: BackupStep) => void
  readonly signal?: AbortSignal
}

export type BackupStore = ReturnType<typeof createBackupStore>['store']

/** `close` stops what is being written. */
export function createBackupStore(database: string, clock: Clock, signed: Pick<SignedState, 'sealBrought'>) {
  const received = createBackupUploads({ folder: backupFolder(dirname(database)), clock })
  const running = new Set<() => void>()
  const run = <K extends keyof BackupResults>(
    kind: K,
    path: string,
    { onStep, signal, called, digest }: WriteBackupOptions & { called?: string; digest?: string | undefined } = {},
  ): Promise<BackupResults[K]> =>
    new Promise((resolve, reject) => {
      const stopped = new Int32Array(new SharedArrayBuffer(4))
      const workerData: BackupTask = { kind, database, path, received: called, digest, stopped, words: localeSnapshot() }
      const thread = startWorker(import.meta.dirname, 'backup-worker', { workerData })
      // The thread looks between two steps, and removes what it wrote.
      const stop = (): void => void Atomics.store(stopped, 0, 1)
      running.add(stop)
      if (signal?.aborted) stop()
      signal?.addEventListener('abort', stop)
      thread.on('message', (answer: BackupAnswer) => {
        if (answer.kind === 'step') onStep?.(answer.step)
        // The thread answers with the result of its one task.
        else if (answer.kind === 'done') resolve(answer.result as BackupResults[K])
        else reject(new HostError(answer.error.code, answer.error.message, { data: answer.error.data ?? {} }))
      })
      thread.once('error', reject)
      thread.once('exit', () => {
        running.delete(stop)
        signal?.removeEventListener('abort', stop)
        reject(new HostError('internal', t`It was cancelled.`))
      })
    })
  async function runOn<K extends 'check' | 'stage'>(kind: K, source: BackupSource, digest?: string): Promise<BackupResults[K]> {
    if ('path' in source) return run(kind, source.path, { digest })
    const { path, called } = received.find(source.upload)
    return run(kind, path, { called, digest }).catch(async (error: unknown) => {
      await received.forget(source.upload)
      throw error
    })
  }
  return {
    store: {
      /** Writes a new file. @throws {HostError} `disk.full`, `profile.unwritable` or `cancelled`; nothing of it is left then. */
      write: (path: string, options?: WriteBackupOptions): Promise<BackupFacts> => run('write', path, options),
      /** @throws {HostError} `backup.unreadable`, `backup.foreign`, `backup.gone`, `profile.newer` or `folder.not-found`. */
      check: (source: BackupSource): Promise<CheckedBackup> => runOn('check', source),
      /**
       * Reads the whole profile. Resolves with the number of rows.
       * @throws {HostError} `profile.corrupt`; `cancelled` when the store is closed.
       */
      readWhole: (): Promise<number> => run('read', database),
      measure: (): Promise<DiskUsage> => run('measure', database),
      /**
       * Stages a checked copy, which takes the profile's place at the next start; the present profile is kept aside.
       * @throws {HostError} `backup.gone` for a file of another digest than `digest`
       */
      async stage(source: BackupSource, bring?: readonly PermissionKind[], digest?: string): Promise<BackupFacts> {
        const facts = await runOn('stage', source, digest)
        if (bring?.length) brings(stagedPath(database), bring, signed)
        if ('upload' in source) await received.forget(source.upload)
        return facts
      },
      uploads: received,
      downloads: createBackupDownloads(database, clock),
      isStaged: () => isBackupStaged(database),
      unstage: () => unstageBackup(database),
      list: (): FoundBackup[] => findBackups(database),
      /** Removes a backup of the list. @throws {HostError} `backup.gone` when it is not in the list. */
      remove(path: string): void {
        if (!findBackups(database).some((found) => found.path === path)) throw gone()
        removePart(path)
      },
    },
    close() {
      for (const stop of running) stop()
      received.close()
    },
  }
}
