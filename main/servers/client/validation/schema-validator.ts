// Main thread's end of schema validation: one worker, started at the first need, replaced when a check takes too long.

import type { Worker } from 'node:worker_threads'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'
import { nextMessage, startWorker } from '#main/base/start-worker.ts'
import { createWorkQueue } from '#main/base/work-queue.ts'

export interface CheckRequest {
  readonly schema: JsonObject
  /** A value, or its JSON text, which is parsed where it is checked. */
  readonly value: Json | Uint8Array
}

/** `place`: a JSON pointer into the value. `unchecked`: the schema cannot be used, which says nothing about the value. */
export type CheckResult =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly place: string; readonly reason: string }
  | { readonly kind: 'unchecked'; readonly reason: string }

export type SchemaChecker = ReturnType<typeof createSchemaChecker>

/** The thread may take this long to start on a busy machine. */
const startMs = 15_000
/** A large text has that much longer: to parse and check it takes a tenth of a second a megabyte on a quiet machine. */
const bytesPerMs = 2000

export function createSchemaChecker(options: { readonly limitMs: number }) {
  let worker: Worker | undefined
  let nextId = 0
  /** One check runs at a time, so that the limit is that check's own. */
  const inTurn = createWorkQueue()

  function discard(thread: Worker): void {
    if (worker === thread) worker = undefined
    thread.terminate().catch(() => undefined) // It has ended already.
  }

  async function readyWorker(): Promise<Worker | undefined> {
    if (worker) return worker
    const thread = startWorker(import.meta.dirname, 'schema-worker', { resourceLimits: { maxOldGenerationSizeMb: 256 } })
    thread.unref()
    worker = thread
    if ((await nextMessage(thread, () => true, startMs)) !== undefined) return thread
    discard(thread)
    return undefined
  }

  async function run(request: CheckRequest): Promise<CheckResult> {
    const thread = await readyWorker()
    if (!thread) return { kind: 'unchecked', reason: t`the check took too long` }
    const limitMs = options.limitMs + (request.value instanceof Uint8Array ? Math.ceil(request.value.length / bytesPerMs) : 0)
    nextId += 1
    const id = nextId
    thread.postMessage({ id, ...request })
    const answer = await nextMessage<{ readonly result: CheckResult }>(thread, (message) => (message as { id?: number }).id === id, limitMs)
    if (answer) return answer.result
    discard(thread)
    return { kind: 'unchecked', reason: t`the check took too long` }
  }

  return {
    check: (request: CheckRequest): Promise<CheckResult> => inTurn(() => run(request)),
    async dispose(): Promise<void> {
      const thread = worker
      worker = undefined
      await thread?.terminate()
    },
  }
}
