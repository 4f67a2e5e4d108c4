// File system of a sandbox as a list of mounts: the system, the runtime and the granted folders, what is hidden within them, and what
// may not be written. What is not in the list is not there.
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, type Stats, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isInside } from '#app/consent/rules/path-text.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import { guardedInFolders, maskedInSystem, neverReadable, secretPaths } from '#app/server/sandbox/protected-paths.ts'
import type { SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { below, realPath, type SandboxPlace } from './resolve-grants.ts'

/**
 * `keep`: read-only within a folder that may be written. `hide-folder`, `hide-file`: an empty one lies over it. `from`: where it lies outside,
 * when that is not `path`.
 */
export interface Mount {
  readonly kind: 'read' | 'write' | 'keep' | 'hide-folder' | 'hide-file'
  readonly path: string
  readonly from?: string
}

export interface MountPlan {
  readonly mounts: readonly Mount[]
  /** Removes what was made in granted folders for this start. */
  readonly undo: () => void
}

interface PlanRequest {
  /** Result of `resolveGrants`. */
  readonly grants: SandboxGrants
  readonly place: SandboxPlace
  /** Folders that the program needs to run (`runtime-folders.ts`). */
  readonly runtime: readonly string[]
  /** Way to hide what lies in a folder that may be read: its other entries alone are mounted, or the engine denies it by its path. */
  readonly hides?: 'by-listing' | 'by-rule'
}

const maxMounts = 1500

const statOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })
const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true

/** @throws {HostError} `server.sandbox-grant`: a grant leads elsewhere by now, or cannot be kept */
export function planMounts({ grants, place, runtime, hides = 'by-listing' }: PlanRequest): MountPlan {
  const { home, dataDir } = place
  const granted = [...grants.read, ...grants.write]
  for (const path of granted) {
    if (realPath(path) !== path)
      throw new HostError('server.sandbox-grant', t`${path} is a link. Name the folder itself.`, { data: { path } })
  }
  const isNamed = (secret: string): boolean => granted.some((path) => isInside(path, secret))
  const hidden = [...below(home, neverReadable), ...below(home, secretPaths).filter((path) => !isNamed(path)), ...grants.denyRead, dataDir]
  const isHeld = (entry: string): boolean => [...granted, ...runtime].some((path) => isInside(path, entry))
  // Who grants the home folder as a whole means what they see in it. A rule for a path counts for what is granted below it, too.
  const hiddenOfHome = orElse(() => readdirSync(home), [])
    .filter((name) => name.startsWith('.') || (hides === 'by-rule' && name === 'Library'))
    .map((name) => join(home, name))
    .filter((entry) => hides === 'by-listing' || !isHeld(entry))
  const made: string[] = []
  // A folder to write is made where it is not there yet.
  for (const path of grants.write) if (!existsSync(path)) mkdirSync(path, { recursive: true, mode: 0o700 })
  const lookedAt = new Map(granted.filter(isFolder).map((path) => [path, lookThrough(path)]))
  const readable = hides === 'by-rule' ? withHidden : listed
  const mounts = [
    // Bundles lie in the data folder.
    ...runtime.flatMap((path): Mount[] => (isInside(path, dataDir) ? [{ kind: 'read', path }] : readable(path, hidden))),
    ...grants.read.flatMap((path) => readable(path, isInside(home, path) ? [...hidden, ...hiddenOfHome] : hidden)),
    ...grants.write.flatMap((path) =>
      writable(path, { hidden, denyWrite: grants.denyWrite, home, made, folders: lookedAt.get(path)?.folders ?? [] }),
    ),
    ...[...maskedInSystem, ...[...lookedAt.values()].flatMap(({ sockets }) => sockets)].flatMap(hide),
  ]
  if (mounts.length > maxMounts)
    throw new HostError('server.sandbox-grant', t`The folders hold too many entries. Name folders in them.`, {
      data: { path: granted[0] ?? '' },
    })
  return {
    mounts: inOrder(mounts),
    undo() {
      for (const path of made.toReversed()) release(path)
    },
  }
}

const ranks: Readonly<Record<Mount['kind'], number>> = { read: 0, write: 1, keep: 2, 'hide-folder': 3, 'hide-file': 3 }

