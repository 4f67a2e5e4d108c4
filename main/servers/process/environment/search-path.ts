// Finds PATH and variables as the person's terminal has them. Started from a terminal, the host uses its own; else it asks the
// login shell, or on Windows reads the registry. Well-known folders come last. A server inherits by name (docs/decisions/0014).
import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import { posix, win32 } from 'node:path'
import { defined, orElse } from '#app/or-else.ts'
import type { PathSource } from '#app/server/doctor.ts'
import { system32 } from '#main/base/powershell.ts'
import { askLoginShell, type LoginShellOptions, type ShellReport } from './login-shell.ts'
import { type Files, type KnownFolder, wellKnownFolders } from './well-known-folders.ts'

const registryKeys = {
  machine: 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
  person: 'HKCU\\Environment',
} as const
type RegistryKey = keyof typeof registryKeys

/** Runs `reg query` for a key; undefined where it fails. Replaced in tests. */
export type ReadRegistry = (key: RegistryKey) => Promise<string | undefined>

const limitMs = 3000

/** Reads a key of the Windows registry: a process has the variables of its own start only. Never run on Windows. */
export const readRegistry: ReadRegistry = (key) =>
  new Promise((resolve) => {
    const options = { timeout: limitMs, windowsHide: true, maxBuffer: 1024 * 1024 }
    execFile(system32('reg.exe'), ['query', registryKeys[key]], options, (error, stdout) => resolve(error ? undefined : stdout))
  })

function registryValues(output: string) {
  return output.split(/\r?\n/).flatMap((line) => {
    const [, name, kind, text] = /^ {4}(\S.*?) {4}(REG_SZ|REG_EXPAND_SZ) {4}(.*)$/.exec(line) ?? []
    // Characters outside the console's code page come out as U+FFFD: such a path would name another folder.
    if (name === undefined || text === undefined || text.includes('\uFFFD')) return []
    return { name, text: text.trimEnd(), expands: kind === 'REG_EXPAND_SZ' }
  })
}

