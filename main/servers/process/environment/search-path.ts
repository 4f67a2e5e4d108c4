// Finds PATH and variables as the person's terminal has them. Started from a terminal, the host uses its own; else it asks the
// login shell, or on Windows reads the registry. Well-known folders come last. A server inherits by name (docs/decisions/0014).
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { basename, posix, win32 } from 'node:path'
import { defined, orElse } from '#app/or-else.ts'
import type { PathSource } from '#app/server/doctor.ts'
import type { Clock } from '#main/base/clock.ts'
import { sendSignal } from '#main/servers/process/ledger/reap.ts'
import { type Files, type KnownFolder, wellKnownFolders } from './well-known-folders.ts'
import { type ReadRegistry, registryVariables } from './windows-variables.ts'

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
  ...[
    'NODE_EXTRA_CA_CERTS',
    'NODE_USE_SYSTEM_CA',
    'UV_NATIVE_TLS',
    'UV_SYSTEM_CERTS',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
    'NIX_SSL_CERT_FILE',
    'REQUESTS_CA_BUNDLE',
    'CURL_CA_BUNDLE',
  ],
  ...['NVM_DIR', 'FNM_DIR', 'VOLTA_HOME', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'PYENV_ROOT', 'RBENV_ROOT', 'PNPM_HOME'],
  ...['BUN_INSTALL', 'DENO_INSTALL', 'CARGO_HOME', 'RUSTUP_HOME', 'GOPATH', 'GOROOT', 'GOBIN', 'GEM_HOME', 'JAVA_HOME'],
  ...['HOMEBREW_PREFIX', 'UV_CACHE_DIR', 'UV_TOOL_DIR', 'PIPX_HOME', 'PIPX_BIN_DIR', 'NIX_PATH', 'NIX_PROFILES', 'DOCKER_HOST'],
])
const windowsNames: readonly string[] = [
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES'],
  ...['PROGRAMFILES(X86)', 'PROGRAMW6432', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE', 'WINDIR'],
  ...['ALLUSERSPROFILE', 'COMMONPROGRAMFILES', 'COMMONPROGRAMFILES(X86)', 'COMMONPROGRAMW6432', 'NUMBER_OF_PROCESSORS', 'OS', 'WSLENV'],
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
  /** Language and region (`en-GB`); default: the system's. */
  readonly locale?: string
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
  const variables = { ...languageOfMac(options), ...env, ...said }
  const usual = known(options, variables)
  const path = said?.['PATH']
  const theirs = label(path ?? own, path === undefined ? 'own' : 'login-shell', usual, options)
  // PATH of the terminal that the host was started from is kept at a second look.
  const ours = options.isTerminal ? label(own, 'terminal', usual, options) : []
  const folders = join([...theirs, ...ours], usual)
  return { path: textOf(folders, options), source: path === undefined ? 'fallback' : 'login-shell', folders, shell: report, variables }
}

/** A terminal of a Mac sets LANG by the system's language; the Dock does not, and programs then write ASCII alone. */
const languageOfMac = ({ platform, locale = systemLocale() }: FindOptions): Record<string, string> =>
  platform === 'darwin' ? { LANG: `${locale.replace('-', '_')}.UTF-8` } : {}
const systemLocale = (): string => {
  const { language, region = language.toUpperCase() } = new Intl.Locale(Intl.DateTimeFormat().resolvedOptions().locale).maximize()
  return `${language}-${region}`
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
  return (
    path
      .split(delimiterOf(options))
      // Windows takes a folder in quotation marks, and one with a last backslash, for the folder.
      .map((folder) => (options.platform === 'win32' ? folder.replaceAll('"', '').replace(/(?<=[^:])\\+$/, '') : folder))
      .filter(Boolean)
      .map((folder) => {
        const manager = managers.get(folder.replace(/(?<=.)[/\\]+$/, ''))
        return { folder, source, ...defined({ manager }) }
      })
  )
}

function join(first: readonly PathFolder[], usual: readonly KnownFolder[]): PathFolder[] {
  const folders = new Map(first.map((entry) => [entry.folder, entry]).reverse() as [string, PathFolder][])
  const inOrder = first.filter((entry) => folders.get(entry.folder) === entry)
  const rest = usual.filter(({ folder }) => !folders.has(folder))
  return [...inOrder, ...rest.map(({ folder, manager }): PathFolder => ({ folder, manager, source: 'usual-place' }))]
}

// Asks the person's login shell for its exported variables, as a terminal would have them. Markers separate the answer from what
// start-up files print. `awk` prints the list: it exists everywhere and separates names from values that hold line breaks. The
// shell runs in its own session without input, under a time limit.
/** Longest value that is accepted, in UTF-16 units. */
const longestValue = 128 * 1024
/** Keep two start-up scripts from taking over the shell or the network, and mark this start. */
const guards = { ASSENT_RESOLVING_ENVIRONMENT: '1', DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTARTED: 'true' }
const ofTheShell: ReadonlySet<string> = new Set(['_', 'OLDPWD', 'PWD', 'SHLVL', ...Object.keys(guards)])

export const askedWith = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...env, ...guards })

/**
 * Flags before the command of a login shell. It is interactive at first, since nvm and the like are set up in either kind of start-up file.
 * Nushell takes no flags in one word, and PowerShell has long ones.
 */
