// Finds out, once, what the person's own terminal would know: the PATH and the variables. Started from a terminal, ours are
// those. Otherwise the login shell is asked, on Windows the registry is read, and the usual places come last. What a server
// inherits, by name: enough to find its home, its language, the way out through a proxy, and the tools of the person.
// Everything else, tokens above all, it gets only when its definition says so. See docs/decisions/0014.
import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import { posix, win32 } from 'node:path'
import type { Clock } from '#main/base/clock.ts'
import { system32 } from '#main/base/powershell.ts'
import { askLoginShell, type ShellReport } from './login-shell.ts'
import { type Files, type KnownFolder, wellKnownFolders } from './well-known-folders.ts'

// The variables that Windows keeps for the machine and for the person, from what `reg query` prints. A process has those
// of the moment at which it was started; what was installed since is in the registry alone. Pure but for `readRegistry`,
// which was never run: no machine of ours runs Windows.

const registryKeys = {
  machine: 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
  person: 'HKCU\\Environment',
} as const
type RegistryKey = keyof typeof registryKeys

/** What `reg query` prints for a key; undefined where it fails. The seam. */
export type ReadRegistry = (key: RegistryKey) => Promise<string | undefined>

const limitMs = 3000

export const readRegistry: ReadRegistry = (key) =>
  new Promise((resolve) => {
    execFile(
      system32('reg.exe'),
      ['query', registryKeys[key]],
      { timeout: limitMs, windowsHide: true, maxBuffer: 1024 * 1024 },
      (error, stdout) => resolve(error ? undefined : stdout),
    )
  })

interface Value {
  readonly name: string
  readonly text: string
  readonly expands: boolean
}

function valuesIn(output: string): Value[] {
  return output.split(/\r?\n/).flatMap((line) => {
    const [, name, kind, text] = /^ {4}(\S.*?) {4}(REG_SZ|REG_EXPAND_SZ) {4}(.*)$/.exec(line) ?? []
    // What the console's code page cannot say comes out as a question mark: it names another folder, or none.
    if (name === undefined || text === undefined || text.includes('\uFFFD')) return []
    return { name, text: text.trimEnd(), expands: kind === 'REG_EXPAND_SZ' }
  })
}

/**
 * Variables by their name in capital letters, the person's before the machine's; PATH is the machine's and then the
 * person's. `%NAME%` is put in from `env` and from those before it, once.
 */
export function registryVariables(
  output: Readonly<Record<RegistryKey, string | undefined>>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const known = new Map(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name.toUpperCase(), value] as const])))
  const found = new Map<string, string>()
  const paths: string[] = []
  for (const key of ['machine', 'person'] as const) {
    const values = valuesIn(output[key] ?? '')
    const plain = new Map(values.filter(({ expands }) => !expands).map(({ name, text }) => [name.toUpperCase(), text]))
    for (const { name, text, expands } of values) {
      const upper = name.toUpperCase()
      const expand = (whole: string, inner: string): string =>
        plain.get(inner.toUpperCase()) ?? found.get(inner.toUpperCase()) ?? known.get(inner.toUpperCase()) ?? whole
      const value = expands ? text.replaceAll(/%([^%=]+)%/g, expand) : text
      if (upper === 'PATH') paths.push(value)
      // The machine's own USERNAME is SYSTEM, and its TEMP is not the person's.
      else if (key === 'person' || !['USERNAME', 'TEMP', 'TMP'].includes(upper)) found.set(upper, value)
    }
  }
  if (paths.length > 0) found.set('PATH', paths.flatMap((path) => path.split(';').filter(Boolean)).join(';'))
  return Object.fromEntries(found)
}

