// What V8 made of our code at an earlier run is read rather than made again. Whoever can write to this cache decides what
// runs as us, so it lies beside the code itself, in a folder that is ours alone; where that cannot be had, there is none.
// docs/decisions/0021-compiled-code-beside-the-code.md
import { lstatSync, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'

/** Bundled as dist/main/cli.js; the sources that run unbuilt have none. */
export function cacheCompiledCode(program: string = import.meta.filename): void {
  if (!program.endsWith('.js')) return
  const folder = join(resolve(program, '../..'), '.cache')
  if (isOursAlone(folder)) enableCompileCache(folder)
}

/** Makes it where it is not there. On Windows a folder has the rights of the one that it lies in. */
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
