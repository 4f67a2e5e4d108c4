// Installs the package that uvx or pipx would fetch, as a tool in a folder of the server's: `uv tool install` and `pipx install` take what
// `uvx` and `pipx run` take. Then the tool's own program is run, and fetches nothing.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { isInside } from '#app/consent/rules/path-text.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import type { FetchedPackage } from '#app/server/fetched.ts'
import { programName } from '#app/text/format-text.ts'
import { looksSecret } from '#app/text/secret-names.ts'
import { realPath } from '../../process/sandbox/resolve-grants.ts'
import { type InstallContext, InstallError, type InstallFor, mustRun, runInstaller, type StepGrants } from './install-step.ts'
import type { RegistryAccess } from './registry-access.ts'

interface Words {
  /** Options that both commands take, without and with a value. */
  readonly flags: RegExp
  readonly valued: RegExp
  /** Options that mean nothing for a tool that is installed. */
  readonly dropped: RegExp
}

const wordsOf: Readonly<Record<'uv' | 'pipx', Words>> = {
  uv: {
    flags: /^(?:-[qvn]+|--(?:quiet|verbose|no-cache|refresh|native-tls|no-progress|managed-python|no-managed-python|no-build|no-binary))$/,
    valued:
      /^(?:-[pwicfb]|--(?:python|with|with-editable|with-requirements|index|default-index|index-url|extra-index-url|find-links|constraints|overrides|build-constraints|prerelease|resolution|index-strategy|keyring-provider|exclude-newer|python-platform|config-setting|config-file))$/,
    dropped: /^--(?:isolated|offline|no-env-file)$/,
  },
  pipx: {
    flags: /^--(?:verbose|system-site-packages)$/,
    valued: /^(?:-i|--(?:python|index-url|pip-args))$/,
    dropped: /^(?:-q|--quiet|--no-cache)$/,
  },
}

const managerOf = ({ program }: FetchedPackage): 'uv' | 'pipx' => (program === 'pipx' ? 'pipx' : 'uv')

/** Words of the launcher that the installation takes, without the package; undefined: one of them is not known. */
export function installWords(args: readonly string[], fetched: FetchedPackage): string[] | undefined {
  const { program, index, command } = fetched
  const { flags, valued, dropped } = wordsOf[managerOf(fetched)]
  const verb = program === 'uvx' ? 0 : program === 'pipx' ? 1 : 2
  const end = command.isApart ? command.index : index
  const words = args.slice(verb, end)
  const kept: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const [name = ''] = word.split('=')
    const isNaming = /^--(?:from|spec)$/.test(name)
    const both = (isNaming || valued.test(name)) && name === word ? words.slice(at, at + 2) : [word]
    if (!isNaming && (valued.test(name) || flags.test(word))) kept.push(...both)
    else if (!isNaming && word !== '--' && !dropped.test(word)) return undefined
    at += both.length - 1
  }
  return kept
}

/** The package as the installation takes it. `version`: the one that was approved. */
export const requirementOf = (args: readonly string[], { index, name }: FetchedPackage, version: string | undefined): string =>
  version === undefined ? (args[index] ?? '').replace(/^--(?:from|spec)=/, '') : `${name}==${version}`

interface PythonInstall {
  readonly definition: StdioDefinition
  readonly fetched: FetchedPackage
  readonly words: readonly string[]
  readonly requirement: string
  readonly access: RegistryAccess
  readonly folder: string
  /** The person's home folder. */
  readonly home: string
}

/** Hosts that uv gets a Python from, where there is none: https://docs.astral.sh/uv/guides/install-python/ */
const pythonHosts = ['github.com', 'release-assets.githubusercontent.com', 'objects.githubusercontent.com', 'releases.astral.sh']

/** @throws {InstallError} */
export async function installPython(install: PythonInstall, into: InstallFor, context: InstallContext): Promise<void> {
  const { definition, fetched, words, requirement, access, folder, home } = install
  if (managerOf(fetched) === 'uv') {
    const command = fetched.program === 'uvx' ? await uvBeside(definition, context) : definition.command
    const uv = await uvInstaller({ definition: { ...definition, command }, words, access, folder, home }, into, context)
    return uv('tool', 'install', ...words, requirement)
  }
  const places = { PIPX_HOME: folder, PIPX_BIN_DIR: join(folder, 'bin'), PIPX_MAN_DIR: join(folder, 'man') }
  const env = { ...access.env, ...plainOf(definition, into), ...places }
  const may = { write: [realPath(folder)], hosts: await access.hosts(), read: [...access.files] }
  return mustRun({ ...definition, cwd: folder, env, args: ['install', ...words, requirement] }, may, { for: into, context, said })
}

