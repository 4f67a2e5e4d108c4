// Installed packages of `npx` and `npm exec`: in npm's cache, in a folder of ours for each approved version. It is installed there before it
// first runs, without its scripts, and compared with what was approved; then its program is run without npx, so that neither settings nor
// copies in the working folder choose another. Later the whole tree is compared by its hash, and installed anew by the lock of the first time.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { parseJson } from '#app/or-else.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import type { FetchedPackage, LaunchPackage } from '#app/server/fetched.ts'
import { looksSecret } from '#app/text/secret-names.ts'
import { writeFileAtomically } from '#main/base/atomic-write.ts'
import { sandboxProxy } from '../../process/sandbox/bubblewrap.ts'
import { realPath } from '../../process/sandbox/resolve-grants.ts'
import { type InstallContext, InstallError, type InstallFor, mustRun, notInstalled, type StepGrants } from './install-step.ts'
import { type RegistryAccess, registryAccess } from './registry-access.ts'

export interface NpxCacheContext extends InstallContext {
  readonly home: string
  /** Folder of the locks: which versions of its dependencies a package was first installed with. */
  readonly locks: string
}

/** Refusal of what is installed: it is not what was approved. `folder`: where it is. */
export const packageChanged = (server: string, { name, version }: LaunchPackage, folder: string): HostError =>
  new HostError('server.package-changed', t`${name} ${version} in ${folder} is not what you approved.`, {
    data: { server, package: name, version, folder },
  })

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
      optional: z.boolean().optional(),
    }),
  ),
})

/**
 * Returns the launch of the approved version, which is installed and compared. `code`: hash of its tree and of its lock. Undefined: there
 * is no npm to tell by.
 * @throws {HostError} `server.package-not-installed`, `server.package-changed`
 */
export async function launchInstalled(
  definition: StdioDefinition,
  pinned: LaunchPackage,
  fetched: FetchedPackage,
  into: InstallFor,
  context: NpxCacheContext,
): Promise<{ readonly definition: StdioDefinition; readonly code: string } | undefined> {
  const { name, version, integrity } = pinned
  const { server, signal } = into
  const { environment, home, locks } = context
  const launch = await environment.prepare(definition)
  const npm = await npmOf(definition, fetched, context)
  if (npm === undefined) return undefined
  const folder = await cacheFolder(launch.env, home, `assent ${name}@${version}`)
  const kept = join(locks, `${digestOf(`${name}@${version} ${integrity}`).slice(0, 32)}.json`)
  // A hash of before has no part of the lock.
  const [tree, lockHash] = pinned.code?.includes('-') ? pinned.code.split('-') : []
  const lockText = () => readFile(join(folder, 'package-lock.json'), 'utf8').catch(() => '{}')
  const isApproved = (text: string): boolean => {
    const found = lock.safeParse(parseJson(text)).data?.packages[`node_modules/${name}`]
    return found?.version === version && found.integrity === integrity && (lockHash === undefined || lockHash === digestOf(text))
  }
  const hasTree = tree !== undefined && existsSync(join(folder, 'node_modules'))
  if (!hasTree) {
    // What nobody compared yet is not taken from the cache.
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    try {
      const step = npmSteps(
        { npm, definition, folder, access: await registryAccess('npm', { env: definition.env }, context) },
        into,
        context,
      )
      const before = lockHash === undefined ? '' : await readFile(kept, 'utf8').catch(() => '')
      if (digestOf(before) === lockHash) {
        await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies: { [name]: version } }))
        await writeFile(join(folder, 'package-lock.json'), before)
        await step.fetch('ci')
      } else await step.fetch('install', `${name}@${version}`, '--save-exact', '--package-lock')
      if (!isApproved(await lockText())) throw packageChanged(server, pinned, folder)
      await step.build()
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      if (signal.aborted || error instanceof HostError) throw error
      throw notInstalled(`${name} ${version}`, 'npm', error, { server, package: name, version })
    }
  }
  const text = await lockText()
  const now = await hashOf(join(folder, 'node_modules'))
  if (!isApproved(text) || (tree !== undefined && tree !== now)) throw packageChanged(server, pinned, folder)
  if (lockHash === undefined) {
    await mkdir(locks, { recursive: true })
    writeFileAtomically(kept, text)
  }
  return {
    definition: await npmProgram(definition, fetched, join(folder, 'node_modules'), launch.path),
    code: `${now}-${digestOf(text)}`,
  }
}

