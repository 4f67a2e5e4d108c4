// Resolves the command, working directory and environment of a local server. The command is looked up here and shown to the person,
// so that neither a shell nor the system chooses the file. Relative folders of PATH are skipped. The environment is a small
// allow-list: no variable of the host that may be a secret is inherited.
import { accessSync, constants, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined, orElse } from '#app/or-else.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import type { PathSource } from '#app/server/doctor.ts'
import { systemClock } from '#main/base/clock.ts'
import { nearest } from '#main/base/nearest-name.ts'
import { windowsCandidates } from '../windows-command.ts'
import {
  childEnvironment,
  type FindOptions,
  type FoundEnvironment,
  findEnvironment,
  isFromTerminal,
  type PathFolder,
  type SearchPath,
  variable,
} from './search-path.ts'
import { readRegistry } from './windows-variables.ts'

interface Lookup {
  readonly path: string
  /** Named in the error when the command is not found. */
  readonly pathSource: string
  readonly cwd: string
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly pathExt?: string | undefined
}

export const expandHome = (path: string, home: string): string => (path === '~' || /^~[/\\]/.test(path) ? home + path.slice(1) : path)

/** Resolves a command to an absolute path. @throws {HostError} `server.command-not-found`, with a similar name if there is one */
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
  const names = folders.flatMap((folder) => orElse(() => readdirSync(folder), []))
  const didYouMean = isPath ? undefined : nearest(name, names)
  // A script of Windows (`.ps1`, `.py`) is a file there, though no program.
  const file = [...places.flatMap((place) => candidates(place, lookup)), ...(windows ? places : [])].find(
    (each) => fileKind(each) !== undefined,
  )
  const obstacle = file === undefined ? {} : defined({ there: fileKind(file), file })
  const { path, pathSource, cwd } = lookup
  throw new HostError('server.command-not-found', t`${command} was not found.`, {
    data: { command, path, pathSource, cwd, ...defined({ didYouMean }), ...obstacle },
  })
}

const candidates = (place: string, { platform, pathExt }: Lookup): string[] =>
  platform === 'win32' ? windowsCandidates(place, pathExt) : [place]

/** Whether a file can be run. `anyFile`: one named by its path is taken without that check; the start reports why it fails. */
const isProgram = (file: string, anyFile: boolean): boolean =>
  fileKind(file) === 'file' && (anyFile || orElse(() => accessSync(file, constants.X_OK) === undefined, false))

type Look = (path: string) => Pick<Stats, 'isDirectory'>

/** Looks what is at a path; undefined: nothing. `look` and `lookAtLink` are replaced in tests. */
export function fileKind(path: string, look: Look = statSync, lookAtLink: Look = lstatSync): 'folder' | 'file' | undefined {
  try {
    return look(path).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    // Windows starts the aliases of programs from its Store (`python.exe` in WindowsApps) but lets nobody open them.
    return orElse(() => (lookAtLink(path).isDirectory() ? undefined : 'file'), undefined)
  }
}

export interface PreparedLaunch {
  readonly command: string
  readonly args: readonly string[]
  /** Inherited variables plus those of the definition. Holds secrets. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly path: string
  readonly pathSource: PathSource
  /** Folder of PATH that holds `command`, with its source; undefined: the definition names the path. */
  readonly foundIn?: PathFolder | undefined
}

export type Environment = ReturnType<typeof createEnvironment>

export interface EnvironmentOptions extends Partial<Omit<FindOptions, 'again'>> {
  /** Working directory of a server that configures none; default: the home folder. */
  readonly defaultCwd?: string
}

/** Resolves links in a path; a missing folder is reported when it is needed. */
const realFolder = (path: string): string => orElse(() => realpathSync(path), path)

export function createEnvironment(options: EnvironmentOptions = {}) {
  const { env = process.env, platform = process.platform, home = homedir(), defaultCwd = home, ...given } = options
  let asked: Promise<FoundEnvironment> | undefined
  let again: Promise<SearchPath> | undefined
  const how: FindOptions = {
    env,
    platform,
    home,
    clock: systemClock,
    shellTimeoutMs: [7000, 3000],
    registry: readRegistry,
    ...given,
    isTerminal: given.isTerminal ?? isFromTerminal(env, platform, process.stdin.isTTY || process.stdout.isTTY),
  }
  const { isAbsolute, resolve, dirname } = platform === 'win32' ? win32 : posix
  const configuredCwd = (cwd: string | undefined): string => (cwd ? expandHome(cwd, home) : defaultCwd)

  const find = (): Promise<FoundEnvironment> => (asked ??= findEnvironment(how))

  async function askAgain(): Promise<SearchPath> {
    const { variables, ...path } = await findEnvironment({ ...how, again: true })
    if (path.source !== 'login-shell' && path.source !== 'registry') {
      const { shell, outcome } = path.shell ?? {}
      throw new HostError('environment.no-answer', t`${shell ?? 'Windows'} did not list its variables.`, {
        data: defined({ shell, outcome }),
      })
    }
    asked = Promise.resolve({ ...path, variables })
    return path
  }

  return {
    async searchPath(): Promise<SearchPath> {
      const { variables: _, ...path } = await find()
      return path
    },
    variables: async (): Promise<FoundEnvironment['variables']> => (await find()).variables,
    /** Asks the person's shell (on Windows: the registry) again. @throws {HostError} `environment.no-answer`; the previous values then stay */
    readAgain(): Promise<SearchPath> {
      again ??= askAgain().finally(() => {
        again = undefined
      })
      return again
    },
    /** Working directory of a server, absolute and with links resolved. `asShown`: it follows from the definition's text alone. */
    folder({ cwd }: Pick<StdioDefinition, 'cwd'>): { readonly path: string; readonly asShown: boolean } {
      const text = configuredCwd(cwd)
      const path = realFolder(resolve(text))
      return { path, asShown: cwd ? isAbsolute(text) : path === realFolder(resolve(home)) }
    },
    /** Resolves a launch. @throws {HostError} `server.cwd-not-found` or `server.command-not-found` */
    async prepare(definition: Pick<StdioDefinition, 'command' | 'args' | 'env' | 'cwd'>): Promise<PreparedLaunch> {
      const cwd = configuredCwd(definition.cwd)
      const there = fileKind(cwd)
      if (there === undefined) throw new HostError('server.cwd-not-found', t`There is no folder ${cwd}.`, { data: { cwd } })
      if (there === 'file') throw new HostError('server.cwd-not-found', t`${cwd} is a file, not a folder.`, { data: { cwd, there } })
      const found = await find()
      const configured = variable(definition.env, 'PATH', platform)
      const path = configured ?? found.path
      const pathSource = configured === undefined ? found.source : 'config'
      const pathExt = variable(found.variables, 'PATHEXT', platform)
      const command = resolveCommand(definition.command, { path, pathSource, cwd, home, platform, pathExt })
      const folder = dirname(command)
      const foundIn = configured === undefined ? found.folders.find((entry) => entry.folder === folder) : undefined
      const env = childEnvironment(found.variables, found.path, definition.env, platform)
      return { command, args: definition.args, env, cwd, path, pathSource, ...defined({ foundIn }) }
    },
  }
}
