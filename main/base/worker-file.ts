import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the path of a worker's program by its name, without an ending: beside its owner when that runs from source; beside
 * the bundle, or a folder above its chunks, when built.
 * @throws Error when it is not there.
 */
export function workerFile(here: string, name: string): string {
  const places = [`${name}.ts`, `${name}.js`, `../${name}.js`].map((file) => join(here, file))
  const found = places.find((path) => existsSync(path))
  if (!found) throw new Error(`The program ${name} is missing beside ${here}`)
  return found
}