/** A mount lies over those of the folders above it. Of one path the strongest counts; what is kept or hidden is so with all in it. */
function inOrder(mounts: readonly Mount[]): Mount[] {
  const strongest = new Map<string, Mount>()
  for (const mount of mounts) {
    const other = strongest.get(mount.path)
    if (!other || ranks[other.kind] < ranks[mount.kind]) strongest.set(mount.path, mount)
  }
  const all = [...strongest.values()]
  const strict = all.filter(({ kind }) => ranks[kind] >= ranks.keep)
  const isOverruled = ({ path, kind }: Mount): boolean =>
    strict.some(
      (other) =>
        other.path !== path &&
        isInside(path, other.path) &&
        (ranks[kind] < ranks.keep ? ranks[other.kind] > ranks.keep || kind === 'write' : false),
    )
  const depth = ({ path }: Mount): number => path.split('/').length
  const ordered = all.filter((mount) => !isOverruled(mount)).sort((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1))
  // There already, as it is outside: over a link nothing can be mounted.
  const isThere = ({ path, kind, from }: Mount): boolean => {
    const around = ordered.findLast((other) => other.path !== path && isInside(path, other.path))
    return kind === 'read' && from === undefined && around?.kind === 'read' && around.from === undefined
  }
  return ordered.filter((mount) => !isThere(mount))
}

const hide = (path: string): Mount[] => {
  const stat = statOf(path)
  if (!stat || stat.isSymbolicLink()) return []
  return [{ kind: stat.isDirectory() ? 'hide-folder' : 'hide-file', path }]
}

/** The path itself, and what is hidden in it, now or later. */
function withHidden(path: string, hidden: readonly string[]): Mount[] {
  if (hidden.some((place) => isInside(path, place)) || !existsSync(path)) return []
  return [
    { kind: 'read', path },
    ...hidden.filter((place) => isInside(place, path)).map((place): Mount => ({ kind: 'hide-folder', path: place })),
  ]
}

/** The path itself, or its entries one by one where something in it is hidden: what is hidden later, too, is not there. */
function listed(path: string, hidden: readonly string[]): Mount[] {
  if (hidden.some((place) => isInside(path, place))) return []
  if (!existsSync(path)) return []
  if (!hidden.some((place) => isInside(place, path))) return [{ kind: 'read', path }]
  return orElse(() => readdirSync(path), []).flatMap((name): Mount[] => {
    const entry = join(path, name)
    const stat = statOf(entry)
    if (!stat || !(stat.isDirectory() || stat.isFile() || stat.isSymbolicLink())) return []
    if (!stat.isSymbolicLink()) return listed(entry, hidden)
    const to = realPath(entry)
    const touches = hidden.some((place) => isInside(to, place) || isInside(place, to) || isInside(entry, place))
    return touches || isInside(path, to) || !existsSync(to) || /^\/(?:dev|proc|run|sys|var\/run)(?:\/|$)/.test(to)
      ? []
      : [{ kind: 'read', path: entry, from: to }]
  })
}

interface WriteRules {
  readonly hidden: readonly string[]
  readonly denyWrite: readonly string[]
  readonly home: string
  readonly made: string[]
  /** The folder itself and those of repositories in it; none: it is a file. */
  readonly folders: readonly string[]
}

function writable(path: string, { hidden, denyWrite, home, made, folders }: WriteRules): Mount[] {
  const within = (places: readonly string[]): string[] => places.filter((place) => place !== path && isInside(place, path))
  const guarded = folders.flatMap((folder) => guardsOf(folder, { root: path, home }))
  const kept = [...within(denyWrite), ...guarded]
  return [
    { kind: 'write', path },
    ...kept.flatMap((place) => pinned(path, place, made)),
    ...within(hidden).flatMap((place) => hideMade(path, place, made)),
    ...(denyWrite.some((place) => isInside(path, place)) ? [{ kind: 'keep', path } as const] : []),
  ]
}

/** Text in place of a file of git's that is not there: it changes nothing. */
const empties: Readonly<Record<string, string>> = { commondir: '.\n', 'config.worktree': '' }
/** Placeholders in granted folders, with the number of servers that each is there for. */
const claims = new Map<string, number>()
/** Whether it was put there for a server, by a run that is over too. */
const isMadeHere = (path: string): boolean =>
  claims.has(path) || (basename(path) in empties && orElse(() => readFileSync(path, 'utf8'), undefined) === empties[basename(path)])

/** Removes it with the last server that it is there for, and only as it was made. */
function release(path: string): void {
  const left = (claims.get(path) ?? 1) - 1
  if (left > 0) return void claims.set(path, left)
  claims.delete(path)
  orElse(() => (isFolder(path) ? rmdirSync(path) : isMadeHere(path) && unlinkSync(path)), undefined)
}

/** A read-only path, and each folder on the way to it as a mount of its own: a mount point cannot be renamed or removed. */
function pinned(root: string, place: string, made: string[]): Mount[] {
  const parts = place.slice(root.length).split('/').filter(Boolean)
  const mounts: Mount[] = []
  let at = root
  for (const [index, part] of parts.entries()) {
    at = join(at, part)
    const stat = statOf(at)
    if (stat?.isSymbolicLink())
      throw new HostError('server.sandbox-grant', t`${at} is a link. Name the folder itself.`, {
        data: { path: at },
      })
    if (!stat) {
      const empty = empties[part]
      if (empty === undefined) mkdirSync(at)
      else writeFileSync(at, empty)
    }
    if (!stat || isMadeHere(at)) {
      made.push(at)
      claims.set(at, (claims.get(at) ?? 0) + 1)
    }
    if (!stat) return [...mounts, { kind: 'keep', path: at }]
    mounts.push({ kind: index === parts.length - 1 ? 'keep' : 'write', path: at })
  }
  return mounts
}

