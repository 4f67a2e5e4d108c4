import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, realpathSync, statfsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isInsideFolded } from '#app/consent/rules/path-text.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import { system32 } from '#main/base/powershell.ts'
import type { BackupStore } from '#main/store/backup/backup.ts'
import type { SettingsStore } from '#main/store/store-api.ts'

interface FolderSystem {
  readonly platform: NodeJS.Platform
  readonly home: string
  /** Runs a program of Windows; returns what it prints. */
  readonly run: (program: 'whoami.exe' | 'icacls.exe', args: readonly string[]) => string
}
export const thisSystem = (): FolderSystem => ({
  platform: process.platform,
  home: homedir(),
  run: (program, args) => execFileSync(system32(program), args, { encoding: 'utf8', timeout: 10_000, windowsHide: true }),
})

/** @throws {HostError} `profile.unwritable` when the folder cannot be made. */
export function prepareFolder(dataDir: string, system: FolderSystem = thisSystem()): void {
  try {
    // A folder with something in it keeps its permissions: others may use it.
    const isNew = mkdirSync(dataDir, { recursive: true, mode: 0o700 }) !== undefined || readdirSync(dataDir).length === 0
    // Fails on a disk without permissions (exFAT), as docs/guide/install.md says.
    if (isNew) orElse(() => keepFromOthers(dataDir, system), undefined)
  } catch (cause) {
    throw new HostError('profile.unwritable', t`The data folder ${dataDir} cannot be made or written.`, { data: { path: dataDir }, cause })
  }
}

/**
 * Windows has no modes. Below the person's own folder only they, administrators and the system may read; elsewhere a new folder is every
 * account's to change (“Authenticated Users: Modify”), so it gets the same three by their SIDs, whose names are translated.
 */
function keepFromOthers(dataDir: string, { platform, home, run }: FolderSystem): void {
  const [folder = '', own = ''] = [dataDir, home].map((path) => path.replaceAll('\\', '/'))
  if (platform !== 'win32' || isInsideFolded(folder, own)) return
  const [person] = /S-1-[\d-]+/.exec(run('whoami.exe', ['/user', '/fo', 'csv', '/nh'])) ?? []
  if (person === undefined) return
  const rights = [person, 'S-1-5-18', 'S-1-5-32-544'].map((sid) => `*${sid}:(OI)(CI)F`)
  run('icacls.exe', [dataDir, '/inheritance:r', '/grant:r', ...rights])
}

interface FolderFacts {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Real path. A mapped drive of Windows has that of its share. */
  readonly path: string
  /** Type of the file system, as statfs(2) has it. */
  readonly type: number
}

/** Types of NFS, SMB, CIFS, SMB2 and AFS (statfs(2)); other systems number them anew. */
const networkTypes: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f])

/** Whether a folder lies on a share, where SQLite's WAL does not work (sqlite.org/wal.html), or is synchronised, which tears its files apart. */
export function isShared({ platform, env, home, path, type }: FolderFacts): boolean {
  if (platform === 'linux') return networkTypes.has(type)
  const synchronised =
    platform === 'win32'
      ? [env['OneDrive'], env['OneDriveConsumer'], env['OneDriveCommercial']]
      : [`${home}/Library/Mobile Documents`, `${home}/Library/CloudStorage`]
  const folded = path.toLowerCase().replaceAll('\\', '/')
  return (
    folded.startsWith('//') ||
    synchronised.some((folder) => folder && `${folded}/`.startsWith(`${folder.toLowerCase().replaceAll('\\', '/')}/`))
  )
}

export function warnOfPlace(dataDir: string, env: FolderFacts['env']): HostError | undefined {
  const facts = orElse(() => ({ path: realpathSync.native(dataDir), type: statfsSync(dataDir).type }), undefined)
  if (!facts || !isShared({ platform: process.platform, env, home: homedir(), ...facts })) return undefined
  const message = t`The data folder is synchronised or on a network. It can be damaged.`
  return new HostError('profile.shared', message, { data: { path: dataDir } })
}

interface ProfileCheckOptions {
  readonly store: { readonly settings: Pick<SettingsStore, 'fact' | 'setFact'>; readonly backup: Pick<BackupStore, 'readWhole'> }
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
  /** Called with `profile.corrupt`. */
  readonly onDamage: (error: HostError) => void
}

const fact = 'profile-read'
const everyMs = 7 * 24 * 60 * 60_000
const afterMs = 60_000

/** Reads the whole profile once a week, so that damage is noticed while there are backups from before it. Returns its undo. */
export function checkProfile({ store, clock, log, onDamage }: ProfileCheckOptions): () => void {
  const last = store.settings.fact(fact)
  if (typeof last === 'number' && clock.now() - last < everyMs && last <= clock.now()) return () => {}
  return clock.after(afterMs, () => {
    store.backup
      .readWhole()
      .then(() => store.settings.setFact(fact, clock.now()))
      .catch((error: unknown) => {
        if (error instanceof HostError && error.code === 'cancelled') return
        log.error('The profile could not be read through', error)
        if (error instanceof HostError && error.code === 'profile.corrupt') onDamage(error)
      })
  })
}
