// Installs the package that uvx or pipx would fetch, as a tool in a folder of the server's: `uv tool install` and `pipx install` take what
// `uvx` and `pipx run` take. Then the tool's own program is run, and fetches nothing.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import type { FetchedPackage } from '#app/server/fetched.ts'
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
  /** Folder that it is installed in. */
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
export async function uvInstaller(install: UvInstall, into: InstallFor, context: InstallContext) {
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
  const may = { write, hosts: await access.hosts(), read: [...access.files, ...read] }
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
  if (program === undefined) throw new InstallError(t`${name} has no program “${wanted}”. It has: ${programs.join(', ')}.`, [])
  return { ...definition, command: join(folder, 'bin', program), args: definition.args.slice(isApart ? index + 1 : index) }
}
