// Checks a path that a server named as refused: is it there outside, and did the sandbox of this start keep it from the server? What
// would fail without a sandbox, too, is no block of it. The answer is for the person alone: a server must not learn what exists outside.
import { accessSync, constants, lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isInside } from '#app/consent/rules/path-text.ts'
import { orElse } from '#app/or-else.ts'
import type { NamedPath } from '#app/server/sandbox/refused-paths.ts'
import type { AttemptTarget } from '#app/server/sandbox/sandbox-report.ts'
import { isFolder } from '#main/base/is-folder.ts'
import { systemFolders } from '../bubblewrap.ts'
import type { Mount } from '../plan-mounts.ts'
import { realPath } from '../resolve-grants.ts'

/** File system of a start, as the server sees it. */
export interface StartView {
  readonly mounts: readonly Mount[]
  readonly home: string
  /** Folders of the server's own, outside: they lie over its home folder and over those for temporary files. */
  readonly own: { readonly home: string; readonly tmp: string }
  readonly cwd: string
}

const exists = (path: string): boolean => orElse(() => lstatSync(path, { throwIfNoEntry: false }), undefined) !== undefined
const may = (path: string, how: number): boolean => orElse(() => accessSync(path, how) === undefined, false)

const temporary = ['/tmp', '/var/tmp']
const ofSystem = [...systemFolders, '/dev', '/proc']

type Standing = 'hidden' | 'read' | 'write'

function mountOver(path: string, mounts: readonly Mount[]): Mount | undefined {
  return mounts
    .filter((mount) => isInside(path, mount.path))
    .reduce<Mount | undefined>((a, b) => (a && a.path.length > b.path.length ? a : b), undefined)
}

function standingOf(path: string, { mounts, home, own }: StartView): Standing {
  const mount = mountOver(path, mounts)
  if (mount) {
    const isSelf = mount.path === path
    if (mount.kind === 'write') return 'write'
    if (mount.kind === 'hide-folder' || mount.kind === 'hide-file') return isSelf ? 'read' : 'hidden'
    return 'read'
  }
  if (path === home || temporary.includes(path)) return 'write'
  // Folders on the way to a mount are there, and hold nothing else.
  if ([home, ...mounts.map((one) => one.path)].some((one) => isInside(one, path))) return 'read'
  const over = [[home, own.home], ...temporary.map((folder) => [folder, own.tmp])].find(([folder = '']) => isInside(path, folder))
  if (over) {
    const [folder = '', lies = ''] = over
    return exists(join(lies, path.slice(folder.length))) ? 'write' : 'hidden'
  }
  if (ofSystem.some((folder) => isInside(path, folder))) return 'read'
  return 'hidden'
}

/** Nearest path above, or the path itself, that is there outside. */
const existing = (path: string): string => (exists(path) || dirname(path) === path ? path : existing(dirname(path)))

/**
 * Returns what an answer would have to grant; undefined: the sandbox did not keep it from the server. `creates`: the path may be of a new
 * file, for which there was no folder.
 */
export function blockedBySandbox({ path, access }: NamedPath, view: StartView, creates = false): AttemptTarget | undefined {
  const named = resolve(view.cwd, path === '~' || path.startsWith('~/') ? view.home + path.slice(1) : path)
  if (access === 'write') return blockedWrite(existing(named), view)
  if (!exists(named))
    return creates && standingOf(realPath(dirname(named)), view) === 'hidden' ? blockedWrite(existing(named), view) : undefined
  const target = realPath(named)
  // A link within a granted folder may be a mount of its own.
  const isShown = mountOver(named, view.mounts)?.from !== undefined
  if (isShown || !may(target, constants.R_OK) || standingOf(target, view) !== 'hidden') return undefined
  return { kind: 'read', target }
}

function blockedWrite(place: string, view: StartView): AttemptTarget | undefined {
  const file = realPath(place)
  const folder = isFolder(file) ? file : dirname(file)
  if (!may(file, constants.W_OK) || standingOf(file, view) === 'write') return undefined
  // A file that is kept in a folder which may be written is meant itself, as one is right in the home folder.
  return { kind: 'write', target: isInside(view.home, folder) || standingOf(folder, view) === 'write' ? file : folder }
}
