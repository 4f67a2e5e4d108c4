// Searches, away from the host's loop and through a connection of its own that cannot write. The host says in shared memory
// which search nobody waits for any more.
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '../database/database.ts'
import { find } from './find-messages.ts'
import type { SearchAnswer, SearchTask, SearchThreadData } from './search-thread.ts'

const { path, dropped } = workerData as SearchThreadData
const database = openDatabase(path, { readOnly: true })
// Of the index, in kilobytes. With SQLite's own 2 MB, a phrase of common words reads most of its pages from the file anew each time:
// it takes twice as long, two common words five times.
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
