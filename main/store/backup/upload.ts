// Receives backups from pages, whose machine need not be the host's. They come in parts into the folder of backups, under a name that
// no list shows. A file that cannot be a backup is refused at its first part. Uploads are limited in size, number and time.

import { mkdirSync, statfsSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { formatBytes } from '#app/text/format-text.ts'
import type { Clock } from '#main/base/clock.ts'
import { newId } from '#main/base/ids.ts'
import { createWorkQueue } from '#main/base/work-queue.ts'
import { toStoreError } from '../database/sqlite-errors.ts'
import { gone, notWhole } from './copy.ts'
import { removePart } from './unfinished-backups.ts'

const largestBackup = 64 * 1024 ** 3
const MOST_AT_ONCE = 2
const FORGOTTEN_AFTER_MS = 10 * 60_000
/** Bytes of the disk that stay free, since the profile grows meanwhile. */
const LEFT_FREE = 64 * 1024 ** 2
/** https://sqlite.org/fileformat.html, 1.3 */
const MAGIC = Buffer.from('SQLite format 3\0')

export interface BackupPart {
  readonly upload: string
  readonly name: string
  /** Byte offset of this part. Parts come in order; one that was written already may come again. */
  readonly at: number
  /** Bytes of the whole file. */
  readonly total: number
  readonly bytes: Uint8Array
}

interface Upload {
  readonly path: string
  readonly called: string
  readonly total: number
  /** Undefined once the file is whole. */
  file: FileHandle | undefined
  bytes: number
  stopForgetting: () => void
}

export interface BackupUploadOptions {
  readonly folder: string
  readonly clock: Clock
  readonly largest?: number
  readonly freeIn?: (folder: string) => number
}

export function createBackupUploads({ folder, clock, largest = largestBackup, freeIn = bytesFree }: BackupUploadOptions) {
  const all = new Map<string, Upload>()

  async function forget(upload: string): Promise<void> {
    const known = all.get(upload)
    all.delete(upload)
    known?.stopForgetting()
    await known?.file?.close()
    if (known) removePart(known.path)
  }

  async function begin({ upload, name, total, bytes }: BackupPart): Promise<Upload> {
    const called = basename(name.replaceAll('\\', '/')).slice(0, 200)
    if (!MAGIC.equals(bytes.subarray(0, MAGIC.length))) throw notWhole(called)
    const limit = Math.min(largest, freeIn(folder) - LEFT_FREE)
    if (total > limit)
      throw new HostError('backup.too-large', t`No room for ${called} (${formatBytes(total)}) in the data folder.`, {
        data: { name: called, bytes: total, limit },
      })
    for (const oldest of [...all.keys()].slice(0, Math.max(0, all.size + 1 - MOST_AT_ONCE))) await forget(oldest)
    const path = join(folder, `${newId()}.received`)
    const file = await open(path, 'wx', 0o600)
    const begun: Upload = { path, called, total, file, bytes: 0, stopForgetting: () => undefined }
    all.set(upload, begun)
    return begun
  }

  async function take(known: Upload, { at, bytes }: BackupPart): Promise<void> {
    if (at < known.bytes && at + bytes.byteLength <= known.bytes) return
    if (!known.file || at !== known.bytes || at + bytes.byteLength > known.total) throw gone()
    for (let put = 0; put < bytes.byteLength; ) put += (await known.file.write(bytes, put, bytes.byteLength - put, at + put)).bytesWritten
    known.bytes += bytes.byteLength
    if (known.bytes < known.total) return
    await known.file.sync()
    await known.file.close()
    known.file = undefined
  }

  async function write(part: BackupPart): Promise<void> {
    const { upload, at } = part
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    try {
      const known = all.get(upload) ?? (at === 0 ? await begin(part) : undefined)
      if (!known) throw gone()
      known.stopForgetting()
      await take(known, part)
      known.stopForgetting = clock.after(FORGOTTEN_AFTER_MS, () => void forget(upload))
    } catch (error) {
      await forget(upload)
      throw toStoreError(error, folder)
    }
  }

  // Parts are written one after the other: a page that lost its connection sends a part again while it may still be written.
  const inTurn = createWorkQueue()
  return {
    /** @throws {HostError} `backup.unreadable`, `backup.too-large`, `backup.gone` or `disk.full`; nothing of the upload is kept then. */
    part: (part: BackupPart): Promise<void> => inTurn(() => write(part)),
    /** @throws {HostError} `backup.gone` unless the file is whole. */
    find(upload: string): Pick<Upload, 'path' | 'called'> {
      const known = all.get(upload)
      if (!known || known.file) throw gone()
      return known
    },
    forget,
    close(): void {
      for (const upload of all.keys()) void forget(upload)
    },
  }
}

function bytesFree(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
