// The host's end of the thread that reads a file of conversations. One task at a time; the thread ends with the import.
import { type ErrorValue, HostError } from '#app/errors.ts'
import { type LocaleSnapshot, localeSnapshot } from '#app/i18n/locale-snapshot.ts'
import { t } from '#app/i18n/translate.ts'
import { startWorker } from '#main/base/start-worker.ts'
import type { FileReader, ReadOptions } from './read-export-file.ts'

export interface ReaderThreadData extends ReadOptions {
  readonly words: LocaleSnapshot
}
export interface ReaderTask {
  readonly ask: 'push' | 'end' | 'next' | 'messages' | 'isCut'
  readonly bytes?: Uint8Array
}
export type ReaderAnswer = { readonly value: unknown } | { readonly error: ErrorValue }

export function createReaderThread(options: ReadOptions): FileReader {
  const workerData: ReaderThreadData = { ...options, words: localeSnapshot() }
  const thread = startWorker(import.meta.dirname, 'export-reader-worker', { workerData })
  let waiting: { resolve(value: unknown): void; reject(error: unknown): void } | undefined
  let lost: Error | undefined
  thread.unref()

  const lose = (cause: unknown): void => {
    lost ??=
      cause instanceof HostError ? cause : new HostError('internal', t`There is no chat in this file that Assent can read.`, { cause })
    waiting?.reject(lost)
    waiting = undefined
  }
  thread.on('message', (answer: ReaderAnswer) => {
    const one = waiting
    waiting = undefined
    if ('error' in answer) one?.reject(new HostError(answer.error.code, answer.error.message, { data: answer.error.data ?? {} }))
    else one?.resolve(answer.value)
  })
  thread.on('error', lose)
  thread.on('exit', () => lose(undefined))

  const ask = <T>(task: ReaderTask): Promise<T> =>
    new Promise((resolve, reject) => {
      if (lost) return reject(lost)
      waiting = { resolve: resolve as (value: unknown) => void, reject }
      thread.postMessage(task)
    })

  return {
    push: (bytes) => ask({ ask: 'push', bytes }),
    end: () => ask({ ask: 'end' }),
    next: () => ask({ ask: 'next' }),
    messages: () => ask({ ask: 'messages' }),
    isCut: () => ask({ ask: 'isCut' }),
    close() {
      lose(new HostError('cancelled', t`It was cancelled.`))
      thread.terminate().catch(() => {
        // It has ended already.
      })
    },
  }
}
