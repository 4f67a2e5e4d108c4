import { existsSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a worker's program by its name, without an ending: beside its owner when that runs from source; beside the bundle, or a folder
 * above its chunks, when built. Its environment holds nothing but the place of the compile cache of this process, if there is one: a
 * thread does not use that by itself. `options.env` replaces it.
 * @throws {Error} when the program is not there.
 */
export function startWorker(here: string, name: string, options: WorkerOptions = {}): Worker {
  const places = [`${name}.ts`, `${name}.js`, `../${name}.js`].map((file) => join(here, file))
  const program = places.find((path) => existsSync(path))
  if (!program) throw new Error(`The program ${name} is missing beside ${here}`)
  // Node adds the folder of its version to the one that it is given.
  const compiled = getCompileCacheDir()
  return new Worker(program, { stdin: false, env: compiled ? { NODE_COMPILE_CACHE: dirname(compiled) } : {}, ...options })
}

/** Resolves with the next message that is `wanted`; undefined when the thread ends first, or after `ms` milliseconds. */
export function nextMessage<T>(thread: Worker, wanted: (message: unknown) => boolean, ms: number): Promise<T | undefined> {
  return new Promise((resolve) => {
    const settle = (message: T | undefined): void => {
      clearTimeout(timer)
      thread.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
      resolve(message)
    }
    const onMessage = (message: unknown): void => {
      if (wanted(message)) settle(message as T)
    }
    const onEnd = (): void => settle(undefined)
    const timer = setTimeout(onEnd, ms)
    thread.on('message', onMessage).on('error', onEnd).on('exit', onEnd)
  })
}