const said = /error|failed|no matching|not found|could not/i

/** Variables of the entry's that an installation has. */
const plainOf = ({ env }: StdioDefinition, { grants }: InstallFor): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => grants === undefined || !looksSecret(name)))

interface UvInstall extends Pick<PythonInstall, 'definition' | 'words' | 'access' | 'folder' | 'home'> {
  readonly cwd?: string
  /** Folders of a project that it reads or writes. */
  readonly project?: StepGrants
}

/** Returns what runs a command of uv's. A Python is fetched before, by itself, so that what a package runs while it is built reaches its registry alone. */
async function uvInstaller(install: UvInstall, into: InstallFor, context: InstallContext) {
  const { definition, words, access, folder, cwd = folder, project } = install
  const launch = { ...definition, cwd, env: { ...access.env, ...plainOf(definition, into), ...placesOf(install) } }
  const write = [realPath(folder), ...(project?.write ?? [])]
  const read = project?.read ?? []
  const python = pythonOption(words)
  const find = await runInstaller({ ...launch, args: ['python', 'find', ...python] }, { write, read }, into, context)
  if (find.code !== 0) {
    const args = ['python', 'install', ...python.slice(1)]
    await mustRun({ ...launch, args }, { write, read, hosts: pythonHosts }, { for: into, context, said })
  }
  const env = { ...launch.env, UV_PYTHON_DOWNLOADS: 'never' }
  // A project may name sources of its own, which the person grants as they grant what it reaches.
  const hosts = [...(await access.hosts()), ...(project ? (into.grants?.hosts ?? []) : [])]
  const may = { write, hosts, read: [...access.files, ...read] }
  return async (...args: string[]): Promise<void> => mustRun({ ...launch, args, env }, may, { for: into, context, said })
}

/** `-p X` of the words; empty: none is named. */
function pythonOption(words: readonly string[]): string[] {
  const at = words.findIndex((word) => /^(?:-p|--python)(?:=|$)/.test(word))
  if (at === -1) return []
  const [, value] = (words[at] ?? '').split('=')
  return ['--no-project', value ?? words[at + 1] ?? '']
}

async function uvBeside(definition: StdioDefinition, { environment }: InstallContext): Promise<string> {
  const uv = join(dirname((await environment.prepare(definition)).command), 'uv')
  return existsSync(uv) ? uv : 'uv'
}

/** Variables that say where uv puts all of it. Pythons that it has got before are used where they are. */
function placesOf({ folder, home }: Pick<PythonInstall, 'folder' | 'home'>): Record<string, string> {
  const theirs = join(home, '.local/share/uv/python')
  const hasPython = orElse(() => readdirSync(theirs), []).length > 0
  return {
    UV_TOOL_DIR: join(folder, 'tools'),
    UV_TOOL_BIN_DIR: join(folder, 'bin'),
    UV_PROJECT_ENVIRONMENT: join(folder, 'env'),
    UV_PYTHON_INSTALL_DIR: hasPython ? theirs : join(folder, 'python'),
    UV_LINK_MODE: 'copy',
  }
}

/**
 * The launch of the program that was installed: by its name, or the only one there is.
 * @throws {InstallError} when there is no such program
 */
