import { statSync } from 'node:fs'

/** Whether a path is a folder that this process can read. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false // Missing, or not permitted.
  }
}
