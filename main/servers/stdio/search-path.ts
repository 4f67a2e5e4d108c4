// Finds out, once, what the person's own terminal would know: the PATH and the variables. Started from a terminal, ours
// are those. Otherwise the login shell is asked, on Windows the registry is read, and the usual places come last.
import { userInfo } from 'node:os'
import { posix, win32 } from 'node:path'
import type { Clock } from '#main/base/clock.ts'
import { variable } from './child-environment.ts'
import { askLoginShell, type ShellReport } from './login-shell.ts'
import { type ReadRegistry, registryVariables } from './registry.ts'
import { type Files, type KnownFolder, wellKnownFolders } from './well-known-folders.ts'

/** `terminal`: we were started from one, so ours is the person's; `fallback`: ours, and folders that usually are on it. */
export type PathSource = 'terminal' | 'login-shell' | 'registry' | 'fallback'

export interface PathFolder {
  readonly folder: string
  /** `own`: on the PATH of Assent itself; `usual-place`: on nobody's, but there. */
  readonly source: Exclude<PathSource, 'fallback'> | 'own' | 'usual-place'
  /** Whose folder it is, as a person knows it: `nvm`, `Homebrew`. */
  readonly manager?: string
}

export interface SearchPath {
  readonly path: string
  readonly source: PathSource
  /** Of the path, in its order. */
  readonly folders: readonly PathFolder[]
  /** How the login shell was asked; undefined: it was not. */
  readonly shell?: ShellReport
}

export interface FoundEnvironment extends SearchPath {
  /** Ours, and over them those of the shell or the registry. Holds secrets: what a server gets of it is chosen by name. */
  readonly variables: Readonly<Record<string, string | undefined>>
}

export interface FindOptions {
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly isTerminal: boolean
  /** The person wants the shell or the registry asked, wherever we were started from: what it says goes before ours. */
  readonly again?: boolean
  readonly clock: Clock
  /** For each attempt, in milliseconds. */
  readonly shellTimeoutMs: readonly [interactive: number, plain: number]
  readonly registry: ReadRegistry
  readonly files?: Files
}

/**
 * A shell counts its depth in SHLVL, but so does the one that starts a desktop, whose variables are not those of a
 * terminal: only a terminal says in TERM what it is.
 */
export function isFromTerminal(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, isTty: boolean): boolean {
  if (isTty) return true
  if (env['SHLVL'] === undefined) return false
  const isDesktop = platform === 'darwin' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
  return !isDesktop || !['', 'dumb', 'linux'].includes(env['TERM'] ?? '')
}

export async function findEnvironment(options: FindOptions): Promise<FoundEnvironment> {
  const { env, platform } = options
  const isTerminal = options.isTerminal && !options.again
  const own = variable(env, 'PATH', platform) ?? ''
  if (platform === 'win32') return fromRegistry({ ...options, isTerminal }, own)
  if (isTerminal) return { path: own, source: 'terminal', folders: label(own, 'terminal', known(options, env), options), variables: env }
  return fromShell(options, own)
}

async function fromShell(options: FindOptions, own: string): Promise<FoundEnvironment> {
  const { env, platform, home, clock, shellTimeoutMs: timeoutMs } = options
  const shell = env['SHELL'] || shellOfAccount() || (platform === 'darwin' ? '/bin/zsh' : '/bin/bash')
  const { variables: said, ...report } = await askLoginShell({ shell, env, home, clock, timeoutMs })
  const variables = { ...env, ...said }
  const usual = known(options, variables)
  const path = said?.['PATH']
  const theirs = label(path ?? own, path === undefined ? 'own' : 'login-shell', usual, options)
  // What the terminal had that we were started from is not lost to a second look.
  const ours = options.isTerminal ? label(own, 'terminal', usual, options) : []
  const folders = join([...theirs, ...ours], usual)
  return { path: textOf(folders, options), source: path === undefined ? 'fallback' : 'login-shell', folders, shell: report, variables }
}

async function fromRegistry(options: FindOptions, own: string): Promise<FoundEnvironment> {
  const { env, registry } = options
  const [machine, person] = await Promise.all([registry('machine'), registry('person')])
  const kept = registryVariables({ machine, person }, env)
  const ofProcess = Object.fromEntries(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]))
  // A terminal may have changed what is kept; a menu starts us with what was kept at sign-in.
  const variables = options.isTerminal ? { ...kept, ...ofProcess } : { ...ofProcess, ...kept }
  const usual = known(options, variables)
  const path = variable(kept, 'PATH', 'win32') ?? ''
  const ours = label(own, 'own', usual, options)
  const theirs = label(path, 'registry', usual, options)
  const folders = join(options.isTerminal ? [...ours, ...theirs] : [...theirs, ...ours], usual)
  return { path: textOf(folders, options), source: options.isTerminal || path === '' ? 'terminal' : 'registry', folders, variables }
}

/** The account may be one that the system does not know, as in a container. */
function shellOfAccount(): string | null {
  try {
    return userInfo().shell
  } catch {
    return null
  }
}

const known = ({ platform, home, files }: FindOptions, variables: FoundEnvironment['variables']): KnownFolder[] =>
  wellKnownFolders({ platform, home, variables, ...(files ? { files } : {}) })

const delimiterOf = ({ platform }: FindOptions): string => (platform === 'win32' ? win32 : posix).delimiter
const textOf = (folders: readonly PathFolder[], options: FindOptions): string =>
  folders.map(({ folder }) => folder).join(delimiterOf(options))

function label(path: string, source: PathFolder['source'], usual: readonly KnownFolder[], options: FindOptions): PathFolder[] {
  const managers = new Map(usual.map(({ folder, manager }) => [folder, manager]))
  return path
    .split(delimiterOf(options))
    .filter(Boolean)
    .map((folder) => {
      const manager = managers.get(folder.replace(/(?<=.)[/\\]+$/, ''))
      return { folder, source, ...(manager === undefined ? {} : { manager }) }
    })
}

/** Each folder once. */
function join(first: readonly PathFolder[], usual: readonly KnownFolder[]): PathFolder[] {
  const folders = new Map(first.map((entry) => [entry.folder, entry]).reverse() as [string, PathFolder][])
  const inOrder = first.filter((entry) => folders.get(entry.folder) === entry)
  const rest = usual.filter(({ folder }) => !folders.has(folder))
  return [...inOrder, ...rest.map(({ folder, manager }): PathFolder => ({ folder, manager, source: 'usual-place' }))]
}
