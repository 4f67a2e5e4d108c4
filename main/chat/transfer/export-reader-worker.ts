// Worker that reads a file of conversations outside of the host's event loop, one task after the other.
import { parentPort, workerData } from 'node:worker_threads'
import { toErrorValue } from '#app/errors.ts'
import { restoreLocale } from '#app/i18n/locale-snapshot.ts'
import { createFileReader } from './read-export-file.ts'
import type { ReaderAnswer, ReaderTask, ReaderThreadData } from './reader-thread.ts'

const { words, ...options } = workerData as ReaderThreadData
restoreLocale(words)
const reader = createFileReader(options)

async function answer({ ask, bytes }: ReaderTask): Promise<ReaderAnswer> {
  try {
    return { value: ask === 'push' ? await reader.push(bytes ?? new Uint8Array()) : await reader[ask]() }
  } catch (error) {
    return { error: toErrorValue(error) }
  }
}

parentPort?.on('message', (task: ReaderTask) => void answer(task).then((told) => parentPort?.postMessage(told)))
