// Installed packages of `npx` and `npm exec`: in npm's cache, in a folder of ours for each approved version. It is installed there before it
// first runs, without its scripts, and compared with what was approved; then its program is run without npx, so that neither settings nor
// copies in the working folder choose another. Later the whole tree is compared by its hash, and installed anew by the lock of the first time.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { parseJson } from '#app/or-else.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import type { FetchedPackage, LaunchPackage } from '#app/server/fetched.ts'
import { writeFileAtomically } from '#main/base/atomic-write.ts'
import type { Environment } from '../../process/environment/environment.ts'

export interface NpxCacheContext {
  readonly environment: Pick<Environment, 'prepare' | 'variables'>
  readonly home: string
  /** Folder of the locks: which versions of its dependencies a package was first installed with. */
  readonly locks: string
}

/** Refusal of what is installed: it is not what was approved. `folder`: where it is. */
export const packageChanged = (server: string, { name, version }: LaunchPackage, folder: string): HostError =>
  new HostError(
    'server.package-changed',
    t`What is installed as ${name} ${version} in ${folder} is not what you allowed. It was not run.`,
    {
      data: { server, package: name, version, folder },
    },
  )

/** Time that npm may take for one step, in milliseconds: a first download may be large. */
const npmMs = 10 * 60_000
const lock = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })) })

/**
 * Returns the launch of the approved version, which is installed and compared. `code`: hash of its tree and of its lock. Undefined: there
 * is no npm to tell by.
 * @throws {HostError} `server.package-not-installed`, `server.package-changed`
 */
export async function launchInstalled(
  server: string,
  definition: StdioDefinition,
  pinned: LaunchPackage,
  fetched: FetchedPackage,
  { environment, home, locks }: NpxCacheContext,
  signal: AbortSignal,
): Promise<{ readonly definition: StdioDefinition; readonly code: string } | undefined> {
  const { name, version, integrity } = pinned
  const launch = await environment.prepare(definition)
  const npm = join(dirname(launch.command), 'npm')
  // Without npm beside it, it is another program that is called npx.
  if (!existsSync(npm)) return undefined
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
      // The registry that the version was found in, which a server's small environment does not name.
      const theirs = Object.entries(await environment.variables()).flatMap(([one, value]) =>
        value !== undefined && /^npm_config_(?:registry|userconfig)$/i.test(one) ? [[one, value] as const] : [],
      )
      const step = (...args: string[]) =>
        run(
          {
            ...definition,
            env: { ...Object.fromEntries(theirs), ...definition.env },
            command: npm,
            args: [...args, `--prefix=${folder}`, '--no-update-notifier', '--no-audit', '--no-fund'],
            cwd: folder,
          },
          environment,
          signal,
        )
      const before = lockHash === undefined ? '' : await readFile(kept, 'utf8').catch(() => '')
      if (digestOf(before) === lockHash) {
        await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies: { [name]: version } }))
        await writeFile(join(folder, 'package-lock.json'), before)
        await step('ci', '--ignore-scripts')
      } else await step('install', `${name}@${version}`, '--ignore-scripts', '--save-exact', '--package-lock')
      if (!isApproved(await lockText())) throw packageChanged(server, pinned, folder)
      await step('rebuild')
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      if (signal.aborted || error instanceof HostError) throw error
      const said = error instanceof Error ? error.message : String(error)
      throw new HostError('server.package-not-installed', t`${name} ${version} could not be installed. npm said: ${said}`, {
        data: { server, package: name, version },
      })
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
    definition: await programOf(definition, fetched, join(folder, 'node_modules'), launch.path),
    code: `${now}-${digestOf(text)}`,
  }
}

const manifest = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]).default({}) })

/** The launch of an installed package's program, as npx chooses it: libnpmexec, `lib/get-bin-from-manifest.js`. */
async function programOf(
  definition: StdioDefinition,
  { name, command }: FetchedPackage,
  modules: string,
  path: string,
): Promise<StdioDefinition> {
  const { bin } = manifest.parse(parseJson(await readFile(join(modules, name, 'package.json'), 'utf8')))
  const bare = name.replace(/^@[^/]+\//, '')
  const only = typeof bin === 'object' && new Set(Object.values(bin)).size === 1 ? Object.keys(bin)[0] : bare
  const { index, isApart } = command
  const others = Object.entries(definition.env).filter(([one]) => !/^path$/i.test(one))
  return {
    ...definition,
    command: isApart ? (definition.args[index] ?? '') : (only ?? bare),
    args: definition.args.slice(isApart ? index + 1 : index),
    env: { ...Object.fromEntries(others), PATH: `${join(modules, '.bin')}${delimiter}${path}` },
  }
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

/** Runs npm. Rejects with what it said of its failure. */
async function run(launch: StdioDefinition, environment: NpxCacheContext['environment'], signal: AbortSignal): Promise<void> {
  const { command, args, env, cwd } = await environment.prepare(launch)
  await new Promise<void>((resolve, reject) => {
    execFile(
      command,
      [...args],
      { env: { ...env }, cwd, signal, timeout: npmMs, windowsHide: true, maxBuffer: 1024 * 1024 },
      (error, _out, stderr) => {
        const said = stderr.split('\n').filter((line) => /npm (?:error|ERR!)/.test(line) && !/complete log/i.test(line))
        if (error) reject(new Error(said.slice(0, 3).join(' ').slice(0, 500) || error.message))
        else resolve()
      },
    )
  })
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
