import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** A worker's program: beside its owner when that runs from source; beside the bundle, or a folder above its chunks, when built. */
export function workerFile(here: string, built: string): string {
  const places = ['worker.ts', built, `../${built}`].map((name) => join(here, name))
  const found = places.find((path) => existsSync(path))
  if (!found) throw new Error(`The program ${built} is missing beside ${here}`)
  return found
}
