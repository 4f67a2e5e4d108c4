// The host's end of the search thread: started at the first search, replaced when it fails or takes too long. A searcher's new search
// cancels its earlier one.

import type { Worker } from 'node:worker_threads'
import type { SearchFound } from '#app/chat/search/search-result.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { nextMessage, startWorker } from '#main/base/start-worker.ts'
import { createWorkQueue } from '#main/base/work-queue.ts'
import type { SearchParams } from './find-messages.ts'

export interface SearchThreadData {
  readonly path: string
  /** Searches up to this id are cancelled. */
  readonly dropped: Int32Array
}
export interface SearchTask {
  readonly id: number
  readonly params: SearchParams
}
export type SearchAnswer =
  | { readonly id: number; readonly kind: 'found'; readonly found: SearchFound }
  | { readonly id: number; readonly kind: 'dropped' }
  | { readonly id: number; readonly kind: 'failed'; readonly reason: string }

const LIMIT_MS = 10_000

export function createSearchThread(path: string) {
  let worker: { readonly thread: Worker; readonly dropped: Int32Array } | undefined
  let lastId = 0
  let running: number | undefined
  let closed = false
  /** Id of each searcher's latest search. */
  const latest = new Map<string, number>()
  const inTurn = createWorkQueue()

  function start(): NonNullable<typeof worker> {
    const workerData: SearchThreadData = { path, dropped: new Int32Array(new SharedArrayBuffer(4)) }
    const thread = startWorker(import.meta.dirname, 'search-worker', { workerData })
    thread.unref()
    thread.on('error', () => undefined) // Whoever waits for its answer is told that it ended.
    thread.on('exit', () => {
      if (worker?.thread === thread) worker = undefined
    })
    return { thread, dropped: workerData.dropped }
  }

  function discard(): void {
    worker?.thread.terminate().catch(() => undefined) // It has ended already.
    worker = undefined
  }

  async function run(searcher: string, { id, params }: SearchTask): Promise<SearchFound> {
    if (closed || latest.get(searcher) !== id) throw dropped()
    worker ??= start()
    running = id
    const answer = nextMessage<SearchAnswer>(worker.thread, (message) => (message as SearchAnswer).id === id, LIMIT_MS)
    worker.thread.postMessage({ id, params } satisfies SearchTask)
    const said = await answer
    running = undefined
    if (said?.kind === 'found') return said.found
    if (said?.kind === 'dropped' || closed) throw dropped()
    if (!said) discard()
    const cause = new Error(said?.reason ?? 'the thread ended')
    throw new HostError('internal', t`The search failed: ${cause.message}`, { cause })
  }

  return {
    /** @throws {HostError} `cancelled` once the same searcher asks again; `internal` when the search fails. */
    find(searcher: string, params: SearchParams): Promise<SearchFound> {
      if (worker && running !== undefined && latest.get(searcher) === running) Atomics.store(worker.dropped, 0, running)
      lastId += 1
      const id = lastId
      latest.set(searcher, id)
      return inTurn(() => run(searcher, { id, params })).finally(() => latest.get(searcher) === id && latest.delete(searcher))
    },
    close(): void {
      closed = true
      discard()
    },
  }
}

const dropped = (): HostError => new HostError('cancelled', t`It was cancelled.`)
