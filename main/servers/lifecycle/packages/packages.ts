// Two phases of a sandboxed start whose launcher fetches: what it would fetch is installed first, with the registry and without the server's
// grants; then the installed program is run, without the registry and unable to write what was installed.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import { ownMember } from '#app/json.ts'
import { orElse, parseJson } from '#app/or-else.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { type FetchedPackage, fetchedBy, type LaunchPackage, pinnedArgs } from '#app/server/fetched.ts'
import { referencesIn } from '#app/server/inputs/variable-references.ts'
import { programName } from '#app/text/format-text.ts'
import { looksSecret } from '#app/text/secret-names.ts'
import { writeFileAtomically } from '#main/base/atomic-write.ts'
import type { FoundPackage } from '#main/consent/broker-api.ts'
import { realPath } from '#main/servers/process/sandbox/resolve-grants.ts'
import { type InstallContext, type InstallFor, mustRun, notInstalled } from './install-step.ts'
import { launchInstalled, type NpxCacheContext, npmOf, npmProgram, npmSteps, packageChanged } from './npx-cache.ts'
import { findPackage, type RegistryContext } from './package-registries.ts'
import {
  installPython,
  installUvRun,
  installWords,
  noProgram,
  pythonProgram,
  readUvRun,
  requirementOf,
  type UvRun,
  type UvSources,
  uvRunProgram,
  uvSources,
} from './python-install.ts'
import { type RegistryAccess, registryAccess } from './registry-access.ts'

interface FetchPhaseContext extends NpxCacheContext {
  /** Folder of what is installed, within the data folder. */
  readonly installs: string
  readonly now: () => number
}

/** Milliseconds after which a package without a pinned version is fetched again. */
const staleMs = 24 * 60 * 60_000

/** Two phases of one launch: the package is installed, then its program is run. */
interface Phases {
  readonly name: string
  readonly program: string
  readonly key: readonly string[]
  readonly install: (folder: string) => Promise<void>
  readonly launch: (folder: string) => Promise<StdioDefinition>
}

/** Whether what a launch fetches can be installed before it. `npm`: what does so for npm's packages; undefined: there is none. */
function hasTwoPhases(args: readonly string[], fetched: FetchedPackage, npm: string | undefined): boolean {
  if (fetched.kind === 'python') return installWords(args, fetched) !== undefined && !/^git\+ssh:|^ssh:/.test(fetched.name)
  if (fetched.kind === 'nuget') return readToolExec(args, fetched) !== undefined
  return fetched.kind === 'npm' && fetched.exact && npm !== undefined
}

/** Reads a `uv run` that can be split. */
function uvRunOf(definition: StdioDefinition, home: string): { readonly run: UvRun; readonly sources: UvSources } | undefined {
  const run = readUvRun(definition, definition.cwd ?? home)
  const sources = run && uvSources(run)
  return run && sources ? { run, sources } : undefined
}

async function uvRunPhases(definition: StdioDefinition, into: InstallFor, context: FetchPhaseContext): Promise<Phases | undefined> {
  const found = uvRunOf(definition, context.home)
  if (!found) return undefined
  const { args, env, cwd } = definition
  const access = await registryAccess('python', { env, cwd, words: args }, context)
  return {
    name: args.join(' ').slice(0, 100),
    program: 'uv',
    key: [found.sources.digest, found.run.cwd, ...args],
    install: (folder) => installUvRun({ definition, ...found, access, folder, home: context.home }, into, context),
    launch: async (folder) => uvRunProgram(definition, found.run, { folder, path: (await context.environment.prepare(definition)).path }),
  }
}