/** Merges variables by upper-case name; the person's win, but PATH has both. `%NAME%` is expanded once, from `env` and earlier values. */
export function registryVariables(
  output: Readonly<Record<RegistryKey, string | undefined>>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const known = new Map(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name.toUpperCase(), value] as const])))
  const found = new Map<string, string>()
  const paths: string[] = []
  for (const key of ['machine', 'person'] as const) {
    const values = registryValues(output[key] ?? '')
    const plain = new Map(values.filter(({ expands }) => !expands).map(({ name, text }) => [name.toUpperCase(), text]))
    for (const { name, text, expands } of values) {
      const upper = name.toUpperCase()
      const expand = (whole: string, inner: string): string =>
        plain.get(inner.toUpperCase()) ?? found.get(inner.toUpperCase()) ?? known.get(inner.toUpperCase()) ?? whole
      const value = expands ? text.replaceAll(/%([^%=]+)%/g, expand) : text
      if (upper === 'PATH') paths.push(value)
      // The machine's USERNAME is SYSTEM, and its TEMP is not the person's.
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
/** Folders of tools and packages, and certificate stores: paths and socket addresses, never secrets. */
const toolNames: ReadonlySet<string> = new Set([
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NIX_SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ...['NVM_DIR', 'FNM_DIR', 'VOLTA_HOME', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'PYENV_ROOT', 'RBENV_ROOT', 'PNPM_HOME'],
  ...['BUN_INSTALL', 'DENO_INSTALL', 'CARGO_HOME', 'RUSTUP_HOME', 'GOPATH', 'GOROOT', 'GOBIN', 'GEM_HOME', 'JAVA_HOME'],
  ...['HOMEBREW_PREFIX', 'UV_CACHE_DIR', 'UV_TOOL_DIR', 'PIPX_HOME', 'PIPX_BIN_DIR', 'NIX_PATH', 'NIX_PROFILES', 'DOCKER_HOST'],
])
const windowsNames: readonly string[] = [
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES'],
  ...['PROGRAMFILES(X86)', 'PROGRAMW6432', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE', 'WINDIR'],
]
const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY']

/** Looks up a variable; on Windows names are case-insensitive. */
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

/** Builds a server's environment. `configured` overrides inherited variables, and its PATH overrides `path`. */
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
  // Without it, `bash -c` with a socket as stdin takes itself for a remote shell, and output of .bashrc would corrupt the protocol.
  if (platform !== 'win32') set('SHLVL', '1')
  for (const [name, value] of Object.entries(configured)) set(name, value)
  return Object.fromEntries(child.values())
}

/** Source of a PATH. `terminal`: the host's own, started from one; `fallback`: the host's own plus well-known folders. */
type SearchPathSource = Exclude<PathSource, 'config'>

export interface PathFolder {
  readonly folder: string
  /** `own`: on the host's PATH; `usual-place`: well-known, on no PATH. */
  readonly source: Exclude<SearchPathSource, 'fallback'> | 'own' | 'usual-place'
  /** Name of the manager that owns the folder: `nvm`, `Homebrew`. */
  readonly manager?: string
}

export interface SearchPath {
  readonly path: string
  readonly source: SearchPathSource
  readonly folders: readonly PathFolder[]
  readonly shell?: ShellReport
}

export interface FoundEnvironment extends SearchPath {
  /** The host's variables, overridden by those of the shell or the registry. Holds secrets: servers inherit by name only. */
  readonly variables: Readonly<Record<string, string | undefined>>
}

export interface FindOptions extends Pick<LoginShellOptions, 'env' | 'home' | 'clock'> {
  readonly platform: NodeJS.Platform
  readonly isTerminal: boolean
  /** Ask the shell or the registry wherever the host was started from; their answer wins. */
  readonly again?: boolean
  readonly shellTimeoutMs: LoginShellOptions['timeoutMs']
  readonly registry: ReadRegistry
  readonly files?: Files
}

/** Whether the host was started from a terminal: the shell that starts a desktop sets SHLVL too, but only a terminal sets TERM. */
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
  // PATH of the terminal that the host was started from is kept at a second look.
  const ours = options.isTerminal ? label(own, 'terminal', usual, options) : []
  const folders = join([...theirs, ...ours], usual)
  return { path: textOf(folders, options), source: path === undefined ? 'fallback' : 'login-shell', folders, shell: report, variables }
}

async function fromRegistry(options: FindOptions, own: string): Promise<FoundEnvironment> {
  const { env, registry } = options
  const [machine, person] = await Promise.all([registry('machine'), registry('person')])
  const kept = registryVariables({ machine, person }, env)
  const ofProcess = Object.fromEntries(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]))
  // A terminal may have changed the stored variables; a desktop starts the host with those of the sign-in.
  const variables = options.isTerminal ? { ...kept, ...ofProcess } : { ...ofProcess, ...kept }
  const usual = known(options, variables)
  const path = variable(kept, 'PATH', 'win32') ?? ''
  const ours = label(own, 'own', usual, options)
  const theirs = label(path, 'registry', usual, options)
  const folders = join(options.isTerminal ? [...ours, ...theirs] : [...theirs, ...ours], usual)
  return { path: textOf(folders, options), source: options.isTerminal || path === '' ? 'terminal' : 'registry', folders, variables }
}

/** Login shell of the account; null for one that the system does not know, as in a container. */
const shellOfAccount = (): string | null => orElse(() => userInfo().shell, null)

const known = ({ platform, home, files }: FindOptions, variables: FoundEnvironment['variables']): KnownFolder[] =>
  wellKnownFolders({ platform, home, variables, ...defined({ files }) })

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
      return { folder, source, ...defined({ manager }) }
    })
}

function join(first: readonly PathFolder[], usual: readonly KnownFolder[]): PathFolder[] {
  const folders = new Map(first.map((entry) => [entry.folder, entry]).reverse() as [string, PathFolder][])
  const inOrder = first.filter((entry) => folders.get(entry.folder) === entry)
  const rest = usual.filter(({ folder }) => !folders.has(folder))
  return [...inOrder, ...rest.map(({ folder, manager }): PathFolder => ({ folder, manager, source: 'usual-place' }))]
}
