// The host's end of the search thread: started at the first search, replaced when it fails or takes too long. A searcher's new search
// cancels its earlier one.
import type { Worker } from 'node:worker_threads'
import type { SearchFound } from '#app/chat/search/search-result.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { startWorker } from '#main/base/start-worker.ts'
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
  | { readonly id: number; readonly kind: 'found'; readonly found: Omit<SearchFound, 'indexed'> }
  | { readonly id: number; readonly kind: 'dropped' }
  | { readonly id: number; readonly kind: 'failed'; readonly reason: string }

interface Waiting extends SearchTask {
  readonly searcher: string
  resolve(found: Omit<SearchFound, 'indexed'>): void
  reject(error: unknown): void
}

const LIMIT_MS = 10_000

export function createSearchThread(path: string) {
  let worker: { readonly thread: Worker; readonly dropped: Int32Array } | undefined
  let lastId = 0
  let running: Waiting | undefined
  let queue: Waiting[] = []
  let timer: NodeJS.Timeout | undefined

  function start(): NonNullable<typeof worker> {
    const dropped = new Int32Array(new SharedArrayBuffer(4))
    const workerData: SearchThreadData = { path, dropped }
    const thread = startWorker(import.meta.dirname, 'search-worker', { workerData })
    thread.unref()
    const started = { thread, dropped }
    thread.on('message', (answer: SearchAnswer) => settle(answer))
    thread.on('error', (error) => lost(started, error))
    thread.on('exit', () => lost(started, new Error('the thread ended')))
    return started
  }

  function settle(answer: SearchAnswer): void {
    if (!running || answer.id !== running.id) return
    const { resolve, reject } = running
    finish()
    if (answer.kind === 'found') resolve(answer.found)
    else reject(answer.kind === 'dropped' ? dropped() : failed(answer.reason))
    next()
  }

  function lost(which: NonNullable<typeof worker>, cause: unknown): void {
    if (worker !== which) return
    worker = undefined
    const one = running
    finish()
    one?.reject(failed(cause instanceof Error ? cause.message : String(cause)))
    next()
  }

  function finish(): void {
    clearTimeout(timer)
    running = undefined
  }

  function next(): void {
    if (running) return
    running = queue.shift()
    if (!running) return
    worker ??= start()
    const { thread } = worker
    const { id, params } = running
    timer = setTimeout(() => end(thread), LIMIT_MS)
    timer.unref()
    thread.postMessage({ id, params } satisfies SearchTask)
  }

  return {
    /** @throws {HostError} `cancelled` once the same searcher asks again; `internal` when the search fails. */
    find(searcher: string, params: SearchParams): Promise<Omit<SearchFound, 'indexed'>> {
      for (const one of queue) if (one.searcher === searcher) one.reject(dropped())
      queue = queue.filter((one) => one.searcher !== searcher)
      if (running?.searcher === searcher && worker) Atomics.store(worker.dropped, 0, running.id)
      lastId += 1
      const id = lastId
      return new Promise((resolve, reject) => {
        queue.push({ id, searcher, params, resolve, reject })
        next()
      })
    },
    close(): void {
      const thread = worker?.thread
      worker = undefined
      for (const one of [...(running ? [running] : []), ...queue]) one.reject(dropped())
      finish()
      queue = []
      if (thread) end(thread)
    },
  }
}

const end = (thread: Worker): void => void thread.terminate().catch(() => undefined) // It has ended already.

const dropped = (): HostError => new HostError('cancelled', t`Something else is looked for now.`)
const failed = (reason: string): HostError => new HostError('internal', t`The search failed: ${reason}`)
