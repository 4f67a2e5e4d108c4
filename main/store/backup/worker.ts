import { parentPort, workerData } from 'node:worker_threads'
import { toErrorValue } from '#app/errors.ts'
import type { BackupAnswer, BackupTask } from './backup.ts'
import { type BackupFacts, checkBackup, stageBackup, writeBackup } from './copy.ts'

const { kind, database, path, stopped } = workerData as BackupTask
const tell = (answer: BackupAnswer): void => parentPort?.postMessage(answer)

async function run(): Promise<BackupFacts> {
  switch (kind) {
    case 'write':
      return await writeBackup(database, path, {
        onStep: (step) => tell({ kind: 'step', step }),
        isWanted: () => Atomics.load(stopped, 0) === 0,
      })
    case 'check':
      return checkBackup(path)
    case 'stage':
      return stageBackup(path, database)
  }
}

await run().then(
  (facts) => tell({ kind: 'done', facts }),
  (error: unknown) => tell({ kind: 'failed', error: toErrorValue(error) }),
)
