// Packages that launchers fetch (`npx`, `uvx`, `docker run` …): found in their registries while a launch is reviewed, started in the version
// that was approved. A start that was approved asks no registry.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ownMember } from '#app/json.ts'
import { orElse } from '#app/or-else.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { type FetchedPackage, fetchedBy, type LaunchPackage, pinnedArgs } from '#app/server/fetched.ts'
import { referencesIn } from '#app/server/inputs/variable-references.ts'
import { programName } from '#app/text/format-text.ts'
import type { FoundPackage } from '#main/consent/broker-api.ts'
import { type FetchPhaseContext, fetchFirst, hasTwoPhases, uvRunOf } from './fetch-phase.ts'
import type { InstallFor } from './install-step.ts'
import { launchInstalled, npmOf, packageChanged } from './npx-cache.ts'
import { findPackage, type RegistryContext } from './package-registries.ts'
import { registryAccess } from './registry-access.ts'

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
    /** Returns what the launcher would fetch now; throws only the signal's reason. */
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
