// A file is replaced whole or not at all: written beside, flushed, renamed over, and the folder flushed. A link is
// followed, so that a config kept elsewhere stays where it is.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'

const codes: Readonly<Record<string, HostErrorCode>> = { ENOSPC: 'disk.full', EDQUOT: 'disk.full' }

/** Throws `disk.full` or `profile.unwritable`; the file is then as it was. New files are readable by their owner only. */
export const writeFileAtomically = (path: string, text: string): void => write(path, text, renameSync)

/** As `writeFileAtomically`, and never over a file that is there: false, and that is left as it is. */
export function createFileAtomically(path: string, text: string): boolean {
  let isNew = true
  write(path, text, (temporary, target) => {
    isNew = putNew(temporary, target)
  })
  return isNew
}

/** A second name fails where a file is, in one step. Where the disk knows no second names, it is looked at before. */
function putNew(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' && !existsSync(target)) {
      renameSync(temporary, target)
      return true
    }
    rmSync(temporary, { force: true })
    return false
  }
  rmSync(temporary, { force: true })
  return true
}

/** `put`: gives the whole file its name; nothing is left at its first one. */
function write(path: string, text: string, put: (temporary: string, target: string) => void): void {
  let temporary: string | undefined
  try {
    mkdirSync(dirname(path), { recursive: true })
    const target = resolveLink(path)
    const mode = (statSync(target, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777
    temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`)
    const file = openSync(temporary, 'wx', 0o600)
    try {
      const bytes = Buffer.from(text)
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
      fchmodSync(file, mode)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
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

function resolveLink(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Not there yet: it is made where its name says.
    return path
  }
}

function flushFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
