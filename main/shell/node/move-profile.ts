// The profile of an earlier version, in its former folder: copied, compared byte for byte, then renamed, and its key goes with it. Nothing is
// deleted. A crash in between leaves two equal folders, or a copy that is begun anew. Where both places have a profile of their own the
// person chooses, and the other one is kept beside it.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, statSync } from 'node:fs'
import { copyFile, readdir, readlink, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { renameFolder } from '#main/base/atomic-write.ts'
import { lockProfile } from '#main/store/database/profile-lock.ts'
import type { ProfilePlaces } from './data-dir.ts'

export interface ProfileChoice {
  readonly path: string
  /** Time of the last write to its database; ms since the epoch. */
  readonly used: number
}

export const twoProfiles = (): string => t`There are two profiles. Which one do you use?`

interface MoveSteps {
  /** Resolves with the chosen one; undefined: none, and nothing is moved. */
  readonly ask: (choices: readonly ProfileChoice[]) => Promise<string | undefined>
  /** Gives the signing key of one path to another one. */
  readonly moveKey: (from: string, to: string) => Promise<void>
}

/** Whether a former profile is there, to be moved before anything else. */
export const isMoveDue = (places: ProfilePlaces): places is Required<ProfilePlaces> =>
  places.former !== undefined && isProfile(places.former)

const isProfile = (folder: string): boolean => ['assent.db', 'servers.json', 'secrets.json'].some((name) => existsSync(join(folder, name)))

/**
 * Moves the former profile, and resolves with the folder that keeps what is not used any more; undefined: nobody chose.
 * @throws {HostError} `profile.locked`, `profile.unwritable`, `disk.full` or `secrets.unavailable`; the former profile is then as it was
 */
export async function moveProfile(places: Required<ProfilePlaces>, steps: MoveSteps): Promise<string | undefined> {
  const { dataDir, former } = places
  try {
    const unlock = lockProfile(former)
    // Windows renames no folder with an open file in it.
    const taken = await takeProfile(places, steps).finally(unlock)
    if (taken === undefined) return undefined
    if (taken) await steps.moveKey(former, dataDir)
    return await putAside(former, steps.moveKey)
  } catch (error) {
    throw error instanceof HostError ? error : notMoved(dataDir, error)
  }
}

/** Resolves with whether the new place has the former profile's files. */
async function takeProfile({ dataDir, former }: Required<ProfilePlaces>, { ask, moveKey }: MoveSteps): Promise<boolean | undefined> {
  const old = await digestsOf(former)
  if (isProfile(dataDir)) {
    if (isEqual(old, await digestsOf(dataDir))) return true
    const chosen = await ask([dataDir, former].map((path) => ({ path, used: lastUse(path) })))
    if (chosen !== former) return chosen === undefined ? undefined : false
    lockProfile(dataDir)() // Throws where it is in use.
    await putAside(dataDir, moveKey)
  }
  await copyProfile(former, dataDir, old)
  return true
}

/** The former profile is as it was then. */
const notMoved = (dataDir: string, cause: unknown): HostError => {
  const code = (cause as NodeJS.ErrnoException).code === 'ENOSPC' ? 'disk.full' : 'profile.unwritable'
  return new HostError(code, t`The data folder ${dataDir} cannot be made or written.`, { data: { path: dataDir }, cause })
}

const lastUse = (folder: string): number =>
  Math.max(
    ...['assent.db', 'assent.db-wal', 'servers.json'].map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0),
  )

async function putAside(folder: string, moveKey: MoveSteps['moveKey']): Promise<string> {
  const kept = freeName(folder)
  await renameFolder(folder, kept)
  await moveKey(folder, kept)
  return kept
}

function freeName(folder: string): string {
  for (let count = 1; ; count += 1) {
    const name = `${folder}.kept${count === 1 ? '' : `-${count}`}`
    if (!existsSync(name)) return name
  }
}

/** Caches, locks, and packages, which are installed anew: their programs name the folder that they were installed in. */
const isLeftOut = (name: string): boolean =>
  /^(assent\.lock.*|assent\.pid|join\.json|join|packages\/installed|browser\/(.*Cache|lockfile|Singleton.*))$/.test(name)

/** Kind or hash of each entry, by its path with `/`. */
type Digests = ReadonlyMap<string, string>

const isEqual = (a: Digests, b: Digests): boolean => a.size === b.size && [...a].every(([name, digest]) => b.get(name) === digest)

async function digestsOf(folder: string, inside = '', found = new Map<string, string>()): Promise<Digests> {
  for (const entry of await readdir(join(folder, inside), { withFileTypes: true })) {
    const name = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (isLeftOut(name)) continue
    const path = join(folder, name)
    if (entry.isSymbolicLink()) found.set(name, `link ${await readlink(path)}`)
    else if (entry.isFile()) found.set(name, await hashOf(path))
    else if (entry.isDirectory()) {
      found.set(name, 'folder')
      await digestsOf(folder, name, found)
    }
  }
  return found
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function copyProfile(from: string, to: string, digests: Digests): Promise<void> {
  const begun = `${to}.moving`
  await rm(begun, { recursive: true, force: true, maxRetries: 3 })
  mkdirSync(begun, { recursive: true, mode: 0o700 })
  for (const [name, digest] of digests) {
    const [source, target] = [join(from, name), join(begun, name)]
    if (digest === 'folder') mkdirSync(target, { mode: 0o700 })
    else if (digest.startsWith('link ')) await copyLink(source, target, digest.slice('link '.length))
    else await copyFile(source, target)
  }
  if (!isEqual(digests, await digestsOf(begun))) throw notMoved(to, new Error('the copy differs'))
  // A folder without a profile in it, such as one with a log alone.
  if (existsSync(to)) await renameFolder(to, freeName(to))
  await renameFolder(begun, to)
}

/** Makes a junction of a folder: a link needs a privilege on Windows. */
async function copyLink(source: string, target: string, leadsTo: string): Promise<void> {
  const isFolder = (await stat(source).catch(() => undefined))?.isDirectory()
  await symlink(leadsTo, target, isFolder ? 'junction' : 'file')
}