async function phasesOf(
  definition: StdioDefinition,
  fetched: FetchedPackage,
  version: string | undefined,
  into: InstallFor,
  context: FetchPhaseContext,
): Promise<Phases | undefined> {
  const { args, env, cwd } = definition
  const npm = fetched.kind === 'npm' ? await npmOf(definition, fetched, context) : undefined
  if (fetched.kind === 'image' || !hasTwoPhases(args, fetched, npm)) return undefined
  const { name, program } = fetched
  const access = await registryAccess(fetched.kind, { env, cwd, words: args.slice(0, fetched.index + 1) }, context)
  const settings = Object.entries(access.env).flat()
  if (npm !== undefined) {
    const install = async (folder: string): Promise<void> => {
      const step = npmSteps({ npm, definition, folder, access }, into, context)
      await step.fetch('install', (args[fetched.index] ?? '').replace(/^--?[a-z-]+=/, ''))
      await step.build()
    }
    const launch = async (folder: string): Promise<StdioDefinition> =>
      npmProgram(definition, fetched, join(folder, 'node_modules'), (await context.environment.prepare(definition)).path)
    return { name, program, key: [requirementOf(args, fetched, version), ...settings], install, launch }
  }
  if (fetched.kind === 'nuget') {
    const tool = { definition, fetched, access }
    const launch = async (folder: string): Promise<StdioDefinition> => toolProgram(tool, folder, context)
    return { name, program, key: [...args, ...settings], install: (folder) => installTool(tool, folder, into, context), launch }
  }
  const words = installWords(args, fetched) ?? []
  const requirement = requirementOf(args, fetched, version)
  return {
    name,
    program,
    key: [requirement, ...words, ...settings],
    install: (folder) => installPython({ definition, fetched, words, requirement, access, folder, home: context.home }, into, context),
    launch: async (folder) => pythonProgram(definition, fetched, folder),
  }
}

/**
 * Installs what the launch fetches, unless it is there, and returns the launch of its program; undefined: it cannot be split. `fetched`:
 * absent of `uv run`.
 * @throws {HostError} `server.package-not-installed`
 */
async function fetchFirst(
  definition: StdioDefinition,
  { fetched, pinned }: { readonly fetched?: FetchedPackage; readonly pinned?: LaunchPackage | undefined },
  into: InstallFor,
  context: FetchPhaseContext,
): Promise<StdioDefinition | undefined> {
  const phases = await (fetched ? phasesOf(definition, fetched, pinned?.version, into, context) : uvRunPhases(definition, into, context))
  if (!phases) return undefined
  const { name, program } = phases
  try {
    return await kept({ ...phases, key: [into.server, program, ...phases.key], isStale: pinned === undefined }, context)
  } catch (error) {
    if (into.signal.aborted || error instanceof HostError) throw error
    throw notInstalled(name, program, error, { server: into.server, package: name, ...(pinned ? { version: pinned.version } : {}) })
  }
}

interface Installed extends Pick<Phases, 'key' | 'install' | 'launch'> {
  /** Whether it becomes old. */
  readonly isStale: boolean
}

const record = z.object({ folder: z.string().regex(/^[\w-]+$/), at: z.number() })

/** Each installation has a folder of its own. It is used until one after it has succeeded: an older one is better than none. */
async function kept({ key, isStale, install, launch }: Installed, { installs, now }: FetchPhaseContext): Promise<StdioDefinition> {
  const base = join(installs, createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 24))
  const current = join(base, 'current.json')
  const before = record.safeParse(parseJson(await readFile(current, 'utf8').catch(() => ''))).data
  const there = before && existsSync(join(base, before.folder)) ? before : undefined
  if (there && (!isStale || Math.abs(now() - there.at) < staleMs)) return launch(join(base, there.folder))
  const name = `${now().toString(36)}-${randomBytes(3).toString('hex')}`
  const folder = join(base, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await install(folder)
    const ready = await launch(folder)
    writeFileAtomically(current, JSON.stringify({ folder: name, at: now() }))
    for (const other of await readdir(base))
      if (other !== name && other !== 'current.json') await rm(join(base, other), { recursive: true, force: true })
    return ready
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (!there) throw error
    return launch(join(base, there.folder))
  }
}

