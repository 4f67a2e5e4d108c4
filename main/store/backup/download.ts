// Finds backups in the data folder by name, and serves them to pages, whose machine need not be the host's. A page gets a ticket
// that opens one file, once, within a minute. Only listed files have tickets, so a page can name no other path of the host's disk.
import { randomBytes } from 'node:crypto'
import { createReadStream, fstatSync, openSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { BackupKind } from '#app/contract/transfer-requests.ts'
import { orElse } from '#app/or-else.ts'
import type { Clock } from '#main/base/clock.ts'
import { gone } from './copy.ts'
import { backupFolder, namesIn } from './unfinished-backups.ts'

export interface FoundBackup {
  readonly path: string
  readonly kind: BackupKind
  /** Time of the last write, in milliseconds since the epoch. */
  readonly at: number
  readonly bytes: number
}

const MOST = 100

export function findBackups(database: string): FoundBackup[] {
  const dataDir = dirname(database)
  const name = basename(database)
  const beside = namesIn(dataDir).flatMap((file) => {
    const end = file.startsWith(`${name}.`) ? file.slice(name.length + 1) : ''
    if (/^before-restore-[\dTZ-]+$/.test(end)) return factsOf(join(dataDir, file), 'replaced')
    return /^before-v\d+$/.test(end) ? factsOf(join(dataDir, file), 'older') : []
  })
  const made = namesIn(backupFolder(dataDir))
    .filter((file) => file.endsWith('.db'))
    .flatMap((file) => factsOf(join(backupFolder(dataDir), file), 'backup'))
  return [...made, ...beside].toSorted((one, other) => other.at - one.at).slice(0, MOST)
}

function factsOf(path: string, kind: BackupKind): FoundBackup[] {
  const stat = orElse(() => statSync(path), undefined) // It may be removed meanwhile.
  return stat?.isFile() ? [{ path, kind, at: stat.mtimeMs, bytes: stat.size }] : []
}

const GOOD_FOR_MS = 60_000
const MOST_TICKETS = 16

export interface BackupDownload {
  /** File name of ASCII letters, digits and `_.-`. */
  readonly name: string
  readonly bytes: number
  /** The caller reads it to its end, or destroys it. */
  readonly content: Readable
}

export function createBackupDownloads(database: string, clock: Clock) {
  const offered = new Map<string, { readonly path: string; readonly until: number }>()
  return {
    /** Returns a ticket. @throws {HostError} `backup.gone` when the file is not in the list. */
    offer(path: string): string {
      if (!findBackups(database).some((found) => found.path === path)) throw gone()
      const [oldest] = offered.keys()
      if (offered.size >= MOST_TICKETS && oldest !== undefined) offered.delete(oldest)
      const ticket = randomBytes(32).toString('base64url')
      offered.set(ticket, { path, until: clock.now() + GOOD_FOR_MS })
      return ticket
    },
    /** Opens the file of a ticket; undefined: the ticket is unknown, old or used, or the file was removed. */
    take(ticket: string): BackupDownload | undefined {
      const found = offered.get(ticket)
      offered.delete(ticket)
      return found && clock.now() <= found.until ? readable(found.path) : undefined
    },
  }
}

function readable(path: string): BackupDownload | undefined {
  try {
    const fd = openSync(path, 'r')
    const bytes = fstatSync(fd).size
    const name = basename(path).replaceAll(/[^\w.-]/g, '_')
    return { name, bytes, content: createReadStream(path, { fd, start: 0, end: bytes - 1 }) }
  } catch {
    return undefined // It was removed since it was offered.
  }
}