/** The npm of a launcher: beside npx, else the one of PATH. Undefined: there is none, and another program is called npx. */
export async function npmOf(
  definition: StdioDefinition,
  { program }: FetchedPackage,
  { environment }: Pick<NpxCacheContext, 'environment'>,
): Promise<string | undefined> {
  if (program !== 'npx' && program !== 'npm') {
    return environment.prepare({ ...definition, command: 'npm', args: [] }).then(
      ({ command }) => command,
      () => undefined, // It is not here.
    )
  }
  const npm = join(dirname((await environment.prepare(definition)).command), 'npm')
  return existsSync(npm) ? npm : undefined
}

// biome-ignore format: a list reads better in rows
/** Hosts that scripts of packages get ready-made parts from: native modules and what they are built with, and browsers. */
const partsHosts = [
  'github.com', 'objects.githubusercontent.com', 'release-assets.githubusercontent.com', 'nodejs.org',
  'storage.googleapis.com', 'cdn.playwright.dev', 'playwright.download.prss.microsoft.com',
]

/** Lines of npm that say what went wrong, rather than where: the number of an exit, a folder, the command of a script. */
const npmReason = /npm (?:error|ERR!) (?!code \d|path |command |gyp (?:info|verb)|\*\*INFO|\(node:\d|\(Use |\s*at )/

/** Host of the packages that others name by their repository on GitHub. */
const tarballHost = 'codeload.github.com'

interface NpmInstall {
  readonly npm: string
  readonly definition: StdioDefinition
  readonly folder: string
  readonly access: RegistryAccess
}

/** The two steps of an installation. `fetch` reaches the registry with the person's token, and runs nothing that it fetched; `build` runs scripts. */
export function npmSteps({ npm, definition, folder, access }: NpmInstall, into: InstallFor, context: InstallContext) {
  const { grants } = into
  // Keys that the server itself uses are not the matter of scripts.
  const plain = Object.entries(definition.env).filter(([name]) => grants === undefined || !looksSecret(name))
  const proxied = grants && { npm_config_proxy: sandboxProxy, npm_config_https_proxy: sandboxProxy, npm_config_noproxy: '' }
  const run = (args: readonly string[], env: Readonly<Record<string, string>>, may: StepGrants): Promise<void> => {
    const options = [`--prefix=${folder}`, '--no-update-notifier', '--no-audit', '--no-fund']
    const launch = {
      ...definition,
      command: npm,
      args: [...args, ...options],
      cwd: folder,
      env: { ...env, ...Object.fromEntries(plain), ...proxied },
    }
    return mustRun(launch, { write: [realPath(folder)], ...may }, { for: into, context, said: npmReason })
  }
  return {
    fetch: async (...args: string[]) =>
      run([...args, '--ignore-scripts'], access.env, {
        hosts: [...(await access.hosts()), tarballHost, ...(grants?.hosts ?? [])],
        read: [...access.files],
      }),
    /** Runs scripts, of one package after another. Whatever is optional may fail, as it may when npm installs all at once. */
    async build() {
      const hosts = [...(await access.hosts()), ...partsHosts, ...(grants?.hosts ?? [])]
      const rebuild = (paths: readonly string[]): Promise<void> =>
        run(
          ['rebuild', ...paths.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))],
          grants ? {} : access.env,
          { hosts },
        )
      const { packages } = lock.parse(parseJson(await readFile(join(folder, 'package-lock.json'), 'utf8')))
      const scripted = Object.entries(packages).filter(([path, one]) => path !== '' && one.hasInstallScript)
      const needed = scripted.filter(([, one]) => !one.optional).map(([path]) => path)
      if (needed.length > 0) await rebuild(needed)
      for (const [path] of scripted.filter(([, one]) => one.optional)) {
        await rebuild([path]).catch((error: unknown) => {
          if (!(error instanceof InstallError)) throw error
          return rm(join(folder, path), { recursive: true, force: true })
        })
      }
    },
  }
}

