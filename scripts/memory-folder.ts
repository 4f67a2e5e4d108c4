// A folder in memory for the profiles of tests: each is a database that waits for the disk at every commit, which took more of their time
// than their work. A killed process loses nothing there either; only a machine without power would.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Variables that name the folder of temporary files by its real path, a short one: that of macOS is a link, and too long for sockets (104
 * bytes); that of Windows may be in 8.3 names. What is compared with a path would differ.
 */
export function realTemporary(
  platform: NodeJS.Platform = process.platform,
  given = tmpdir(),
  realpath: (path: string) => string = realpathSync.native,
): Record<string, string> {
  if (platform === 'linux') return {}
  const folder = realpath(platform === 'darwin' && !given.startsWith('/private/') ? '/tmp' : given)
  return { TMPDIR: folder, TEMP: folder, TMP: folder }
}

/** Free memory that the tests may need, in bytes. */
const needed = 3 * 2 ** 30

/**
 * Makes a folder in a file system in memory; removed as the process ends. Undefined: this system has none, or it is too small or runs no
 * programs (containers often mount one of 64 MB, `noexec`).
 */
export function makeMemoryFolder(under = '/dev/shm'): string | undefined {
  let folder: string | undefined
  try {
    const { bavail, bsize } = statfsSync(under)
    if (bavail * bsize < needed) return undefined
    folder = mkdtempSync(join(under, 'at-'))
    const program = join(folder, 'runs')
    writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    if (spawnSync(program).status === 0) {
      const made = folder
      process.once('exit', () => rmSync(made, { recursive: true, force: true }))
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
      return folder
    }
  } catch {
    // There is no such file system, or it refuses us: the disk does.
  }
  if (folder) rmSync(folder, { recursive: true, force: true })
  return undefined
}
