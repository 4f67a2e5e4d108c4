// Backups of the profile's database, each step in a thread of its own: the host goes on meanwhile. Secrets are in none of
// them, for the database has none.
import { Worker } from 'node:worker_threads'
import { type ErrorValue, HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { workerFile } from '#main/base/worker-file.ts'
import type { BackupFacts } from './copy.ts'

export interface BackupTask {
  readonly kind: 'write' | 'check' | 'stage'
  readonly database: string
  readonly path: string
}
export type BackupAnswer = { readonly facts: BackupFacts } | { readonly error: ErrorValue }

export interface BackupStore {
  /** A file that is not there yet. Rejects with `disk.full` or `profile.unwritable`; nothing of it is left then. */
  write(path: string): Promise<BackupFacts>
  /** Rejects with `profile.corrupt`, `profile.newer` or `folder.not-found`. */
  check(path: string): Promise<BackupFacts>
  /** Lays a checked copy beside the profile, which takes its place at the next start; what is there now is kept aside. */
  stage(path: string): Promise<BackupFacts>
}

export function createBackupStore(database: string): BackupStore {
  const run = (kind: BackupTask['kind'], path: string): Promise<BackupFacts> =>
    new Promise((resolve, reject) => {
      const workerData: BackupTask = { kind, database, path }
      const thread = new Worker(workerFile(import.meta.dirname, 'backup-worker.js'), { workerData, stdin: false, env: {} })
      thread.once('message', (answer: BackupAnswer) => {
        if ('facts' in answer) resolve(answer.facts)
        else reject(new HostError(answer.error.code, answer.error.message, { data: answer.error.data ?? {} }))
      })
      thread.once('error', reject)
      thread.once('exit', () => reject(new HostError('internal', t`The backup ended before it was done.`)))
    })
  return {
    write: (path) => run('write', path),
    check: (path) => run('check', path),
    stage: (path) => run('stage', path),
  }
}
