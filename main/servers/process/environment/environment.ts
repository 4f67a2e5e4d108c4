// Where commands are looked for and what a server is given of our environment. An application that is started from a
// dock or a menu has a bare PATH: then the person's login shell is asked for theirs, once, before the first start of a server,
// and again when the person wants that, for they may have changed a start-up file meanwhile.
// A server gets a small environment, so that no token of ours ends up in a program that somebody else wrote.
import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { type Clock, systemClock } from '#main/base/clock.ts'
import { nearest } from '#main/base/nearest-name.ts'
import { windowsCandidates } from '../windows-command.ts'
import {
  childEnvironment,
  type FindOptions,
  type FoundEnvironment,
  findEnvironment,
  isFromTerminal,
  type PathFolder,
  type ReadRegistry,
  readRegistry,
  type SearchPath,
  type SearchPathSource,
  variable,
} from './search-path.ts'
import type { Files } from './well-known-folders.ts'

// From the command of a definition to the one file that will run, looked up by us and shown to the person, so that it is
// neither a shell nor the system that chooses. Folders of the PATH that are relative are left out: what runs must not
// depend on where we happen to be.

interface Lookup {
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
function whatIsAt(path: string): 'folder' | 'file' | undefined {
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

/** A definition made ready for `launchStdio`. */
export interface PreparedLaunch {
  /** Absolute. */
  readonly command: string
  readonly args: readonly string[]
  /** Minimal, plus the definition's. Holds secrets. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** What `command` was looked for in. */
  readonly path: string
  readonly pathSource: SearchPathSource | 'config'
  /** The folder of the path that `command` was found in, and where that is from; undefined: the definition names it. */
  readonly foundIn?: PathFolder | undefined
}

/** The seam: the command line and the tests may bring their own. */
export interface Environment {
  searchPath(): Promise<SearchPath>
  /** What `${env:NAME}` stands for: the person's own variables, not only those that we were started with. Holds secrets. */
  variables(): Promise<Readonly<Record<string, string | undefined>>>
  /** Asks the person's shell (on Windows: the registry) anew. Rejects with `environment.no-answer`: all stays as it was. */
  readAgain(): Promise<SearchPath>
  /** Where a server runs, absolute and with links followed. `asShown`: it follows from the definition's text alone. */
  folder(definition: Pick<StdioDefinition, 'cwd'>): { readonly path: string; readonly asShown: boolean }
  /** Rejects with `server.cwd-not-found` or `server.command-not-found`. */
  prepare(definition: Pick<StdioDefinition, 'command' | 'args' | 'env' | 'cwd'>): Promise<PreparedLaunch>
}

export interface EnvironmentOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly platform?: NodeJS.Platform
  readonly home?: string
  /** Where a server without a folder of its own runs; default: the home folder. */
  readonly defaultCwd?: string
  readonly isTerminal?: boolean
  /** How long the login shell may take, in milliseconds: as in a terminal, and once more without being interactive. */
  readonly shellTimeoutMs?: readonly [interactive: number, plain: number]
  readonly clock?: Clock
  readonly registry?: ReadRegistry
  readonly files?: Files
}

/** One that is not there is said to be missing when it is needed. */
function realFolder(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

export function createEnvironment(options: EnvironmentOptions = {}): Environment {
  const env = options.env ?? process.env
  const platform = options.platform ?? process.platform
  const home = options.home ?? homedir()
  let asked: Promise<FoundEnvironment> | undefined

  let again: Promise<SearchPath> | undefined
  const how: FindOptions = {
    env,
    platform,
    home,
    isTerminal: options.isTerminal ?? isFromTerminal(env, platform, process.stdin.isTTY || process.stdout.isTTY),
    clock: options.clock ?? systemClock,
    shellTimeoutMs: options.shellTimeoutMs ?? [7000, 3000],
    registry: options.registry ?? readRegistry,
    ...(options.files ? { files: options.files } : {}),
  }

  const find = (): Promise<FoundEnvironment> => {
    asked ??= findEnvironment(how)
    return asked
  }

  async function askAgain(): Promise<SearchPath> {
    const { variables, ...path } = await findEnvironment({ ...how, again: true })
    if (path.source !== 'login-shell' && path.source !== 'registry') {
      const whom = path.shell === undefined ? 'Windows' : path.shell.shell
      throw new HostError('environment.no-answer', t`${whom} did not tell its variables. What was known before stays.`, {
        data: { ...(path.shell ? { shell: path.shell.shell, outcome: path.shell.outcome } : {}) },
      })
    }
    asked = Promise.resolve({ ...path, variables })
    return path
  }

  return {
    async searchPath() {
      const { variables: _, ...path } = await find()
      return path
    },
    variables: async () => (await find()).variables,
    readAgain() {
      again ??= askAgain().finally(() => {
        again = undefined
      })
      return again
    },
    folder({ cwd }) {
      const { isAbsolute, resolve } = platform === 'win32' ? win32 : posix
      const text = cwd ? expandHome(cwd, home) : (options.defaultCwd ?? home)
      const path = realFolder(resolve(text))
      return { path, asShown: cwd ? isAbsolute(text) : path === realFolder(resolve(home)) }
    },
    async prepare(definition) {
      const cwd = definition.cwd ? expandHome(definition.cwd, home) : (options.defaultCwd ?? home)
      const there = whatIsAt(cwd)
      if (there === undefined) throw new HostError('server.cwd-not-found', t`The folder ${cwd} does not exist.`, { data: { cwd } })
      if (there === 'file')
        throw new HostError('server.cwd-not-found', t`${cwd} is a file, not a folder.`, { data: { cwd, there: 'file' } })
      const found = await find()
      const configured = variable(definition.env, 'PATH', platform)
      const path = configured ?? found.path
      const pathSource = configured === undefined ? found.source : 'config'
      const command = resolveCommand(definition.command, {
        path,
        pathSource,
        cwd,
        home,
        platform,
        pathExt: variable(found.variables, 'PATHEXT', platform),
      })
      const folder = (platform === 'win32' ? win32 : posix).dirname(command)
      const foundIn = configured === undefined ? found.folders.find((entry) => entry.folder === folder) : undefined
      return {
        command,
        args: definition.args,
        env: childEnvironment(found.variables, found.path, definition.env, platform),
        cwd,
        path,
        pathSource,
        ...(foundIn ? { foundIn } : {}),
      }
    },
  }
}