function hideMade(root: string, place: string, made: string[]): Mount[] {
  const mounts = pinned(root, place, made)
  const last = mounts.at(-1)
  if (!last) return []
  return [...mounts.slice(0, -1), { kind: isFolder(last.path) ? 'hide-folder' : 'hide-file', path: last.path }]
}

/** Files in a folder that other programs run or obey. Without a repository an empty `.git` is put there, so that none is made. */
function guardsOf(folder: string, { root, home }: Pick<WriteRules, 'home'> & { readonly root: string }): string[] {
  const git = join(folder, '.git')
  const isRepository = isFolder(git) && namesIn(git).length > 0
  const ofGit = isRepository ? [git, ...modulesIn(join(git, 'modules'))].flatMap(guardsOfGit) : [git]
  const named = isRepository
    ? namedByConfig(git, home).filter((path) => path !== root && isInside(path, root) && realPath(path) === path)
    : []
  const others = guardedInFolders
    .filter((name) => isRepository || !name.startsWith('.git/'))
    .map((name) => join(folder, name))
    .filter((path) => statOf(path))
  return [...new Set([...ofGit, ...others, ...named])]
}

/**
 * Files that git obeys in a folder of its own: `commondir` leads to another `config` and other hooks, as in the folders of further working trees.
 * Source: git's `setup.c` (`get_common_dir_noenv`).
 */
const guardsOfGit = (git: string): string[] => [
  ...['hooks', 'config', 'commondir'].map((name) => join(git, name)),
  // Read where the configuration says so.
  ...(/worktreeconfig/i.test(orElse(() => readFileSync(join(git, 'config'), 'utf8'), '')) ? [join(git, 'config.worktree')] : []),
  ...namesIn(join(git, 'worktrees')).flatMap((tree) =>
    ['commondir', 'gitdir', 'config.worktree'].map((name) => join(git, 'worktrees', tree, name)).filter((path) => statOf(path)),
  ),
]

const namesIn = (folder: string): string[] => orElse(() => readdirSync(folder), [])

/** Git folders of submodules, and of those within them. A name may have slashes. */
function modulesIn(folder: string, depth = 0): string[] {
  if (depth > scan.modules) return []
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter(isFolder)
    .flatMap((path) =>
      existsSync(join(path, 'HEAD')) ? [path, ...modulesIn(join(path, 'modules'), depth + 1)] : modulesIn(path, depth + 1),
    )
}

/** Folder of hooks and included files that the configuration of a repository, or of the person, names. */
function namedByConfig(git: string, home: string): string[] {
  const files = [join(git, 'config'), join(home, '.gitconfig'), join(home, '.config/git/config')]
  return files.flatMap((file) => {
    const text = orElse(() => readFileSync(file, 'utf8'), '')
    return [...text.matchAll(/^[ \t]*(hookspath|path)[ \t]*=[ \t]*"?([^"\n]+?)"?[ \t]*$/gim)].flatMap(([, key = '', value = '']) => {
      const isIncluded = key.toLowerCase() === 'path'
      const path = resolve(isIncluded ? dirname(file) : dirname(git), value.replace(/^~(?=\/)/, home))
      return isIncluded && !statOf(path) ? [] : [path]
    })
  })
}

/** Folders of a granted one that are looked through, the nearest first, and depth of submodules within submodules. */
const scan = { folders: 2000, modules: 4 }

/** The folder itself and repositories in it, and sockets of other programs, as far as they are looked for. */
function lookThrough(root: string): { readonly folders: readonly string[]; readonly sockets: readonly string[] } {
  const folders = [root]
  const sockets: string[] = []
  let level = [root]
  let seen = 0
  while (level.length > 0) {
    const next: string[] = []
    for (const folder of level) {
      seen += 1
      if (seen > scan.folders) return { folders, sockets }
      for (const entry of orElse(() => readdirSync(folder, { withFileTypes: true }), [])) {
        if (entry.name === '.git' && folder !== root) folders.push(folder)
        if (entry.isSocket()) sockets.push(join(folder, entry.name))
        // Sockets of the desktop lie in `/tmp/.X11-unix` and the like.
        const isLooked = !entry.name.startsWith('.') || entry.name.endsWith('-unix')
        if (entry.isDirectory() && isLooked && entry.name !== 'node_modules') next.push(join(folder, entry.name))
      }
    }
    level = next
  }
  return { folders, sockets }
}
