// Resolves paths on this machine: links are followed as the system would, part by part, as far as files exist. A path that cannot be
// read, or has too many links, is not sure. A link may change before the server follows it: whoever can write there can win that race,
// so a rule about a folder is as good as the folder's permissions.
import { lstat, readdir, readlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { firstName, type PathReading, type PathSystem, readPathText } from '#app/consent/rules/path-text.ts'
import type { Clock } from '#main/base/clock.ts'

export type PathResolver = ReturnType<typeof createPathResolver>

const MOST_LINKS = 40
/** Timeout of a lookup, in milliseconds: a network disk may not answer at all. A busy computer may take seconds for a real answer. */
const TIMEOUT_MS = 5000

interface PathDisk {
  readonly platform: NodeJS.Platform
  /** Whether two paths are one file. */
  readonly isSame: (one: string, other: string) => Promise<boolean>
}

export function createPathResolver(clock: Clock, disk: PathDisk = { platform: process.platform, isSame: isSameFile }) {
  const windows = disk.platform === 'win32'
  const system: PathSystem = { windows, home: windows ? homedir().replaceAll('\\', '/') : homedir() }
  /** `all`: every path could be resolved. */
  const followAll = async (paths: readonly string[]): Promise<{ readonly all: boolean; readonly real: readonly string[] }> => {
    const real = (await inTime(clock, Promise.all(paths.map((path) => follow(path, windows))))) ?? []
    const found = real.filter((place) => place !== undefined).map(firstName)
    return { all: found.length === paths.length, real: [...new Set(found)] }
  }
  /** Spells places as the disk does: those of Windows and macOS take another case, and another form of an accent, for the same name. */
  const asOnDisk = async (places: readonly string[]): Promise<readonly string[]> =>
    disk.platform === 'linux' ? places : ((await inTime(clock, Promise.all(places.map((place) => nameOnDisk(place, disk))))) ?? places)
  return {
    system,
    /** Resolves a path. On another machine (not `local`) nothing can be followed, and nothing is sure. */
    async read(text: string, local: boolean): Promise<PathReading> {
      const { sure, places } = readPathText(text, system)
      if (!local) return { sure: false, literal: places, real: [] }
      const literal = await asOnDisk(places)
      // Both as the system walks it, and as a program that normalizes it first: `link/..` differs.
      const { all, real } = await followAll(sure ? [text, ...literal] : literal)
      return { sure: sure && all, literal, real: [...new Set(await asOnDisk(real))] }
    },
    /** Returns a folder as the person named it, and its real path; undefined: the path is not absolute, or cannot be read. */
    async folder(text: string): Promise<{ readonly folder: string; readonly real: string } | undefined> {
      const { sure, places } = readPathText(text.replace(/^~(?=[\\/]|$)/, system.home), { ...system, exact: true })
      const [folder] = await asOnDisk(places)
      if (!sure || folder === undefined) return undefined
      const [real] = await asOnDisk((await followAll([folder])).real)
      return real === undefined ? undefined : { folder, real }
    },
  }
}

const folded = (name: string): string => name.normalize('NFC').toLowerCase()

const isSameFile = async (one: string, other: string): Promise<boolean> => {
  const [a, b] = await Promise.all([one, other].map((path) => lstat(path, { bigint: true })))
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev
}

/** Spells each part of a place as its folder lists it, as far as that can be read. */
async function nameOnDisk(place: string, { isSame }: PathDisk): Promise<string> {
  const [root = '', ...parts] = place.startsWith('//') ? [place] : place.split('/')
  let at = root
  for (const part of parts) {
    const names = await readdir(`${at}/`).catch((): string[] => [])
    const like = names.includes(part) ? [] : names.filter((name) => folded(name) === folded(part))
    const [name] = like
    const found = name !== undefined && like.length === 1 && (await isSame(`${at}/${part}`, `${at}/${name}`).catch(() => false))
    at = `${at}/${found ? name : part}`
  }
  return at
}

async function follow(path: string, windows: boolean): Promise<string | undefined> {
  const start = rootOf(path, windows)
  if (!start) return undefined
  let at = start.root
  let links = 0
  const ahead = start.parts.reverse()
  for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      at = at.slice(0, Math.max(at.lastIndexOf('/'), start.root.length))
      continue
    }
    const next = `${at}/${part}`
    const target = await linkTarget(next)
    if (target === 'unknown') return undefined
    if (target === 'none') {
      at = next
      continue
    }
    if (++links > MOST_LINKS) return undefined
    const elsewhere = rootOf(target.link, windows)
    if (elsewhere) at = elsewhere.root
    else if (windows && /^[\\/]|:/.test(target.link)) return undefined
    ahead.push(...(elsewhere?.parts ?? target.link.split(windows ? /[\\/]/ : '/')).reverse())
  }
  return at === '' || /^[A-Z]:$/.test(at) ? `${at}/` : at
}

function rootOf(path: string, windows: boolean): { readonly root: string; readonly parts: string[] } | undefined {
  if (!windows) return path.startsWith('/') ? { root: '', parts: path.split('/') } : undefined
  const found = /^(?:\\\\\?\\)?([A-Za-z]:)[\\/](.*)$/s.exec(path)
  return found ? { root: found[1]?.toUpperCase() ?? '', parts: (found[2] ?? '').split(/[\\/]/) } : undefined
}

/** Reads a link; a path that does not exist is none. */
async function linkTarget(path: string): Promise<{ readonly link: string } | 'none' | 'unknown'> {
  try {
    return (await lstat(path)).isSymbolicLink() ? { link: await readlink(path) } : 'none'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'none' : 'unknown'
  }
}

function inTime<T>(clock: Clock, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const undo = clock.after(TIMEOUT_MS, () => resolve(undefined))
    work.then(resolve, () => resolve(undefined)).finally(undo)
  })
}
