// The host's end of the validation thread: one thread, started at the first need, replaced when a check takes too long.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Json, JsonObject } from '#app/json.ts'

export interface CheckRequest {
  readonly schema: JsonObject
  readonly value: Json
}

/** `place`: a JSON pointer into the value. `unchecked`: the schema cannot be used, which says nothing about the value. */
export type CheckResult =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly place: string; readonly reason: string }
  | { readonly kind: 'unchecked'; readonly reason: string }

export interface SchemaChecker {
  check(request: CheckRequest): Promise<CheckResult>
  dispose(): Promise<void>
}

/** Beside this file when it runs from source; beside the bundle, or a folder above its chunks, when built. */
function workerFile(): string {
  const here = import.meta.dirname
  const places = ['worker.ts', 'validation-worker.js', '../validation-worker.js'].map((name) => join(here, name))
  const found = places.find((path) => existsSync(path))
  if (!found) throw new Error(`The validation worker is missing beside ${here}`)
  return found
}

export function createSchemaChecker(options: { readonly limitMs: number }): SchemaChecker {
  let worker: Worker | undefined
  let nextId = 0
  /** One check runs at a time, so that the limit is that check's own. */
  let queue: Promise<unknown> = Promise.resolve()

  function run(request: CheckRequest): Promise<CheckResult> {
    worker ??= new Worker(workerFile(), { resourceLimits: { maxOldGenerationSizeMb: 256 }, stdin: false, env: {} })
    const thread = worker
    thread.unref()
    nextId += 1
    const id = nextId
    return new Promise((resolve) => {
      const settle = (result: CheckResult): void => {
        clearTimeout(timer)
        thread.off('message', onMessage)
        thread.off('error', onEnd)
        thread.off('exit', onEnd)
        resolve(result)
      }
      const discard = (reason: string): void => {
        if (worker === thread) worker = undefined
        settle({ kind: 'unchecked', reason })
        thread.terminate().catch(() => {
          // It has ended already.
        })
      }
      const onMessage = (message: { id: number; result: CheckResult }): void => {
        if (message.id === id) settle(message.result)
      }
      const onEnd = (): void => discard('the check failed')
      const timer = setTimeout(() => discard(`it took longer than ${options.limitMs} ms`), options.limitMs)
      thread.on('message', onMessage)
      thread.on('error', onEnd)
      thread.on('exit', onEnd)
      thread.postMessage({ id, ...request })
    })
  }

  return {
    check(request) {
      const result = queue.then(() => run(request))
      queue = result.catch(() => undefined)
      return result
    },
    async dispose() {
      const thread = worker
      worker = undefined
      await thread?.terminate()
    },
  }
}
