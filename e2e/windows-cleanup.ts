// Folders that tests remove on Windows: what read a program or a database that has just been closed, an antivirus say, holds it for a while, and
// the removal fails though every assertion held (career-ops-hq/career-ops pull request 3066). So each is tried again.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

type Remove = typeof fs.rmSync

/** Makes removals wait for up to ten seconds in all, each try 50 ms longer than the one before. */
export const withRetries =
  (remove: Remove): Remove =>
  (path, options) =>
    remove(path, { maxRetries: 20, retryDelay: 50, ...options })

if (process.platform === 'win32') {
  fs.rmSync = withRetries(fs.rmSync)
  syncBuiltinESMExports()
}
