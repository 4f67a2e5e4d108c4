// Two phases of a sandboxed start whose launcher fetches: what it would fetch is installed first, with the registry and without the server's
// grants; then the installed program is run, without the registry and unable to write what was installed.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { parseJson } from '#app/or-else.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import type { FetchedPackage, LaunchPackage } from '#app/server/fetched.ts'
import { writeFileAtomically } from '#main/base/atomic-write.ts'
import type { InstallFor } from './install-step.ts'
import { type NpxCacheContext, npmOf, npmProgram, npmSteps } from './npx-cache.ts'
import { installPython, installWords, pythonProgram, requirementOf } from './python-install.ts'
import { registryAccess } from './registry-access.ts'

export interface FetchPhaseContext extends NpxCacheContext {
  /** Folder of what is installed, within the data folder. */
  readonly installs: string
  readonly now: () => number
}

/** Milliseconds after which a package without a pinned version is fetched again. */
const staleMs = 24 * 60 * 60_000

/** Whether what a launch fetches can be installed before it. `npm`: what does so for npm's packages; undefined: there is none. */
export function hasTwoPhases(args: readonly string[], fetched: FetchedPackage, npm: string | undefined): boolean {
  if (fetched.kind === 'python') return installWords(args, fetched) !== undefined && !/^git\+ssh:|^ssh:/.test(fetched.name)
  return fetched.kind === 'npm' && fetched.exact && npm !== undefined && !args.slice(0, fetched.index).includes('--bun')
}

/**
 * Installs what the launch fetches, unless it is there, and returns the launch of its program; undefined: it cannot be split.
 * @throws {HostError} `server.package-not-installed`
 */
export async function fetchFirst(
  definition: StdioDefinition,
  fetched: FetchedPackage,
  pinned: LaunchPackage | undefined,
  into: InstallFor,
  context: FetchPhaseContext,
): Promise<StdioDefinition | undefined> {
  const { args, env, cwd } = definition
  const npm = fetched.kind === 'npm' ? await npmOf(definition, fetched, context) : undefined
  if (!hasTwoPhases(args, fetched, npm)) return undefined
  const words = fetched.kind === 'python' ? (installWords(args, fetched) ?? []) : []
  const requirement = requirementOf(args, fetched, pinned?.version)
  const access = await registryAccess(fetched.kind, { env, cwd, words: args.slice(0, fetched.index + 1) }, context)
  const install = async (folder: string): Promise<StdioDefinition> => {
    if (npm === undefined) {
      await installPython({ definition, fetched, words, requirement, access, folder, home: context.home }, into, context)
      return pythonProgram(definition, fetched, folder)
    }
    const step = npmSteps({ npm, definition, folder, access }, into, context)
    await step.fetch('install', (args[fetched.index] ?? '').replace(/^--?[a-z-]+=/, ''))
    await step.build()
    return npmLaunch(folder)
  }
  const npmLaunch = async (folder: string): Promise<StdioDefinition> =>
    npmProgram(definition, fetched, join(folder, 'node_modules'), (await context.environment.prepare(definition)).path)
  const again = async (folder: string): Promise<StdioDefinition> =>
    npm === undefined ? pythonProgram(definition, fetched, folder) : npmLaunch(folder)
  const key = [into.server, fetched.program, requirement, ...words, ...Object.entries(access.env).flat()]
  try {
    return await kept({ key, isStale: pinned === undefined, install, again }, context)
  } catch (error) {
    if (into.signal.aborted || error instanceof HostError) throw error
    const said = error instanceof Error ? error.message : String(error)
    throw new HostError('server.package-not-installed', t`${fetched.name} could not be installed. ${fetched.program} said: ${said}`, {
      data: { server: into.server, package: fetched.name, ...(pinned ? { version: pinned.version } : {}) },
    })
  }
}

interface Installed {
  readonly key: readonly string[]
  /** Whether it becomes old. */
  readonly isStale: boolean
  readonly install: (folder: string) => Promise<StdioDefinition>
  /** The launch of what was installed in a folder before. */
  readonly again: (folder: string) => Promise<StdioDefinition>
}

const record = z.object({ folder: z.string().regex(/^[\w-]+$/), at: z.number() })

/** Each installation has a folder of its own. It is used until one after it has succeeded: an older one is better than none. */
async function kept({ key, isStale, install, again }: Installed, { installs, now }: FetchPhaseContext): Promise<StdioDefinition> {
  const base = join(installs, createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 24))
  const current = join(base, 'current.json')
  const before = record.safeParse(parseJson(await readFile(current, 'utf8').catch(() => ''))).data
  const there = before && existsSync(join(base, before.folder)) ? before : undefined
  if (there && (!isStale || Math.abs(now() - there.at) < staleMs)) return again(join(base, there.folder))
  const name = `${now().toString(36)}-${randomBytes(3).toString('hex')}`
  const folder = join(base, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const launch = await install(folder)
    writeFileAtomically(current, JSON.stringify({ folder: name, at: now() }))
    for (const other of await readdir(base))
      if (other !== name && other !== 'current.json') await rm(join(base, other), { recursive: true, force: true })
    return launch
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (!there) throw error
    return again(join(base, there.folder))
  }
}
