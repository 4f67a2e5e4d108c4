import { statSync } from 'node:fs'

/** It is there, and a folder, as far as this person can see. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false // Gone, or not for this person.
  }
}
