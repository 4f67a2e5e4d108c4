// Folders of a sandboxed server's own, in the data folder: a home folder that stays, and one for temporary files of each start. The
// server writes them, so nothing in them is followed or trusted.
import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInside } from '#app/consent/rules/path-text.ts'
import { orElse } from '#app/or-else.ts'
import { isAlive } from '#main/base/is-alive.ts'
import type { Mount } from './plan-mounts.ts'

export interface OwnFolder {
  readonly home: string
  readonly tmp: string
  /** Removes the temporary files. */
  readonly dispose: () => void
}

/** Folder of a server of this profile. `scope`: sets servers of one config file apart from those of another. */
export const ownFolderOf = (dataDir: string, server: string, scope: string): string => {
  const digest = createHash('sha256').update(`${scope}\0${server}`).digest('hex').slice(0, 12)
  return join(dataDir, 'sandbox', `${server.replaceAll(/[^\w.-]/g, '_').slice(0, 40)}-${digest}`)
}

/** Makes a folder for the socket of a proxy, since the profile's path may be too long for one, or for a profile of Seatbelt. */
export const makeSocketFolder = (): string => mkdtempSync(join(tmpdir(), `assent-proxy-${process.pid}-`))

/** Removes what starts of a host that was killed left behind. Of this profile no other host runs. */
export function removeLeftovers(dataDir: string): void {
  const namesIn = (folder: string): readonly string[] => orElse(() => readdirSync(folder), [])
  const remove = (path: string): void => orElse(() => rmSync(path, { recursive: true, force: true }), undefined)
  const all = join(dataDir, 'sandbox')
  for (const server of namesIn(all))
    for (const name of namesIn(join(all, server))) if (name.startsWith('tmp-')) remove(join(all, server, name))
  for (const name of namesIn(tmpdir())) {
    const pid = /^assent-proxy-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) remove(join(tmpdir(), name))
  }
}

export function openOwnFolder(folder: string): OwnFolder {
  const home = join(folder, 'home')
  const tmp = join(folder, `tmp-${randomBytes(6).toString('hex')}`)
  for (const path of [home, tmp]) mkdirSync(path, { recursive: true, mode: 0o700 })
  return { home, tmp, dispose: () => rmSync(tmp, { recursive: true, force: true, maxRetries: 3 }) }
}

/**
 * Makes the places that mounts below the home folder lie over. What the server put in their way is removed: a link there would lead
 * bubblewrap elsewhere.
 */
export function makePlaces(own: OwnFolder, home: string, mounts: readonly Mount[]): void {
  const inside = mounts.filter(({ path }) => path !== home && isInside(path, home))
  for (const { path, from = path } of inside) {
    // Within another mount it is that folder's own.
    if (inside.some((other) => other.path !== path && isInside(path, other.path))) continue
    const parts = path.slice(home.length).split('/').filter(Boolean)
    let at = own.home
    for (const [index, part] of parts.entries()) {
      at = join(at, part)
      const isLast = index === parts.length - 1
      const wantsFile = isLast && lstatSync(from, { throwIfNoEntry: false })?.isDirectory() === false
      const there = lstatSync(at, { throwIfNoEntry: false })
      const fits = there !== undefined && (wantsFile ? there.isFile() : there.isDirectory())
      if (there && !fits) rmSync(at, { recursive: true, force: true })
      if (fits) continue
      if (wantsFile) writeFileSync(at, '', { mode: 0o600 })
      else mkdirSync(at, { mode: 0o700 })
    }
  }
}

/**
 * Makes links to what lies below the home folder at the same place of the own one, for engines that mount nothing. A file or folder of the
 * server's own is left where it is.
 */
export function linkPlaces(own: OwnFolder, home: string, mounts: readonly Mount[]): void {
  const inside = mounts.filter(({ path, kind }) => (kind === 'read' || kind === 'write') && path !== home && isInside(path, home))
  for (const { path } of inside) {
    if (inside.some((other) => other.path !== path && isInside(path, other.path))) continue
    const names = path.slice(home.length).split('/').filter(Boolean)
    const folders = names.slice(0, -1).map((_, index) => join(own.home, ...names.slice(0, index + 1)))
    for (const folder of folders) {
      const there = lstatSync(folder, { throwIfNoEntry: false })
      if (there && !there.isDirectory()) rmSync(folder)
      if (!there?.isDirectory()) mkdirSync(folder, { mode: 0o700 })
    }
    const at = join(own.home, ...names)
    const there = lstatSync(at, { throwIfNoEntry: false })
    if (there?.isSymbolicLink()) rmSync(at)
    if (!there || there.isSymbolicLink()) symlinkSync(path, at)
  }
}
