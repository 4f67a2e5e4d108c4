// From the command of a definition to the one file that will run, looked up by us and shown to the person, so that it is
// neither a shell nor the system that chooses. Folders of the PATH that are relative are left out: what runs must not
// depend on where we happen to be.
import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { nearest } from '#main/base/nearest.ts'
import { windowsCandidates } from './windows.ts'

export interface Lookup {
  readonly path: string
  /** For the message, when it is not found. */
  readonly pathSource: string
  readonly cwd: string
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly pathExt?: string | undefined
}

export const expandHome = (path: string, home: string): string => (path === '~' || /^~[/\\]/.test(path) ? home + path.slice(1) : path)

/** Absolute. Throws `server.command-not-found` with what is close to it in name. */
export function resolveCommand(command: string, lookup: Lookup): string {
  const windows = lookup.platform === 'win32'
  const { isAbsolute, join, resolve, delimiter } = windows ? win32 : posix
  const name = expandHome(command, lookup.home)
  const isPath = windows ? /[/\\]/.test(name) : name.includes('/')
  const folders = lookup.path.split(delimiter).filter((folder) => isAbsolute(folder))
  const places = isPath ? [resolve(lookup.cwd, name)] : folders.map((folder) => join(folder, name))
  for (const place of places) {
    const found = candidates(place, lookup).find((file) => isProgram(file, isPath || windows))
    if (found !== undefined) return found
  }
  const didYouMean = isPath ? undefined : nearest(name, programsIn(folders))
  const there = places.flatMap((place) => candidates(place, lookup)).flatMap(obstacle)[0]
  const data = {
    command,
    path: lookup.path,
    pathSource: lookup.pathSource,
    cwd: lookup.cwd,
    ...(didYouMean === undefined ? {} : { didYouMean }),
    ...there,
  }
  throw new HostError('server.command-not-found', t`The command “${command}” was not found.`, { data })
}

const candidates = (place: string, { platform, pathExt }: Lookup): string[] =>
  platform === 'win32' ? windowsCandidates(place, pathExt) : [place]

/** `anyFile`: a file that was named by its path is taken as it is; why it may not run is for the start to say. */
function isProgram(file: string, anyFile: boolean): boolean {
  try {
    if (!statSync(file).isFile()) return false
    if (!anyFile) accessSync(file, constants.X_OK)
    return true
  } catch {
    return false // It is not there, or not for us.
  }
}

/** Undefined: nothing, or nothing that we may see. */
export function whatIsAt(path: string): 'folder' | 'file' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file'
  } catch {
    return undefined
  }
}

/** What is there in place of a program. */
function obstacle(file: string): { readonly there: 'folder' | 'file'; readonly file: string }[] {
  const there = whatIsAt(file)
  return there === undefined ? [] : [{ there, file }]
}

function programsIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    try {
      return readdirSync(folder)
    } catch {
      return [] // Many a PATH names folders that are not there.
    }
  })
}