const manifest = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]).default({}) })

/** The launch of an installed package's program, as npx chooses it: libnpmexec, `lib/get-bin-from-manifest.js`. */
export async function npmProgram(
  definition: StdioDefinition,
  { name, command, program, index: at }: FetchedPackage,
  modules: string,
  path: string,
): Promise<StdioDefinition> {
  const { bin } = manifest.parse(parseJson(await readFile(join(modules, name, 'package.json'), 'utf8')))
  const bare = name.replace(/^@[^/]+\//, '')
  const only = typeof bin === 'object' && new Set(Object.values(bin)).size === 1 ? Object.keys(bin)[0] : bare
  const { index, isApart } = command
  const others = Object.entries(definition.env).filter(([one]) => !/^path$/i.test(one))
  const byBun = /^bunx?$/.test(program) && definition.args.slice(0, at).includes('--bun')
  const folders = [join(modules, '.bin'), ...(byBun ? [await bunAsNode(definition.command, join(modules, '..', 'bun'), path)] : []), path]
  return {
    ...definition,
    command: isApart ? (definition.args[index] ?? '') : (only ?? bare),
    args: definition.args.slice(isApart ? index + 1 : index),
    env: { ...Object.fromEntries(others), PATH: folders.join(delimiter) },
  }
}

/** Makes a folder whose `node` is Bun, which it then acts as, and returns it: `bunx --bun` does so, too (https://bun.sh/docs/pm/bunx#shebangs). */
async function bunAsNode(command: string, folder: string, path: string): Promise<string> {
  const places = command.includes('/') ? [command] : path.split(delimiter).map((one) => join(one, command))
  const [node, bun] = [join(folder, 'node'), realPath(places.find((place) => existsSync(place)) ?? command)]
  if ((await readlink(node).catch(() => undefined)) === bun) return folder
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  await symlink(bun, node)
  return folder
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Folder of one version in the cache that npm uses with these variables. */
async function cacheFolder(env: Readonly<Record<string, string | undefined>>, home: string, spec: string): Promise<string> {
  const at = env['HOME'] ?? home
  const set = Object.entries(env).find(([name]) => /^npm_config_cache$/i.test(name))?.[1]
  const written = set ?? /^\s*cache\s*=\s*(\S.*?)\s*$/m.exec(await readFile(join(at, '.npmrc'), 'utf8').catch(() => ''))?.[1]
  const local = env['LOCALAPPDATA']
  const usual = process.platform === 'win32' && local !== undefined ? join(local, 'npm-cache') : join(at, '.npm')
  return join(written ?? usual, '_npx', createHash('sha512').update(spec).digest('hex').slice(0, 16))
}

/** Programs and libraries, what chooses among them (`package.json`), and files without an ending. Other JSON may be what a server keeps beside itself. */
const isCode = /(?<!\.d)\.(?:[cm]?[jt]sx?|node|wasm|py|sh|so|dll|dylib|exe|cmd|bat|ps1)$|^package\.json$|^[^.]+$/i

/** Hash of the code of a package and of all that it depends on, with the links to programs. */
async function hashOf(modules: string): Promise<string> {
  const entries = await readdir(modules, { withFileTypes: true, recursive: true })
  const paths = entries
    .filter((one) => one.isSymbolicLink() || (one.isFile() && isCode.test(one.name)))
    .map((one) => ({ path: join(one.parentPath, one.name), isLink: one.isSymbolicLink() }))
    .filter(({ path }) => !path.startsWith(join(modules, '.cache')))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const hash = createHash('sha256')
  for (const { path, isLink } of paths) {
    const content = isLink ? `link ${await readlink(path)}` : await readFile(path)
    hash.update(`${path.slice(modules.length)}\0`).update(createHash('sha256').update(content).digest())
  }
  return hash.digest('hex')
}
