import { parentPort, workerData } from 'node:worker_threads'
import { toErrorValue } from '#app/errors.ts'
import type { BackupAnswer, BackupTask } from './backup.ts'
import { checkBackup, stageBackup, writeBackup } from './copy.ts'

function run(task: BackupTask): BackupAnswer {
  try {
    switch (task.kind) {
      case 'write':
        return { facts: writeBackup(task.database, task.path) }
      case 'check':
        return { facts: checkBackup(task.path) }
      case 'stage':
        return { facts: stageBackup(task.path, task.database) }
    }
  } catch (error) {
    return { error: toErrorValue(error) }
  }
}

parentPort?.postMessage(run(workerData as BackupTask))