export function pythonProgram(definition: StdioDefinition, { command, name }: FetchedPackage, folder: string): StdioDefinition {
  const { index, isApart } = command
  const wanted = isApart ? (definition.args[index] ?? '') : name.replace(/\[.*/, '')
  const programs: readonly string[] = orElse(() => readdirSync(join(folder, 'bin')), [])
  const program = programs.includes(wanted) ? wanted : !isApart && programs.length === 1 ? programs[0] : undefined
  if (program === undefined) throw noProgram(name, wanted, programs)
  return { ...definition, command: join(folder, 'bin', program), args: definition.args.slice(isApart ? index + 1 : index) }
}

/** Error for a package without the program that is to be run. */
export const noProgram = (name: string, wanted: string, programs: readonly string[]): InstallError =>
  new InstallError(t`${name} has no program “${wanted}”. It has: ${programs.join(', ')}.`, [])

// `uv run` in two phases: the environment that it would make is made first, by `uv sync` or `uv pip install`; then the command is run in
// it without uv. Commands and options: https://docs.astral.sh/uv/concepts/projects/run/, https://docs.astral.sh/uv/guides/scripts/

const places = /^--(?:directory|project)$/
/** Options of `uv sync`, of what chooses a Python, and of all that resolves: without and with a value. */
const sync = {
  flags: /^--(?:frozen|locked|all-extras|all-groups|all-packages|dev|no-dev|only-dev|no-default-groups|no-editable)$/,
  valued: /^--(?:extra|no-extra|group|no-group|only-group|package)$/,
}
const python = /^(?:-p|--python)$/
const common = {
  flags: /^--(?:native-tls|no-build|no-binary|no-index|no-sources|managed-python|no-managed-python)$/,
  valued:
    /^(?:-[ifC]|--(?:index|default-index|index-url|extra-index-url|find-links|prerelease|resolution|index-strategy|keyring-provider|exclude-newer|config-setting))$/,
}
const requirement = /^(?:-w|--with|--with-editable|--with-requirements)$/
const dropped = /^(?:-[qv]+|--(?:quiet|verbose|no-progress|isolated|no-env-file|exact|inexact|refresh|no-cache|no-config|color=\w+))$/

export interface UvRun {
  readonly cwd: string
  /** Folder that the command runs in, absolute. */
  readonly directory: string
  /** Folder that the project is looked for in and above. */
  readonly from: string
  readonly usesProject: boolean
  readonly kind: 'command' | 'module' | 'script'
  readonly command: readonly string[]
  readonly words: Readonly<Record<'sync' | 'python' | 'common' | 'install', readonly string[]>>
}

/** Reads a command line of `uv run`; undefined: it is none, or not all of it is understood. `cwd`: absolute. */
export function readUvRun({ command, args, env }: StdioDefinition, cwd: string): UvRun | undefined {
  if (programName(command).toLowerCase() !== 'uv' || ['UV_ENV_FILE', 'VIRTUAL_ENV', 'UV_NO_SYNC'].some((name) => name in env))
    return undefined
  const words = { sync: [] as string[], python: [] as string[], common: [] as string[], install: [] as string[] }
  let directory = cwd
  let project: string | undefined
  let kind: UvRun['kind'] = 'command'
  let [usesProject, hasVerb] = [true, false]
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (!hasVerb && word === 'run') hasVerb = true
    else if (word === '--' || !word.startsWith('-')) {
      const rest = args.slice(word === '--' ? at + 1 : at)
      const [first] = rest
      if (!hasVerb || first === undefined || /^(?:-|https?:\/\/.*|.*\.pyw)$/i.test(first)) return undefined
      return {
        cwd,
        directory,
        from: project === undefined ? directory : resolve(directory, project),
        usesProject,
        kind,
        command: rest,
        words,
      }
    } else if (/^(?:-m|--module|-s|--script)$/.test(word)) kind = /m/.test(word) ? 'module' : 'script'
    else if (word === '--no-project') usesProject = false
    else if (sync.flags.test(word)) words.sync.push(word)
    else if (common.flags.test(word)) words.common.push(word)
    else if (!dropped.test(word)) {
      const [name = '', joined] = word.split(/=(.*)/s)
      const value = joined ?? args[++at]
      if (value === undefined) return undefined
      if (name === '--directory') directory = resolve(cwd, value)
      else if (places.test(name)) project = value
      else if (sync.valued.test(name)) words.sync.push(name, value)
      else if (python.test(name)) words.python.push('--python', value)
      else if (common.valued.test(name)) words.common.push(name, value)
      else if (requirement.test(name)) words.install.push(...requirements(name, value))
      else return undefined
    }
  }
  return undefined
}

/** Words of `uv pip install` for those of `uv run`, which takes several requirements with commas between. */
function requirements(name: string, value: string): string[] {
  const option = { '--with-editable': '--editable', '--with-requirements': '--requirements' }[name]
  const all = value.split(/,(?![^[]*\])(?!\s*[<>=!~])/).map((one) => one.trim())
  return option === undefined ? all : all.flatMap((one) => [option, one])
}

/** Sources of the environment: a project, the script's own list, or what is named beside the command. */
export interface UvSources {
  readonly project: string | undefined
  readonly script: string | undefined
  /** Digest of the files that say what belongs to it. */
  readonly digest: string
}

const read = (path: string): string => orElse(() => readFileSync(path, 'utf8'), '')

