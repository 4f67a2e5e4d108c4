// The key that signs what the person allowed: in the system's keyring, under one name for every shell; where there is no keyring, in a
// file of the person's own outside of the data folder.

import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname, join, posix, win32 } from 'node:path'
import { orElse } from '#app/or-else.ts'
import { writeFileAtomically } from '#main/base/atomic-write.ts'
import { noKeyringAnswer, type SecretStore } from '#main/base/secret-store.ts'
import { prepareFolder } from '#main/host/profile-check.ts'
import type { StateKey } from '#main/store/signed-state.ts'
import { type Surroundings, surroundings } from './data-dir.ts'
import { openKeyring } from './system-keyring.ts'

const NAME = 'permissions'
/** Time that a person has to unlock the keyring, in milliseconds. */
const unlockMs = 30_000
const idOf = (dataDir: string): string => createHash('sha256').update(dataDir).digest('hex').slice(0, 16)

/** Returns the path of the key's file for a data folder. */
export function stateKeyFile(dataDir: string, { platform, env, home }: Surroundings): string {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix
  const file = `${idOf(dataDir)}.key`
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Assent Keys', file)
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Assent Keys', file)
  // The XDG base directory specification: a relative path in the variable is ignored.
  const xdg = env['XDG_STATE_HOME']
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, '.local', 'state'), 'assent', file)
}

interface StateKeyOptions {
  readonly dataDir: string
  readonly where?: Surroundings
  /** Default: the system's. Its `kind` is known once it was asked. */
  readonly keyring?: (service: string) => Promise<SecretStore>
}

/** Resolves with the key of a profile; null: the keyring, or the file, cannot be read. */
export async function openStateKey(options: StateKeyOptions): Promise<StateKey | null> {
  // Made first: a folder that is not there yet has no real path.
  orElse(() => prepareFolder(options.dataDir), undefined)
  return openKey(options)
}

/**
 * Gives the key of one data folder to another one, which may have had one, or may have been renamed already.
 * @throws {HostError} `secrets.unavailable` when a keyring cannot be read; both keys are then as they were
 */
export async function moveStateKey(from: string, to: string, options: Omit<StateKeyOptions, 'dataDir'> = {}): Promise<void> {
  const [key, next] = [await openKey({ ...options, dataDir: from }), await openKey({ ...options, dataDir: to })]
  if (key === null || next === null || key.isLocked) throw noKeyringAnswer()
  if (key.value === undefined) return
  await next.set(key.value)
  await key.remove()
}

/** Real path of a folder, which may have been renamed. */
const realPath = (dataDir: string): string =>
  orElse(
    () => realpathSync(dataDir),
    orElse(() => join(realpathSync(dirname(dataDir)), basename(dataDir)), dataDir),
  )

async function openKey({ dataDir, where = surroundings(), keyring }: StateKeyOptions): Promise<KeptKey | null> {
  const profile = realPath(dataDir)
  const service = `Assent ${idOf(profile)}`
  const file = fileKey(stateKeyFile(profile, where))
  try {
    const secrets = await (keyring ?? ((name) => openKeyring(name, where.env, undefined, { probeMs: unlockMs })))(service)
    const value = await secrets.get(NAME)
    if (secrets.kind === 'memory') return { ...file.read(), ...(secrets.isLocked && { isLocked: true }) }
    // A profile that was signed first without a keyring keeps its file: another shell may have none still.
    const kept = value === undefined ? file.read() : undefined
    if (kept?.value !== undefined) return kept
    return { kind: 'keyring', value, set: (next) => secrets.set(NAME, next), remove: () => secrets.delete(NAME) }
  } catch {
    return null // Nothing signed is used then, and nothing is deleted.
  }
}

interface KeptKey extends StateKey {
  remove(): Promise<void>
}

function fileKey(path: string) {
  const folder = dirname(path)
  const set = async (value: string): Promise<void> => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    if (!orElse(() => isOfPerson(path), false)) rmSync(path, { recursive: true, force: true })
    writeFileAtomically(path, value)
  }
  return {
    /** @throws {Error} when there is a file that cannot be read */
    read(): KeptKey {
      const key: KeptKey = { kind: 'file', folder, value: undefined, set, remove: async () => rmSync(path, { force: true }) }
      try {
        return isOfPerson(path) ? { ...key, value: readFileSync(path, 'utf8') } : key
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        return key
      }
    },
  }
}

/** Whether only the person can have written the file. Takes the right to read it, and its folder, away from others. */
function isOfPerson(path: string): boolean {
  const file = lstatSync(path)
  const uid = process.getuid?.()
  if (uid === undefined) return file.isFile()
  const folder = lstatSync(dirname(path))
  const areOurs = [file, folder].every((one) => one.uid === uid && (one.mode & 0o022) === 0)
  if (!file.isFile() || !areOurs) return false
  if ((file.mode & 0o077) !== 0) chmodSync(path, 0o600)
  if ((folder.mode & 0o077) !== 0) chmodSync(dirname(path), 0o700)
  return true
}
