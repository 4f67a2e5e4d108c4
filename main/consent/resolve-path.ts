// Where a path leads on this machine: links are followed as the system would, part by part, as far as there is anything.
// What cannot be looked at, or leads round in circles, is not sure. A link may change between this look and the server's
// own: whoever can write there could win that race, so a rule about a folder is as good as the folder's own rights.
import { lstat, readlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { type PathReading, type PathSystem, readPathText } from '#app/consent/rules/path-text.ts'
import type { Clock } from '#main/base/clock.ts'

export interface PathResolver {
  /** `local`: the server runs on this machine. Elsewhere nothing can be followed, and nothing is sure. */
  read(text: string, local: boolean): Promise<PathReading>
  readonly system: PathSystem
  /** A folder as a person names it, and where it really is; undefined: it is no absolute path, or cannot be looked at. */
  folder(text: string): Promise<{ readonly folder: string; readonly real: string } | undefined>
}

const MOST_LINKS = 40
/** A disk on a network may not answer at all. */
const PATIENCE_MS = 2000

export function createPathResolver(clock: Clock, windows = process.platform === 'win32'): PathResolver {
  const system: PathSystem = { windows, home: windows ? homedir().replaceAll('\\', '/') : homedir() }
  /** `all`: each of them could be followed. */
  const followAll = async (paths: readonly string[]): Promise<{ readonly all: boolean; readonly real: readonly string[] }> => {
    const real = (await inTime(clock, Promise.all(paths.map((path) => follow(path, windows))))) ?? []
    const found = real.filter((place) => place !== undefined)
    return { all: found.length === paths.length, real: [...new Set(found)] }
  }
  return {
    system,
    async read(text, local) {
      const { sure, places } = readPathText(text, system)
      if (!local) return { sure: false, literal: places, real: [] }
      // As the system would walk it, and as a program that tidies it first: `link/..` is where these differ.
      const { all, real } = await followAll(sure ? [text, ...places] : places)
      return { sure: sure && all, literal: places, real }
    },
    async folder(text) {
      const { sure, places } = readPathText(text.replace(/^~(?=[\\/]|$)/, system.home), { ...system, exact: true })
      const [folder] = places
      if (!sure || folder === undefined) return undefined
      const [real] = (await followAll([folder])).real
      return real === undefined ? undefined : { folder, real }
    },
  }
}

/** Undefined: it cannot be told. */
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

/** What is not there leads nowhere else. */
async function linkTarget(path: string): Promise<{ readonly link: string } | 'none' | 'unknown'> {
  try {
    return (await lstat(path)).isSymbolicLink() ? { link: await readlink(path) } : 'none'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'none' : 'unknown'
  }
}

function inTime<T>(clock: Clock, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const undo = clock.after(PATIENCE_MS, () => resolve(undefined))
    work.then(resolve, () => resolve(undefined)).finally(undo)
  })
}