// `dnx` and `dotnet tool exec` in two phases: `dotnet tool install` puts the tool into a folder of the server's, and its own program is
// run. Options: https://learn.microsoft.com/dotnet/core/tools/dotnet-tool-exec, …/dotnet-tool-install

const flags = /^--(?:allow-roll-forward|disable-parallel|ignore-failed-sources|no-http-cache|prerelease)$/
const valued = /^(?:-[av]|--(?:version|source|add-source|configfile|framework|arch|verbosity))$/
const dropped = /^(?:-y|--yes|--interactive)$/

interface ToolExec {
  /** Options that the installation takes, too. */
  readonly words: readonly string[]
  /** Arguments of the tool itself. */
  readonly rest: readonly string[]
}

/** Reads the words round the package, on both sides of it; undefined: one of them is not known. */
function readToolExec(args: readonly string[], { index }: FetchedPackage): ToolExec | undefined {
  const from = args.findIndex((word, at) => word.startsWith('-') || at === index)
  const words: string[] = []
  for (let at = from; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (at === index || dropped.test(word)) continue
    if (word === '--') return { words, rest: args.slice(at + 1) }
    if (!word.startsWith('-')) return { words, rest: args.slice(at) }
    const [name = ''] = word.split(/[=:]/)
    if (valued.test(name)) words.push(...(name === word ? args.slice(at, ++at + 1) : [word]))
    else if (flags.test(word)) words.push(word)
    else return undefined
  }
  return { words, rest: [] }
}

interface Tool {
  readonly definition: StdioDefinition
  readonly fetched: FetchedPackage
  readonly access: RegistryAccess
}

/** The dotnet beside dnx, else the one of PATH. */
async function dotnetOf({ definition, fetched }: Tool, { environment }: InstallContext): Promise<string> {
  const { command } = await environment.prepare(definition)
  const beside = join(dirname(orElse(() => realpathSync(command), command)), 'dotnet')
  return fetched.program === 'dotnet' ? command : existsSync(beside) ? beside : 'dotnet'
}

/** @throws {InstallError} */
async function installTool(tool: Tool, folder: string, into: InstallFor, context: InstallContext): Promise<void> {
  const { definition, fetched, access } = tool
  const { name, version } = fetched
  const { words = [] } = readToolExec(definition.args, fetched) ?? {}
  const plain = Object.entries(definition.env).filter(([one]) => into.grants === undefined || !looksSecret(one))
  const env = { ...access.env, ...Object.fromEntries(plain), DOTNET_NOLOGO: '1', DOTNET_CLI_TELEMETRY_OPTOUT: '1' }
  const args = [
    'tool',
    'install',
    name,
    ...(version === undefined ? [] : ['--version', version]),
    '--tool-path',
    join(folder, 'bin'),
    ...words,
  ]
  const may = { write: [realPath(folder)], hosts: await access.hosts(), read: [...access.files] }
  const said = /error|failed|not found|could not|unable/i
  await mustRun({ ...definition, command: await dotnetOf(tool, context), args, cwd: folder, env }, may, { for: into, context, said })
}

/**
 * The launch of the tool's program: a folder of tools has one for each.
 * @throws {InstallError} when there is none
 */
async function toolProgram(tool: Tool, folder: string, context: InstallContext): Promise<StdioDefinition> {
  const { definition, fetched } = tool
  const bin = join(folder, 'bin')
  const [program] = orElse(() => readdirSync(bin), [] as string[]).filter((name) => !name.startsWith('.'))
  if (program === undefined) throw noProgram(fetched.name, fetched.name, [])
  const dotnet = await dotnetOf(tool, context)
  // The program that is made for a tool looks for the runtime by it.
  const root = dotnet.includes('/') ? { DOTNET_ROOT: dirname(orElse(() => realpathSync(dotnet), dotnet)) } : {}
  const { rest = [] } = readToolExec(definition.args, fetched) ?? {}
  return { ...definition, command: join(bin, program), args: [...rest], env: { ...root, ...definition.env } }
}

