// Installed packages of `npx` and `npm exec`: in npm's cache, in a folder for each version that is asked for. A version that is missing
// is installed there before it first runs, without its scripts, and compared with what was approved: nothing of another one runs. npx then
// finds it without asking the registry. Where npx keeps it: libnpmexec, `lib/index.js` (npm 7 to 11).
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { parseJson } from '#app/or-else.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import type { LaunchPackage } from '#app/server/fetched.ts'
import type { Environment } from '../../process/environment/environment.ts'

export interface NpxCacheContext {
  readonly environment: Pick<Environment, 'prepare'>
  readonly home: string
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
 * Makes sure that what npx will run is the approved version. `code`: hash of its code. Undefined: there is no npm to tell by.
 * @throws {HostError} `server.package-not-installed`, `server.package-changed`
 */
export async function checkNpxPackage(
  server: string,
  definition: StdioDefinition,
  pinned: LaunchPackage,
  { environment, home }: NpxCacheContext,
  signal: AbortSignal,
): Promise<{ readonly code: string | undefined } | undefined> {
  const { name, version, integrity, code } = pinned
  const launch = await environment.prepare(definition)
  const npm = join(dirname(launch.command), 'npm')
  // Without npm beside it, it is another program that is called npx.
  if (!existsSync(npm)) return undefined
  const folder = await cacheFolder(launch.env, home, `${name}@${version}`)
  const isApproved = (found: Awaited<ReturnType<typeof installed>>): boolean => found?.version === version && found.integrity === integrity
  const found = await installed(folder, name)
  if (found && !isApproved(found)) throw packageChanged(server, pinned, folder)
  if (!found) {
    await mkdir(folder, { recursive: true })
    try {
      const step = (cwd: string | undefined, ...args: string[]) =>
        run({ ...definition, command: npm, args: [...args, '--no-update-notifier'], cwd }, environment, signal)
      await step(folder, 'install', `${name}@${version}`, '--ignore-scripts', '--save-exact', '--no-audit', '--no-fund')
      if (!isApproved(await installed(folder, name))) throw packageChanged(server, pinned, folder)
      await step(folder, 'rebuild')
      // npx finds it by what its own requests to the registry left in the cache. `exit`: of every shell, and nothing of the package.
      await step(definition.cwd, 'exec', '--yes', '--prefer-online', `--package=${name}@${version}`, '-c', 'exit')
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      if (signal.aborted || error instanceof HostError) throw error
      const said = error instanceof Error ? error.message : String(error)
      throw new HostError('server.package-not-installed', t`${name} ${version} could not be installed. npm said: ${said}`, {
        data: { server, package: name, version },
      })
    }
  }
  const now = await hashOf(join(folder, 'node_modules', name))
  if (code !== undefined && code !== now) throw packageChanged(server, pinned, folder)
  return { code: now }
}

/** Folder of one version in the cache that npm uses with these variables. */
async function cacheFolder(env: Readonly<Record<string, string | undefined>>, home: string, spec: string): Promise<string> {
  const at = env['HOME'] ?? home
  const set = Object.entries(env).find(([name]) => /^npm_config_cache$/i.test(name))?.[1]
  const written = set ?? /^\s*cache\s*=\s*(\S.*?)\s*$/m.exec(await readFile(join(at, '.npmrc'), 'utf8').catch(() => ''))?.[1]
  const local = env['LOCALAPPDATA']
  const usual = process.platform === 'win32' && local !== undefined ? join(local, 'npm-cache') : join(at, '.npm')
  return join(written ?? usual, '_npx', createHash('sha512').update(spec).digest('hex').slice(0, 16))
}

async function installed(folder: string, name: string) {
  const text = await readFile(join(folder, 'package-lock.json'), 'utf8').catch(() => '{}')
  return lock.safeParse(parseJson(text)).data?.packages[`node_modules/${name}`]
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

const isCode = /\.(?:[cm]?[jt]sx?|json|node|wasm|py|sh)$|^[^.]+$/
const mostFiles = 5000

/** Hash of the code of a package, without what it depends on; undefined: too many files. */
async function hashOf(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  const paths = entries
    .filter((one) => one.isFile() && isCode.test(one.name))
    .map((one) => join(one.parentPath, one.name))
    .filter((path) => !path.slice(folder.length).includes('node_modules'))
    .sort()
  if (paths.length > mostFiles) return undefined
  const hash = createHash('sha256')
  for (const path of paths)
    hash.update(`${path.slice(folder.length)}\0`).update(
      createHash('sha256')
        .update(await readFile(path))
        .digest(),
    )
  return hash.digest('hex')
}
