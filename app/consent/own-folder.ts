// Whether an argument may lead into the folder that Assent keeps its own data in: its rules, its record, its list of
// servers. No rule answers for that, so every doubt counts as a yes. Pure; links are followed by the host.
import type { Json } from '../json.ts'
import { isJsonObject } from '../json.ts'
import { EXPANDED, fold, isInside, type PathReading, type PathSystem, readPathText } from './path-text.ts'

/** The data folder as a place: as it is named, and where it really is. */
export type OwnFolder = readonly string[]

/** More texts than these of one call are not looked at: it may then lead anywhere. */
const MOST_TEXTS = 2000
/** No name on any disk is longer. */
const LONGEST_NAME = 255

/** Every text of the arguments, also deep within them; undefined: there are too many. */
export function textsOf(args: Json): readonly string[] | undefined {
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

/** The paths that a text may stand for, from the folder `base` on if it names none; nothing for what can be no path. */
export function pathsIn(text: string, system: PathSystem, base: string): readonly string[] {
  if (text === '' || /[\n\r]/.test(text) || text.split(/[\\/]/).some((part) => part.length > LONGEST_NAME)) return []
  const { places } = readPathText(text, system)
  if (places.length > 0) return places.flatMap((place) => [place, ...beforeExpansion(place)])
  if (/\s/.test(text) && !/[\\/]/.test(text)) return []
  return readPathText(`${base}/${text.replaceAll('\\', '/')}`, { ...system, exact: true }).places
}

/** The folder from which on a server may make anything of the path. */
function beforeExpansion(place: string): readonly string[] {
  const at = place.search(EXPANDED)
  return at < 0 ? [] : [place.slice(0, place.lastIndexOf('/', at)) || '/']
}

/** It is the folder, lies in it, or has it inside. */
export function touchesFolder({ literal, real }: PathReading, own: OwnFolder): boolean {
  return [...literal, ...real].map(fold).some((place) => own.map(fold).some((folder) => isInside(place, folder) || isInside(folder, place)))
}

/** The folder stands in the text, whole or from the home folder on: as in a command line. */
export function namesFolder(text: string, own: OwnFolder, home: string): boolean {
  const plain = fold(text.replaceAll('\\', '/').replace(/\/+/g, '/'))
  const names = own.flatMap((folder) => {
    const below = isInside(folder, home) ? folder.slice(home.length + 1) : ''
    return below.includes('/') ? [folder, below] : [folder]
  })
  return names.map(fold).some((name) =>
    plain
      .split(name)
      .slice(1)
      .some((rest) => !/^[\w.-]/.test(rest)),
  )
}
