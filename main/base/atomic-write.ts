// Replaces a file whole or not at all: written beside, flushed, renamed, and the folder flushed. A link is followed, so that a
// config kept elsewhere stays there.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'

const codes: Readonly<Record<string, HostErrorCode>> = { ENOSPC: 'disk.full', EDQUOT: 'disk.full' }

/** Writes a file, a new one for its owner only. @throws {HostError} `disk.full` or `profile.unwritable`; the file is then as it was */
export const writeFileAtomically = (path: string, text: string): void => write(path, text, renameSoon)

/** Writes a new file. False: there is one, which is left as it is. @throws {HostError} `disk.full` or `profile.unwritable` */
export function createFileAtomically(path: string, text: string): boolean {
  let isNew = true
  write(path, text, (temporary, target) => {
    isNew = putNew(temporary, target)
  })
  return isNew
}

/** Replaces a file that has the text `before`. False: it has another, and is left as it is. @throws {HostError} as above */
export function replaceFileAtomically(path: string, before: string, text: string): boolean {
  let isSame = true
  write(path, text, (temporary, target) => {
    isSame = orElse(() => readFileSync(target, 'utf8'), undefined) === before
    if (isSame) renameSoon(temporary, target)
    else rmSync(temporary, { force: true })
  })
  return isSame
}

/** Links the file under its name, which fails in one step where a file exists. A disk without hard links is checked before. */
function putNew(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(target)) return false
    renameSoon(temporary, target)
  } finally {
    rmSync(temporary, { force: true })
  }
  return true
}

/** Milliseconds between the attempts of a rename: 1.5 s in all. */
const renameWaits = [10, 20, 40, 80, 150, 300, 900]
const nothing = new Int32Array(new SharedArrayBuffer(4))

/**
 * Renames. On Windows it tries again for a while: what looks into new files there (antivirus, indexer, OneDrive) keeps them from being
 * renamed. `rename` is replaced in tests.
 */
export function renameSoon(from: string, to: string, rename = renameSync, platform: NodeJS.Platform = process.platform): void {
  for (const ms of platform === 'win32' ? renameWaits : []) {
    try {
      rename(from, to)
      return
    } catch (error) {
      if (!isHeld(error)) throw error
      Atomics.wait(nothing, 0, 0, ms)
    }
  }
  rename(from, to)
}

/** Renames a folder that was just written, as `renameSoon`, without holding up the host: a scanner may take seconds for many files. */
export async function renameFolder(from: string, to: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  for (const ms of platform === 'win32' ? [...renameWaits, 1500, 2500] : []) {
    try {
      renameSync(from, to)
      return
    } catch (error) {
      if (!isHeld(error)) throw error
      await wait(ms)
    }
  }
  renameSync(from, to)
}
const isHeld = (error: unknown): boolean => /^(EPERM|EACCES|EBUSY)$/.test((error as NodeJS.ErrnoException).code ?? '')

function write(path: string, text: string, put: (temporary: string, target: string) => void): void {
  let temporary: string | undefined
  try {
    mkdirSync(dirname(path), { recursive: true })
    const target = orElse(() => realpathSync(path), path)
    const mode = (statSync(target, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777
    temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`)
    writeNewFile(temporary, text, mode)
    put(temporary, target)
    temporary = undefined
    flushFolder(dirname(target))
  } catch (cause) {
    if (temporary) rmSync(temporary, { force: true })
    const code = codes[(cause as NodeJS.ErrnoException).code ?? ''] ?? 'profile.unwritable'
    const why = code === 'disk.full' ? t`the disk is full` : ((cause as NodeJS.ErrnoException).code ?? t`the system refused`)
    throw new HostError(code, t`${path} was not written: ${why}. The file is as it was.`, { data: { path }, cause })
  }
}

function writeNewFile(path: string, text: string, mode: number): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fchmodSync(file, mode)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Flushes the entries of a folder to the disk, so that a rename outlives a loss of power. Windows knows no such thing. */
function flushFolder(path: string): void {
  if (process.platform !== 'win32') flush(path, 'r')
}

export function flush(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags)
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