const posixNames: ReadonlySet<string> = new Set([
  // who and where
  ...['HOME', 'LOGNAME', 'SHELL', 'TERM', 'USER', 'TMPDIR', 'TZ'],
  // language
  ...['LANG', 'LANGUAGE', 'LC_ALL', 'LC_ADDRESS', 'LC_COLLATE', 'LC_CTYPE', 'LC_IDENTIFICATION', 'LC_MEASUREMENT', 'LC_MESSAGES'],
  ...['LC_MONETARY', 'LC_NAME', 'LC_NUMERIC', 'LC_PAPER', 'LC_TELEPHONE', 'LC_TIME'],
  // folders of the desktop, and the desktop itself
  ...['XDG_BIN_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_DIRS', 'XDG_CONFIG_HOME', 'XDG_DATA_DIRS', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'],
  ...['XDG_STATE_HOME', 'XDG_CURRENT_DESKTOP', 'XDG_SESSION_TYPE', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'],
  ...['DBUS_SESSION_BUS_ADDRESS'],
  // a socket, not a key: git over ssh needs it
  'SSH_AUTH_SOCK',
])
/** Where tools and their packages are kept, and whom they trust: paths and addresses of sockets, never a word that opens something. */
const toolNames: ReadonlySet<string> = new Set([
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NIX_SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ...['NVM_DIR', 'FNM_DIR', 'VOLTA_HOME', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'PYENV_ROOT', 'RBENV_ROOT', 'PNPM_HOME'],
  ...['BUN_INSTALL', 'DENO_INSTALL', 'CARGO_HOME', 'RUSTUP_HOME', 'GOPATH', 'GOROOT', 'GOBIN', 'GEM_HOME', 'JAVA_HOME'],
  ...['HOMEBREW_PREFIX', 'UV_CACHE_DIR', 'UV_TOOL_DIR', 'PIPX_HOME', 'PIPX_BIN_DIR', 'NIX_PATH', 'NIX_PROFILES', 'DOCKER_HOST'],
])
const windowsNames = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
]
const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY']

/** A variable by name; Windows does not tell `Path` from `PATH`. */
export function variable(env: Readonly<Record<string, string | undefined>>, name: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return env[name]
  const upper = name.toUpperCase()
  return Object.entries(env).find(([key]) => key.toUpperCase() === upper)?.[1]
}

function isInherited(name: string, platform: NodeJS.Platform): boolean {
  const upper = name.toUpperCase()
  if (platform === 'win32') return windowsNames.includes(upper) || proxyNames.includes(upper) || toolNames.has(upper)
  const isProxy = proxyNames.includes(upper) && (name === upper || name === name.toLowerCase())
  return posixNames.has(name) || toolNames.has(name) || isProxy
}

/** `configured` wins over what is inherited, and its PATH over `path`. */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  path: string,
  configured: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Record<string, string> {
  const child = new Map<string, readonly [name: string, value: string]>()
  const set = (name: string, value: string): void => void child.set(platform === 'win32' ? name.toUpperCase() : name, [name, value])
  for (const [name, value] of Object.entries(env)) {
    // A value like "() {" is a shell function that bash would run (Shellshock).
    if (value !== undefined && !value.startsWith('()') && isInherited(name, platform)) set(name, value)
  }
  set('PATH', path)
  // `bash -c` whose stdin is a socket takes itself for a remote shell, unless it is within another: it would read the
  // person's .bashrc, slowly, and what that prints would stand among the protocol.
  if (platform !== 'win32') set('SHLVL', '1')
  for (const [name, value] of Object.entries(configured)) set(name, value)
  return Object.fromEntries(child.values())
}

/** `terminal`: we were started from one, so ours is the person's; `fallback`: ours, and folders that usually are on it. */
export type SearchPathSource = 'terminal' | 'login-shell' | 'registry' | 'fallback'

export interface PathFolder {
  readonly folder: string
  /** `own`: on the PATH of Assent itself; `usual-place`: on nobody's, but there. */
  readonly source: Exclude<SearchPathSource, 'fallback'> | 'own' | 'usual-place'
  /** Whose folder it is, as a person knows it: `nvm`, `Homebrew`. */
  readonly manager?: string
}

export interface SearchPath {
  readonly path: string
  readonly source: SearchPathSource
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
