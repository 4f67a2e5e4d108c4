import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { flushFolder, writeNewFile } from '#main/base/atomic-write.ts'

/** Replaces a file whole, or leaves it as it is: a temporary file beside it, flushed, then renamed. Only its owner reads it. */
export function writeFileWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    rmSync(temporary, { force: true })
    writeNewFile(temporary, text, 0o600)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  flushFolder(dirname(path))
}