/** Finds them; undefined: nothing is fetched, or nobody can tell what. */
export function uvSources({ directory, from, usesProject, kind, command, words }: UvRun): UvSources | undefined {
  const [first = ''] = command
  const file = resolve(directory, first)
  const text = kind === 'script' || (kind === 'command' && /\.py$/i.test(first)) ? read(file) : ''
  const script = /^# \/\/\/ script$/m.test(text) ? file : undefined
  const above = (name: string): string | undefined => {
    for (let at = from; ; at = dirname(at)) {
      if (existsSync(join(at, name))) return at
      if (dirname(at) === at) return undefined
    }
  }
  const root = usesProject && script === undefined ? above('pyproject.toml') : undefined
  const project =
    root !== undefined && /^\s*\[(?:project|tool\.uv\.workspace)\]/m.test(read(join(root, 'pyproject.toml'))) ? root : undefined
  // Without a project it runs in whatever environment there is.
  if (project === undefined && script === undefined && (words.install.length === 0 || above('.venv') !== undefined)) return undefined
  const files = project === undefined ? [] : ['pyproject.toml', 'uv.lock', '.python-version'].map((name) => read(join(project, name)))
  const digest = createHash('sha256')
    .update(JSON.stringify([script === undefined ? '' : text, ...files]))
    .digest('hex')
  return { project, script, digest }
}

interface UvRunInstall {
  readonly definition: StdioDefinition
  readonly run: UvRun
  readonly sources: UvSources
  readonly access: RegistryAccess
  readonly folder: string
  readonly home: string
}

/** @throws {InstallError} */
export async function installUvRun(install: UvRunInstall, into: InstallFor, context: InstallContext): Promise<void> {
  const { definition, run, sources, access, folder, home } = install
  const { words, directory, cwd } = run
  const at = realPath(directory)
  const covers = (granted: readonly string[]): boolean => granted.some((path) => isInside(at, path))
  const { read: readable = [], write: writable = [] } = into.grants ?? {}
  // Neither its lock nor what a build leaves in the project can be written where the server may not.
  const project = covers(writable) ? { write: [at] } : covers([...readable, realPath(cwd)]) && at !== realPath(home) ? { read: [at] } : {}
  const needed = /^# requires-python\s*=\s*["'](.+?)["']\s*$/m.exec(sources.script === undefined ? '' : read(sources.script))?.[1]
  const python = words.python.length > 0 || needed === undefined ? words.python : ['--python', needed]
  const options = { definition, words: python, access, folder, home, cwd: Object.keys(project).length > 0 ? at : folder, project }
  const uv = await uvInstaller(options, into, context)
  const environment = join(folder, 'env')
  if (sources.project !== undefined) await uv('sync', '--project', run.from, ...words.sync, ...python, ...words.common)
  else await uv('venv', environment, '--no-project', ...python)
  const wanted = [...(sources.script === undefined ? [] : ['--requirements', sources.script]), ...words.install]
  if (wanted.length > 0) await uv('pip', 'install', '--python', environment, ...words.common, ...wanted)
}

/** Goes to the folder of `--directory`, which the sandbox may not show. */
const inFolder = 'import os,sys;os.chdir(sys.argv[1]);os.execvp(sys.argv[2],sys.argv[2:])'

/** The launch of the command, in the environment that was made in `folder`. */
export function uvRunProgram(
  definition: StdioDefinition,
  { cwd, directory, kind, command }: UvRun,
  { folder, path }: { readonly folder: string; readonly path: string },
): StdioDefinition {
  const environment = join(folder, 'env')
  const bin = join(environment, 'bin')
  const python = join(bin, 'python')
  const [first = '', ...rest] = command
  const isFile = (test: (stat: ReturnType<typeof statSync>) => boolean | undefined): boolean =>
    orElse(() => test(statSync(resolve(directory, first))) === true, false)
  const isScript =
    kind === 'script' ||
    (/\.pyc?$/i.test(first) && isFile((stat) => stat?.isFile())) ||
    existsSync(resolve(directory, first, '__main__.py'))
  const program = !first.includes('/') && existsSync(join(bin, first)) ? join(bin, first) : first
  const line =
    kind === 'module'
      ? [python, '-m', ...command]
      : first === 'python'
        ? [python, ...rest]
        : isScript
          ? [python, ...command]
          : [program, ...rest]
  const moved = directory === cwd ? line : [python, '-c', inFolder, directory, ...line]
  const others = Object.entries(definition.env).filter(([name]) => !/^(?:path|pythonhome)$/i.test(name))
  return {
    ...definition,
    command: moved[0] ?? python,
    args: moved.slice(1),
    env: { ...Object.fromEntries(others), VIRTUAL_ENV: environment, PATH: `${bin}${delimiter}${path}` },
  }
}
