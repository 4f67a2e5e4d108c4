// Reads a file of conversations away from the host's loop: one question after the other, as they come.
import { parentPort, workerData } from 'node:worker_threads'
import { toErrorValue } from '#app/errors.ts'
import { createFileReader, type ReadOptions } from './read-file.ts'
import type { ReaderAnswer, ReaderTask } from './reader-thread.ts'

const reader = createFileReader(workerData as ReadOptions)

async function answer({ ask, bytes }: ReaderTask): Promise<ReaderAnswer> {
  try {
    return { value: ask === 'push' ? await reader.push(bytes ?? new Uint8Array()) : await reader[ask]() }
  } catch (error) {
    return { error: toErrorValue(error) }
  }
}

parentPort?.on('message', (task: ReaderTask) => void answer(task).then((told) => parentPort?.postMessage(told)))
