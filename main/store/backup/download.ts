// Backups on their way out to a page, whose machine need not be the host's. A page asks over its link and gets a ticket: it
// opens that one file, once, within a minute. Only what the list shows can be asked for, so no path of the host's disk is read
// for a page. Which files of the data folder can take the profile's place: what was backed up there, and the profiles that were
// kept aside. By their names and their facts on the disk alone: what is in one is looked at when somebody asks (`checkBackup`).

import { randomBytes } from 'node:crypto'
import { createReadStream, fstatSync, openSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { BackupKind } from '#app/contract/transfer-requests.ts'
import type { Clock } from '#main/base/clock.ts'
import { backupFolder } from './unfinished-backups.ts'
import { gone } from './upload.ts'

export interface FoundBackup {
  readonly path: string
  readonly kind: BackupKind
  /** When it was last written. */
  readonly at: number
  readonly bytes: number
}

const MOST = 100

export function findBackups(database: string): FoundBackup[] {
  const dataDir = dirname(database)
  const name = basename(database)
  const beside = filesOf(dataDir).flatMap((file) => {
    const end = file.startsWith(`${name}.`) ? file.slice(name.length + 1) : ''
    if (/^before-restore-[\dTZ-]+$/.test(end)) return factsOf(join(dataDir, file), 'replaced')
    return /^before-v\d+$/.test(end) ? factsOf(join(dataDir, file), 'older') : []
  })
  const made = filesOf(backupFolder(dataDir))
    .filter((file) => file.endsWith('.db'))
    .flatMap((file) => factsOf(join(backupFolder(dataDir), file), 'backup'))
  return [...made, ...beside].toSorted((one, other) => other.at - one.at).slice(0, MOST)
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // No backup was ever made here.
  }
}

function factsOf(path: string, kind: BackupKind): FoundBackup[] {
  try {
    const stat = statSync(path)
    return stat.isFile() ? [{ path, kind, at: stat.mtimeMs, bytes: stat.size }] : []
  } catch {
    return [] // It went meanwhile.
  }
}

const GOOD_FOR_MS = 60_000
const MOST_TICKETS = 16

export interface BackupDownload {
  /** Of plain characters. */
  readonly name: string
  readonly bytes: number
  /** Whoever takes it reads it to its end, or destroys it. */
  readonly content: Readable
}

export interface BackupDownloads {
  /** Throws `backup.gone`. */
  offer(path: string): string
  /** Undefined: no ticket of ours, an old or a used one, or the file went meanwhile. */
  take(ticket: string): BackupDownload | undefined
}

export function createBackupDownloads(database: string, clock: Clock): BackupDownloads {
  const offered = new Map<string, { readonly path: string; readonly until: number }>()
  return {
    offer(path) {
      if (!findBackups(database).some((found) => found.path === path)) throw gone()
      const [oldest] = offered.keys()
      if (offered.size >= MOST_TICKETS && oldest !== undefined) offered.delete(oldest)
      const ticket = randomBytes(32).toString('base64url')
      offered.set(ticket, { path, until: clock.now() + GOOD_FOR_MS })
      return ticket
    },
    take(ticket) {
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
    return undefined // It went since it was offered.
  }
}
