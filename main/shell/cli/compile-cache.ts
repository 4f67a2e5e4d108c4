// V8's compile cache. Whoever can write to it decides what runs as us, so it is beside the code, in a folder that only we can write; else
// there is none. See docs/decisions/0021-compiled-code-beside-the-code.md.
import { lstatSync, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'

/** Enables the cache of the bundle dist/main/cli.js; unbuilt sources have none. */
export function cacheCompiledCode(program: string = import.meta.filename): void {
  if (!program.endsWith('.js')) return
  const folder = join(resolve(program, '../..'), '.cache')
  if (isOursAlone(folder)) enableCompileCache(folder)
}

/** Makes the folder, and checks that only we can write to it. On Windows it inherits its permissions. */
export function isOursAlone(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // An installation that may not be written to has no cache.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
  }
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && (process.platform === 'win32' || (stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0))
}
