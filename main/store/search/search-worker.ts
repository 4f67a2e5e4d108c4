// The search thread, with a read-only connection of its own. The host says in shared memory which searches are cancelled.
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '../database/database.ts'
import { find } from './find-messages.ts'
import type { SearchAnswer, SearchTask, SearchThreadData } from './search-thread.ts'

const { path, dropped } = workerData as SearchThreadData
const database = openDatabase(path, { readOnly: true })
// 32 MB of cache: with SQLite's 2 MB, a phrase of common words takes twice as long, two common words five times.
database.exec('PRAGMA cache_size = -32000')

parentPort?.on('message', ({ id, params }: SearchTask) => {
  const isWanted = (): boolean => Atomics.load(dropped, 0) < id
  let answer: SearchAnswer
  try {
    const found = isWanted() ? find(database, params, isWanted) : undefined
    answer = found ? { id, kind: 'found', found } : { id, kind: 'dropped' }
  } catch (error) {
    answer = { id, kind: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
  parentPort?.postMessage(answer)
})
