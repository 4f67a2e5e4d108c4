// Whether an argument may lead into Assent's own data folder (rules, audit log, servers). No rule allows that, so every doubt
// counts as yes. Pure; the host resolves links.
import { isJsonObject, type Json } from '#app/json.ts'
import { EXPANDED, foldPath, isInside, LONGEST_PATH, type PathReading, type PathSystem, readPathText } from './path-text.ts'

/** Data folder: as named, and with links resolved. */
type OwnFolder = readonly string[]

/** Most texts of a call that are examined; beyond it the call may lead anywhere. */
const MOST_TEXTS = 2000
/** Longest file name of any file system. */
const LONGEST_NAME = 255

/** Lists all texts in the arguments; undefined: too many. */
export function argumentTexts(args: Json): readonly string[] | undefined {
  const found = new Set<string>()
  const waiting: Json[] = [args]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (typeof at === 'string') found.add(at)
    else if (Array.isArray(at)) waiting.push(...(at as readonly Json[]))
    else if (isJsonObject(at)) for (const [name, value] of Object.entries(at)) waiting.push(name, value)
    if (found.size > MOST_TEXTS) return undefined
  }
  return [...found]
}

/** Paths whose meaning depends on the process. */
const OF_A_PROCESS = /^\/(?:proc\/(?:self|thread-self|\d+)|dev\/fd)(?:\/|$)/
/** Paths that begin with a variable or another user's home: any folder. */
const ANYWHERE = /^(?:\$[A-Za-z_{(]|%[A-Za-z_]+%|~[^\\/\s])[^\\/\s]*[\\/]/
const HOME = /^(?:~|\$HOME|\$\{HOME\}|\$env:(?:HOME|USERPROFILE)|%USERPROFILE%)(?=[\\/]|$)/i

/** Fills in the home folder. */
const atHome = (text: string, { home }: PathSystem): string => text.replace(HOME, () => home)

/** Paths that a text may stand for, relative ones from `base` on; none for what cannot be a path. */
export function pathsIn(given: string, system: PathSystem, base: string): readonly string[] {
  const text = atHome(given.trim(), system)
  if (text === '' || /[\n\r]/.test(text)) return []
  if (ANYWHERE.test(text) || OF_A_PROCESS.test(text)) return ['/']
  const { places } = readPathText(shorter(text), system)
  if (places.length > 0) return places.filter(isPossible).flatMap((place) => [place, ...beforeExpansion(place)])
  if (/\s/.test(text) && !/[\\/]/.test(text)) return []
  return readPathText(`${base}/${shorter(text.replaceAll('\\', '/'))}`, { ...system, exact: true }).places.filter(isPossible)
}

/** Normalises a path too long for a disk, as a program might first do. */
function shorter(text: string): string {
  if (text.length <= LONGEST_PATH) return text
  const kept: string[] = []
  for (const part of text.split('/')) {
    if (part === '..' && kept.length > 1 && kept.at(-1) !== '..') kept.pop()
    else if (kept.length === 0 || (part !== '' && part !== '.')) kept.push(part)
  }
  return kept.join('/')
}

const isPossible = (place: string): boolean => place.split('/').every((part) => part.length <= LONGEST_NAME)

/** Absolute paths within other text: a command line, an option, a list, JSON. */
const WITHIN =
  /(?<=^|[\s"'`=:,;|>(@&])(?:(?:~|\$HOME|\$\{HOME\}|\$env:(?:HOME|USERPROFILE)|%USERPROFILE%)?[\\/]|[A-Za-z]:[\\/])[^\s"'`=:,;|<>()&]+/gi

export function pathsWithin(text: string, system: PathSystem): readonly string[] {
  const found = new Set(Array.from(text.matchAll(WITHIN), ([path]) => path))
  return [...found].flatMap((path) => readPathText(shorter(atHome(path, system)), system).places).filter(isPossible)
}

/** Folder above the part that a server may expand. */
function beforeExpansion(place: string): readonly string[] {
  const at = place.search(EXPANDED)
  return at < 0 ? [] : [place.slice(0, place.lastIndexOf('/', at)) || '/']
}

/** Whether a path is the folder, within it or above it; also when its links could not be resolved. */
export const touchesFolder = (reading: PathReading, own: OwnFolder): boolean =>
  anyPlace(reading, own, (place, folder) => isInside(place, folder) || isInside(folder, place))

/** Whether a path within text is the folder or within it; a folder above says nothing there. */
export const leadsInto = (reading: PathReading, own: OwnFolder): boolean => anyPlace(reading, own, isInside)

const anyPlace = ({ literal, real }: PathReading, own: OwnFolder, fits: typeof isInside): boolean =>
  real.length === 0 || [...literal, ...real].some((place) => own.some((folder) => fits(foldPath(place), foldPath(folder))))

/** Whether text names the folder, in full or relative to the home folder. */
export function mentionsFolder(text: string, own: OwnFolder, home: string): boolean {
  const plain = foldPath(text.replaceAll('\\', '/').replace(/\/+/g, '/'))
  const names = own.flatMap((folder) => {
    const below = isInside(folder, home) ? folder.slice(home.length + 1) : ''
    return below.includes('/') ? [folder, below] : [folder]
  })
  return names.map(foldPath).some((name) =>
    plain
      .split(name)
      .slice(1)
      .some((rest) => !/^[\w.-]/.test(rest)),
  )
}
