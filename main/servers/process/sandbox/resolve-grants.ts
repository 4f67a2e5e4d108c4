// Resolves the paths of a sandbox's grants as they are shown and approved: absolute, with links resolved. Refuses what no grant can
// give: the data folder, keyrings, devices and sockets of the system, and to write what other programs run.
import { realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isInside } from '#app/consent/rules/path-text.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { guardedInFolders, neverReadable, neverWritable, secretPaths } from '#app/server/sandbox/protected-paths.ts'
import type { SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { expandHome } from '../environment/environment.ts'

/** Folders that sandboxes are made from and that they protect. Absolute, links resolved. */
export interface SandboxPlace {
  readonly home: string
  readonly dataDir: string
}

/** Folders of the system with devices, sockets and other processes. */
const systemOnly = ['/dev', '/proc', '/run', '/sys', '/var/run', '/private/var/run']
// biome-ignore format: a list reads better in rows
const systemWritable = [
  '/bin', '/boot', '/etc', '/lib', '/lib32', '/lib64', '/nix', '/opt', '/sbin', '/usr', '/var/lib', '/var/spool',
  '/System', '/Library', '/private/etc',
]

/** Resolves links of the part of a path that exists, which is then written as it is on the disk. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPath(parent), path.slice(parent.length))
  }
}

/** Absolute paths of a list that is relative to the home folder. */
export const below = (home: string, paths: readonly string[]): string[] =>
  paths.map((path) => (path.startsWith('/') ? path : join(home, path)))

const refused = (path: string, message: string): HostError => new HostError('server.sandbox-grant', message, { data: { path } })

/** Absolute path of a text, without following links. */
export const plainPath = (text: string, home: string): string => resolve(expandHome(text, home))

function resolveOne(text: string, { home }: SandboxPlace): string {
  const path = expandHome(text, home)
  if (!path.startsWith('/') || path.includes('*'))
    throw refused(text, `${t`No server may use ${text}.`} ${t`Write the whole path, from / or ~/.`}`)
  return realPath(resolve(path))
}

/** Whether a grant is for one of these itself, or for something below it. */
const isAt = (path: string, places: readonly string[]): boolean => places.some((place) => isInside(path, place))

function checkRead(path: string, { home, dataDir }: SandboxPlace): void {
  if (isInside(path, dataDir) || isAt(path, below(home, neverReadable)) || path === '/' || isAt(path, systemOnly))
    throw refused(path, t`No server may use ${path}.`)
}

function checkWrite(path: string, place: SandboxPlace): void {
  const { home } = place
  checkRead(path, place)
  const isGuarded =
    isAt(path, [...below(home, neverWritable), ...below(home, secretPaths)]) ||
    ['.git', ...guardedInFolders].some((name) => `${path}/`.includes(`/${name}/`))
  if (isInside(home, path) || isGuarded || (isAt(path, systemWritable) && !isInside(path, home)))
    throw refused(path, t`No server may use ${path}.`)
}

const inOrder = (texts: readonly string[]): string[] => [...new Set(texts)].sort((a, b) => (a < b ? -1 : 1))

/** @throws {HostError} `server.sandbox-grant` */
export function resolveGrants(grants: SandboxGrants, place: SandboxPlace): SandboxGrants {
  const paths = (texts: readonly string[]): string[] => inOrder(texts.map((text) => resolveOne(text, place)))
  const [read, write] = [paths(grants.read), paths(grants.write)]
  for (const path of read) checkRead(path, place)
  for (const path of write) checkWrite(path, place)
  return {
    read,
    write,
    denyRead: paths(grants.denyRead),
    denyWrite: paths(grants.denyWrite),
    hosts: inOrder(grants.hosts),
    denyHosts: inOrder(grants.denyHosts),
  }
}

/** The working folder, unless it is the home folder or holds it: then the server's own one stands in its place. */
export function workingFolder(cwd: string, { home, dataDir }: SandboxPlace): string | undefined {
  const folder = realPath(cwd)
  const isBundle = isInside(folder, join(dataDir, 'bundles'))
  return isInside(home, folder) || folder === '/' || (isInside(folder, dataDir) && !isBundle) ? undefined : folder
}
