import { parentPort, workerData } from 'node:worker_threads'
import { toErrorValue } from '#app/errors.ts'
import { speakAs } from '#app/words/carried.ts'
import type { BackupAnswer, BackupResults, BackupTask } from './backup.ts'
import { checkBackup, stageBackup, writeBackup } from './copy.ts'
import { measureProfile } from './measure.ts'
import { readWhole } from './read-whole.ts'

const { kind, database, path, received, bring, stopped, words } = workerData as BackupTask
speakAs(words)
const tell = (answer: BackupAnswer): void => parentPort?.postMessage(answer)

const isWanted = (): boolean => Atomics.load(stopped, 0) === 0

async function run(): Promise<BackupResults[keyof BackupResults]> {
  switch (kind) {
    case 'write':
      return await writeBackup(database, path, {
        onStep: (step) => tell({ kind: 'step', step }),
        isWanted,
      })
    case 'check':
      return checkBackup(path, received)
    case 'stage':
      return stageBackup(path, database, received === undefined ? { bring } : { called: received, isOurs: true, bring })
    case 'read':
      return readWhole(database, isWanted)
    case 'measure':
      return measureProfile(database)
  }
}

await run().then(
  (result) => tell({ kind: 'done', result }),
  (error: unknown) => tell({ kind: 'failed', error: toErrorValue(error) }),
)