// Packages that launchers fetch (`npx`, `uvx`, `docker run` …): found in their registries while a launch is reviewed, started in the version
// that was approved. A start that was approved asks no registry.
export type Packages = ReturnType<typeof createPackages>

/** Time that a registry may take while somebody waits for the review, in milliseconds. */
const findMs = 6000

/** Variables of an entry by which the launcher would ask elsewhere than the person's own settings say. */
const elsewhere: Readonly<Record<FetchedPackage['kind'], RegExp>> = {
  npm: /^(?:HOME|USERPROFILE|PREFIX|XDG_CONFIG_HOME|YARN_RC_FILENAME|BUN_CONFIG_.*|(?:npm|pnpm)_config_prefix)$|(?:npm|bun|yarn|pnpm)_.*(?:registry|userconfig|globalconfig)/i,
  python:
    /^(?:HOME|USERPROFILE|APPDATA|PROGRAMDATA|VIRTUAL_ENV|XDG_CONFIG_(?:HOME|DIRS)|PIPX_DEFAULT_PYTHON|UV_PYTHON)$|^(?:PIP|UV)_.*(?:INDEX|LINKS|CONFIG)/i,
  image: /^(?:DOCKER|CONTAINER|PODMAN)_/i,
  nuget: /^(?:HOME|USERPROFILE|DOTNET_CLI_HOME|NUGET_.*)$/i,
}

/** Files by which a launcher would do so, in the working folder or one above it; npm compares what it fetched, and needs no such list. */
const settingsFiles: Readonly<Record<string, readonly string[]>> = {
  bun: ['bunfig.toml'],
  bunx: ['bunfig.toml'],
  yarn: ['.yarnrc.yml', '.yarnrc'],
  pnpm: ['pnpm-workspace.yaml', '.pnpmfile.cjs', '.npmrc'],
  pnpx: ['pnpm-workspace.yaml', '.pnpmfile.cjs', '.npmrc'],
}

/** Whether such a file lies there. Those of the person's home folder and above are the person's. */
function hasOwnSettings(cwd: string, home: string, program: string): boolean {
  const names = ownMember(settingsFiles, program) ?? []
  for (let at = cwd; at !== home && dirname(at) !== at; at = dirname(at)) if (names.some((name) => existsSync(join(at, name)))) return true
  return false
}