export function shellFlags(shell: string, interactive: boolean): string[] {
  const name = basename(shell)
  if (/^t?csh$/.test(name)) return [interactive ? '-ic' : '-c']
  if (name === 'nu') return [...(interactive ? ['-i'] : []), '-l', '-c']
  if (name === 'pwsh') return ['-Login', ...(interactive ? [] : ['-NonInteractive']), '-Command']
  return [interactive ? '-ilc' : '-lc']
}

type Markers = Readonly<Record<'start' | 'between' | 'end', string>>

/** Builds the command. It holds no quote, `$` or backslash that some shell would interpret within `'…'`. */
export const question = ({ start, between, end }: Markers): string =>
  `/bin/sh -c 'printf "%s%s%s" ${start} "$PATH" ${between}; awk -v s=${between} "BEGIN { for (k in ENVIRON) print k s ENVIRON[k] s }" </dev/null; printf "%s" ${end}'`

/** Parses the answer; undefined when it is incomplete or invalid. A shell that echoes the command puts a space behind the first marker. */
export function readAnswer(output: string, { start, between, end }: Markers): Record<string, string> | undefined {
  const body = new RegExp(`${start}(?! )(.*?)${end}`, 's').exec(output)?.[1]
  if (body === undefined) return undefined
  const [path = '', ...parts] = body.split(between)
  if (!path.includes('/')) return undefined
  const variables: Record<string, string> = {}
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const name = (parts[at] ?? '').replace(/^\n/, '')
    const value = parts[at + 1] ?? ''
    const honest = /^[A-Za-z_]\w*$/.test(name) && value.length <= longestValue && !value.includes('\0') && !value.startsWith('()')
    if (honest && !ofTheShell.has(name)) variables[name] = value
  }
  return { ...variables, PATH: path }
}

const maxOutput = 4 * 1024 * 1024

type ShellOutcome = 'answered' | 'too-slow' | 'no-answer' | 'not-started'

interface Attempt {
  readonly outcome: ShellOutcome
  readonly variables: Readonly<Record<string, string>> | undefined
}

/** `tookMs`: milliseconds of all attempts. */
type ShellReport = Omit<Awaited<ReturnType<typeof askLoginShell>>, 'variables'>

export interface LoginShellOptions {
  readonly shell: string
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  /** Milliseconds for each of the two attempts. */
  readonly timeoutMs: readonly [interactive: number, plain: number]
  readonly clock: Clock
}

/** Asks an interactive login shell, then once more without `-i`: some start-up files take over an interactive shell (`exec fish`). */
export async function askLoginShell(options: LoginShellOptions) {
  const { shell, clock, timeoutMs } = options
  const begun = clock.now()
  const first = await ask(options, shellFlags(shell, true), timeoutMs[0])
  const again = first.variables === undefined && first.outcome !== 'not-started'
  const last = again ? await ask(options, shellFlags(shell, false), timeoutMs[1]) : first
  return { ...last, shell, attempts: again ? 2 : 1, tookMs: clock.now() - begun }
}

function ask({ shell, env, home, clock }: LoginShellOptions, flags: readonly string[], limitMs: number): Promise<Attempt> {
  const mark = (): string => `assent-${randomUUID()}`
  const markers: Markers = { start: mark(), between: mark(), end: mark() }
  const start = () =>
    spawn(shell, [...flags, question(markers)], { cwd: home, env: askedWith(env), stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  return new Promise((resolve) => {
    let child: ReturnType<typeof start>
    try {
      child = start()
    } catch {
      resolve({ outcome: 'not-started', variables: undefined }) // A command line that cannot be one.
      return
    }
    let output = ''
    let finished = false
    const finish = (otherwise: ShellOutcome): void => {
      if (finished) return
      finished = true
      cancel()
      process.off('exit', leave)
      child.stdout.destroy()
      if (child.pid !== undefined) endShell(child.pid)
      const variables = readAnswer(output, markers)
      resolve({ outcome: variables ? 'answered' : otherwise, variables })
    }
    const cancel = clock.after(limitMs, () => finish('too-slow'))
    // A host that quits meanwhile leaves no shell behind.
    const leave = (): boolean => signalGroup(child.pid, 'SIGKILL')
    process.once('exit', leave)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const tail = output.slice(-markers.end.length) + text
      output += text
      // Complete with the last marker: a background job of a start-up file may hold the pipe open.
      if (output.length > maxOutput || (tail.includes(markers.end) && readAnswer(output, markers))) finish('no-answer')
    })
    child.on('error', () => finish('not-started'))
    child.on('close', () => finish('no-answer'))
  })
}

/** Milliseconds that programs started by the shell have to clean up. */
const graceMs = 3000

/** Ends the shell's process group, with SIGHUP first: a killed pyenv leaves a lock behind that delays each later shell by a minute. */
function endShell(pid: number): void {
  // Interactive shells obey SIGHUP. SIGTERM comes later, so that it does not hit the clean-up.
  signalGroup(pid, 'SIGHUP')
  setTimeout(() => signalGroup(pid, 'SIGTERM'), graceMs / 3).unref()
  const kill = (): boolean => signalGroup(pid, 'SIGKILL')
  process.once('exit', kill)
  setTimeout(() => {
    process.off('exit', kill)
    kill()
  }, graceMs).unref()
}

const signalGroup = (pid: number | undefined, name: NodeJS.Signals): boolean => pid !== undefined && sendSignal(-pid, name)
