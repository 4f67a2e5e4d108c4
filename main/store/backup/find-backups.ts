// Which files of the data folder can take the profile's place: what was backed up there, and the profiles that were kept aside.
// By their names and their facts on the disk alone: what is in one is looked at when somebody asks (`checkBackup`).
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { BackupKind } from '#app/contract/transfer.ts'
import { backupFolder } from './places.ts'

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