export function createPackages(context: RegistryContext & FetchPhaseContext) {
  return {
    /** Returns what the launcher would fetch now. @throws {unknown} only the signal's reason */
    async find(definition: StdioDefinition, fetched: FetchedPackage, signal: AbortSignal): Promise<FoundPackage> {
      if (!fetched.exact) return 'not-understood'
      const { cwd = context.home, env } = definition
      const { HOME = context.home } = await context.environment.variables()
      const [here, mine] = [cwd, HOME].map((folder) => orElse(() => realpathSync(join(folder, '.npmrc')), undefined))
      const rc = fetched.kind !== 'npm' || here === undefined || here === mine ? '' : readFileSync(here, 'utf8')
      if (Object.keys(env).some((name) => elsewhere[fetched.kind].test(name)) || /registry\s*=/.test(rc)) return 'own-registry'
      if (hasOwnSettings(cwd, HOME, fetched.program)) return 'own-registry'
      if (fetched.kind === 'npm' && ownCopy(cwd, fetched.name) !== undefined) return 'own-copy'
      if (!(await isOfPerson(definition, fetched, context))) return 'own-program'
      return findPackage(fetched, context, AbortSignal.any([signal, AbortSignal.timeout(findMs)])).catch(() => {
        signal.throwIfAborted()
        return 'unreachable' as const
      })
    },
    /** Hosts of the registries that a sandboxed server itself has to reach: none where its package is installed before it starts. */
    async registriesFor(definition: StdioDefinition): Promise<readonly string[]> {
      const { command, args, env, cwd } = definition
      const fetched = fetchedBy(command, args)
      const isRun = /^uv$/.test(programName(command)) && args.includes('run')
      const kind = fetched?.kind ?? (isRun ? 'python' : undefined)
      if (kind === undefined || kind === 'image' || (!fetched && uvRunOf(definition, context.home))) return []
      const npm = fetched?.kind === 'npm' ? await npmOf(definition, fetched, context).catch(() => undefined) : undefined
      if (fetched && hasTwoPhases(args, fetched, npm)) return []
      const access = await registryAccess(kind, { env, cwd, words: args.slice(0, (fetched?.index ?? -1) + 1) }, context)
      return access.hosts()
    },
    /**
     * Makes a launch ready, which holds all its values by now: with the approved version of its package, and of a server with a sandbox
     * with its package installed. `code`: hash of what is installed, where it is known.
     * @throws {HostError} `server.package-changed`, `server.package-not-installed`
     */
    async ready(
      definition: StdioDefinition,
      pinned: LaunchPackage | undefined,
      into: InstallFor,
    ): Promise<{ readonly definition: StdioDefinition; readonly code?: string | undefined }> {
      const written = fetchedBy(definition.command, definition.args)
      // Values that are filled in later are none of the installation's.
      const env = Object.fromEntries(Object.entries(definition.env).filter(([, value]) => referencesIn(value).length === 0))
      const withEnv = (installed: StdioDefinition): StdioDefinition => ({ ...installed, env: { ...definition.env, ...installed.env } })
      if (!written) {
        if (pinned) throw packageChanged(into.server, pinned, definition.command)
        const installed = into.grants && (await fetchFirst({ ...definition, env }, {}, into, context))
        return { definition: installed ? withEnv(installed) : definition }
      }
      const args = pinned ? pinnedArgs(definition.args, written, pinned.version) : definition.args
      const ready = { ...definition, args }
      const isCompared = pinned && written.kind === 'npm' && (into.grants !== undefined || /^np[mx]$/.test(written.program))
      if (isCompared) {
        const installed = await launchInstalled({ ...definition, env }, pinned, written, into, context)
        if (installed) return { ...installed, definition: withEnv(installed.definition) }
      }
      const hasCopy = written.kind === 'npm' && ownCopy(definition.cwd ?? context.home, written.name) !== undefined
      const isElsewhere = Object.keys(definition.env).some((name) => !(name in env) && elsewhere[written.kind].test(name))
      if (!into.grants || hasCopy || isElsewhere) return { definition: ready }
      const fetched = pinned ? (fetchedBy(ready.command, args) ?? written) : written
      const installed = await fetchFirst({ ...ready, env }, { fetched, pinned }, into, context)
      return { definition: installed ? withEnv(installed) : ready }
    },
  }
}

/** Whether the launcher is the one that the person's PATH has: of another one nobody knows what it does with a version. */
async function isOfPerson(
  definition: StdioDefinition,
  { program }: FetchedPackage,
  { environment, home }: RegistryContext,
): Promise<boolean> {
  if (definition.command === program && !Object.keys(definition.env).some((name) => /^path$/i.test(name))) return true
  const launches = [definition, { command: program, args: [], env: {}, cwd: home }]
  const paths = launches.map(async (one) => realpathSync((await environment.prepare(one)).command))
  return Promise.all(paths).then(
    ([written, usual]) => written === usual,
    () => false, // One of them is not here.
  )
}

/** Folder of a copy that npx would run in place of the registry's: of the working folder, or of one above it. */
function ownCopy(cwd: string, name: string): string | undefined {
  for (let at = cwd; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name)
    if (existsSync(join(folder, 'package.json'))) return folder
    if (dirname(at) === at) return undefined
  }
}
