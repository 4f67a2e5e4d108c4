// Packages that launchers fetch (`npx`, `uvx`, `docker run` …): found in their registries while a launch is reviewed, started in the version
// that was approved. A start that was approved asks no registry.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orElse } from '#app/or-else.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { type FetchedPackage, fetchedBy, type LaunchPackage, pinnedArgs } from '#app/server/fetched.ts'
import { referencesIn } from '#app/server/inputs/variable-references.ts'
import type { FoundPackage } from '#main/consent/broker-api.ts'
import { checkNpxPackage, type NpxCacheContext, packageChanged } from './npx-cache.ts'
import { findPackage, type RegistryContext } from './package-registries.ts'

export type Packages = ReturnType<typeof createPackages>

/** Time that a registry may take while somebody waits for the review, in milliseconds. */
const findMs = 6000

/** Variables of an entry by which the launcher would ask elsewhere than the person's own settings say. */
const elsewhere: Readonly<Record<FetchedPackage['kind'], RegExp>> = {
  npm: /^HOME$|^USERPROFILE$|(?:npm|bun|yarn|pnpm)_.*(?:registry|userconfig|globalconfig)/i,
  python: /^HOME$|^USERPROFILE$|^(?:PIP|UV|PIPX)_.*(?:INDEX|LINKS|CONFIG)/i,
  image: /^(?:DOCKER|CONTAINER|PODMAN)_/i,
  nuget: /^$/,
}

export function createPackages(context: RegistryContext & NpxCacheContext) {
  return {
    /** Returns what the launcher would fetch now; throws only the signal's reason. */
    async find(definition: StdioDefinition, fetched: FetchedPackage, signal: AbortSignal): Promise<FoundPackage> {
      if (!fetched.exact) return 'not-understood'
      const { cwd = context.home, env } = definition
      const { HOME = context.home } = await context.environment.variables()
      const [here, mine] = [cwd, HOME].map((folder) => orElse(() => realpathSync(join(folder, '.npmrc')), undefined))
      const rc = fetched.kind !== 'npm' || here === undefined || here === mine ? '' : readFileSync(here, 'utf8')
      if (Object.keys(env).some((name) => elsewhere[fetched.kind].test(name)) || /registry\s*=/.test(rc)) return 'own-registry'
      if (fetched.kind === 'npm' && ownCopy(cwd, fetched.name) !== undefined) return 'own-copy'
      return findPackage(fetched, context, AbortSignal.any([signal, AbortSignal.timeout(findMs)])).catch(() => {
        signal.throwIfAborted()
        return 'unreachable' as const
      })
    },
    /**
     * Puts the approved version into a launch, which holds all its values by now. `code`: hash of what is installed, where it is known.
     * @throws {HostError} `server.package-changed`, `server.package-not-installed`
     */
    async pin(server: string, definition: StdioDefinition, pinned: LaunchPackage, signal: AbortSignal) {
      const fetched = fetchedBy(definition.command, definition.args)
      if (!fetched) throw packageChanged(server, pinned, definition.command)
      const args = pinnedArgs(definition.args, fetched, pinned.version)
      const ready = { ...definition, args }
      if (fetched.program !== 'npx' && fetched.program !== 'npm') return { definition: ready }
      const own = ownCopy(definition.cwd ?? context.home, pinned.name)
      if (own !== undefined) throw packageChanged(server, pinned, own)
      // Values that are filled in later are none of npm's.
      const env = Object.fromEntries(Object.entries(definition.env).filter(([, value]) => referencesIn(value).length === 0))
      const installed = await checkNpxPackage(server, { ...ready, env }, pinned, context, signal)
      // What is in the cache is not asked for again.
      return installed
        ? { definition: { ...ready, env: { npm_config_prefer_offline: 'true', ...definition.env } }, code: installed.code }
        : { definition: ready }
    },
  }
}

/** Folder of a copy that npx would run in place of the registry's: of the working folder, or of one above it. */
function ownCopy(cwd: string, name: string): string | undefined {
  for (let at = cwd; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name)
    if (existsSync(join(folder, 'package.json'))) return folder
    if (dirname(at) === at) return undefined
  }
}
