// Whether an argument may lead into the folder that Assent keeps its own data in: its rules, its record, its list of
// servers. No rule answers for that, so every doubt counts as a yes. Pure; links are followed by the host.
import type { Json } from '#app/json.ts'
import { isJsonObject } from '#app/json.ts'
import { EXPANDED, foldPath, isInside, LONGEST_PATH, type PathReading, type PathSystem, readPathText } from './path-text.ts'

/** The data folder as a place: as it is named, and where it really is. */
type OwnFolder = readonly string[]

/** More texts than these of one call are not looked at: it may then lead anywhere. */
const MOST_TEXTS = 2000
/** No name on any disk is longer. */
const LONGEST_NAME = 255

/** Every text of the arguments, also deep within them; undefined: there are too many. */
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

/** Their own meaning differs from process to process: of the server nobody can tell it. */
const OF_A_PROCESS = /^\/(?:proc\/(?:self|thread-self|\d+)|dev\/fd)(?:\/|$)/
/** It begins with a variable, or with another person's home folder: that may be any folder. */
const ANYWHERE = /^(?:\$[A-Za-z_{(]|%[A-Za-z_]+%|~[^\\/\s])[^\\/\s]*[\\/]/
const HOME = /^(?:\$HOME|\$\{HOME\}|%USERPROFILE%)(?=[\\/]|$)/i

/** The paths that a text may stand for, from the folder `base` on if it names none; nothing for what can be no path. */
export function pathsIn(given: string, system: PathSystem, base: string): readonly string[] {
  const text = given.trim().replace(HOME, system.home)
  if (text === '' || /[\n\r]/.test(text)) return []
  if (ANYWHERE.test(text) || OF_A_PROCESS.test(text)) return ['/']
  const { places } = readPathText(shorter(text), system)
  if (places.length > 0) return places.filter(isPossible).flatMap((place) => [place, ...beforeExpansion(place)])
  if (/\s/.test(text) && !/[\\/]/.test(text)) return []
  return readPathText(`${base}/${shorter(text.replaceAll('\\', '/'))}`, { ...system, exact: true }).places.filter(isPossible)
}

/** What a program that tidies it first makes of a path that is too long for the disk. */
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

/** A whole path within other text: a command line, an option, a list, JSON. */
const WITHIN = /(?<=^|[\s"'`=:,;|>(@&])(?:~?\/|[A-Za-z]:[\\/])[^\s"'`=:,;|<>()&]+/g

export function pathsWithin(text: string, system: PathSystem): readonly string[] {
  const found = new Set(Array.from(text.matchAll(WITHIN), ([path]) => path))
  return [...found].flatMap((path) => readPathText(shorter(path), system).places).filter(isPossible)
}

/** The folder from which on a server may make anything of the path. */
function beforeExpansion(place: string): readonly string[] {
  const at = place.search(EXPANDED)
  return at < 0 ? [] : [place.slice(0, place.lastIndexOf('/', at)) || '/']
}

/** It is the folder, lies in it, or has it inside; or nobody could follow its links, as on a disk that does not answer in time. */
export function touchesFolder({ literal, real }: PathReading, own: OwnFolder): boolean {
  if (real.length === 0) return true
  return [...literal, ...real]
    .map(foldPath)
    .some((place) => own.map(foldPath).some((folder) => isInside(place, folder) || isInside(folder, place)))
}

/** It is the folder or lies in it: of a path among other text, a folder above says nothing. */
export function leadsInto({ literal, real }: PathReading, own: OwnFolder): boolean {
  if (real.length === 0) return true
  return [...literal, ...real].map(foldPath).some((place) => own.map(foldPath).some((folder) => isInside(place, folder)))
}

/** The folder stands in the text, whole or from the home folder on: as in a command line. */
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
