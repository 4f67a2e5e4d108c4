// Versions of packages as registries have them: npm's registry, PyPI, and images that are here already. Only the person's own settings
// say where to ask (`~/.npmrc`, their `npm_config_registry`): what an entry of a server says would be fetched from before it is allowed.
// Nothing of a package is downloaded, and no package manager is run; `docker image inspect` reads what is on this computer.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import { parseJson } from '#app/or-else.ts'
import { compareVersions, satisfies } from '#app/server/bundle/semver-range.ts'
import type { FetchedPackage } from '#app/server/fetched.ts'
import type { FoundPackage } from '#main/consent/broker-api.ts'
import type { GetJson } from '#main/servers/transport/http/get-json.ts'
import type { Environment } from '../../process/environment/environment.ts'

export interface RegistryContext {
  readonly json: Pick<GetJson, 'get'>
  readonly environment: Pick<Environment, 'prepare' | 'variables'>
  /** The person's home folder. */
  readonly home: string
  /** Address of PyPI's JSON API. */
  readonly pypi?: string
}

/** Returns the version that the launcher would take now, and its hash; else why there is none. */
export async function findPackage(wanted: FetchedPackage, context: RegistryContext, signal: AbortSignal): Promise<FoundPackage> {
  try {
    if (wanted.kind === 'npm') return await findNpm(wanted, context, signal)
    if (wanted.kind === 'python') return await findPython(wanted, context, signal)
    return wanted.kind === 'image' ? await findImage(wanted, context, signal) : 'not-understood'
  } catch (error) {
    signal.throwIfAborted()
    const status = error instanceof HostError ? error.data?.['status'] : undefined
    return status === 404 ? 'not-found' : 'unreachable'
  }
}

const npmPackage = z.object({
  'dist-tags': z.record(z.string(), z.string()).default({}),
  versions: z.record(
    z.string(),
    z.object({
      deprecated: z.unknown().optional(),
      dist: z.object({ integrity: z.string().optional(), shasum: z.string().optional() }),
    }),
  ),
})

async function findNpm({ name, version = 'latest' }: FetchedPackage, context: RegistryContext, signal: AbortSignal): Promise<FoundPackage> {
  const { registry, token } = await npmRegistry(name, context)
  // The short form, without READMEs: https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md
  const headers = {
    accept: 'application/vnd.npm.install-v1+json, application/json;q=0.8',
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const got = await context.json.get(`${registry}${name.replace('/', '%2f')}`, { signal, headers })
  const { 'dist-tags': tags, versions } = npmPackage.parse(got.kind === 'json' ? got.json : undefined)
  const inUse = Object.keys(versions).filter((one) => !versions[one]?.deprecated)
  const chosen = Object.hasOwn(tags, version)
    ? tags[version]
    : Object.hasOwn(versions, version)
      ? version
      : newest(inUse, version, tags['latest'])
  const dist = chosen === undefined || !Object.hasOwn(versions, chosen) ? undefined : versions[chosen]?.dist
  const integrity = dist?.integrity ?? (dist?.shasum && `sha1-${Buffer.from(dist.shasum, 'hex').toString('base64')}`)
  return chosen === undefined || !integrity ? 'not-found' : { name, version: chosen, integrity }
}

/** Newest version of a range. As npm does, what `latest` says goes before a newer one, and a prerelease is never meant. */
function newest(versions: readonly string[], range: string, latest?: string): string | undefined {
  const isPlain = (version: string): boolean => !/^[\d.]+[-a-z]/i.test(version)
  const fitting = versions.filter((version) => isPlain(version) && satisfies(version, range) === true)
  if (latest !== undefined && fitting.includes(latest)) return latest
  return fitting.sort((a, b) => compareVersions(a, b) ?? 0).at(-1)
}

/** The registry of a package and its token, by the person's variables and their `.npmrc`. */
async function npmRegistry(name: string, { environment, home }: RegistryContext) {
  const variables = await environment.variables()
  const ofPerson = (key: string): string | undefined => variables[`npm_config_${key}`] ?? variables[`NPM_CONFIG_${key.toUpperCase()}`]
  const text = await readFile(ofPerson('userconfig') ?? join(variables['HOME'] ?? home, '.npmrc'), 'utf8').catch(() => '')
  const settings = new Map(
    text.split('\n').flatMap((line) => {
      const [, key, value = ''] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
      return key === undefined ? [] : [[key, value.replaceAll(/\$\{([^}]+)\}/g, (whole, one: string) => variables[one] ?? whole)] as const]
    }),
  )
  const scope = name.startsWith('@') ? settings.get(`${name.slice(0, name.indexOf('/'))}:registry`) : undefined
  const address = scope ?? ofPerson('registry') ?? settings.get('registry') ?? 'https://registry.npmjs.org/'
  const registry = address.endsWith('/') ? address : `${address}/`
  return { registry, token: settings.get(`${registry.replace(/^https?:/, '')}:_authToken`) }
}

const pythonPackage = z.object({
  info: z.object({ version: z.string() }),
  releases: z.record(z.string(), z.array(z.object({ digests: z.object({ sha256: z.string() }), yanked: z.boolean().default(false) }))),
})

/** Finds a version by PyPI's JSON API: https://docs.pypi.org/api/json/ */
async function findPython(wanted: FetchedPackage, context: RegistryContext, signal: AbortSignal): Promise<FoundPackage> {
  const { name, version } = wanted
  const variables = await context.environment.variables()
  if (Object.keys(variables).some((one) => /^(?:PIP|UV)_(?:(?:DEFAULT_|EXTRA_)?INDEX(?:_URL)?|FIND_LINKS|CONFIG_FILE)$/.test(one)))
    return 'own-registry'
  const bare = name.replace(/\[.*/, '')
  const got = await context.json.get(`${context.pypi ?? 'https://pypi.org/pypi/'}${bare}/json`, { signal })
  const { info, releases } = pythonPackage.parse(got.kind === 'json' ? got.json : undefined)
  const inUse = Object.keys(releases).filter((one) => releases[one]?.some(({ yanked }) => !yanked))
  const chosen = version === undefined ? info.version : Object.hasOwn(releases, version) ? version : newest(inUse, version)
  const files = chosen === undefined || !Object.hasOwn(releases, chosen) ? [] : (releases[chosen] ?? [])
  if (chosen === undefined || files.length === 0) return 'not-found'
  const hashes = files.map(({ digests }) => digests.sha256).sort()
  return { name, version: chosen, integrity: `sha256-${createHash('sha256').update(hashes.join('\n')).digest('base64')}` }
}

const inspectMs = 3000

/** The digest of an image that was fetched before. `RepoDigests` names one for each registry that it came from. */
async function findImage(
  { name, version, program }: FetchedPackage,
  { environment, home }: RegistryContext,
  signal: AbortSignal,
): Promise<FoundPackage> {
  const image = version === undefined ? name : `${name}:${version}`
  const args = ['image', 'inspect', '--format', '{{json .RepoDigests}}', image]
  try {
    // The person's own, by their PATH: what an entry names by a path is run once it is allowed.
    const ready = await environment.prepare({ command: program, args, env: {}, cwd: home })
    const { stdout } = await promisify(execFile)(ready.command, args, { env: ready.env, cwd: home, timeout: inspectMs, signal })
    const digests = z.array(z.string()).nullable().parse(parseJson(stdout)) ?? []
    const [, digest] = digests.map((one) => one.split('@')).find(([from = '']) => fullImage(from) === fullImage(name)) ?? []
    return digest === undefined ? 'not-here' : { name, version: digest, integrity: digest }
  } catch {
    signal.throwIfAborted()
    return 'not-here' // It is not installed, does not run, or has no such image.
  }
}

/** `notes` and `docker.io/library/notes` are one image. */
const fullImage = (name: string): string => name.replace(/^(?:docker\.io\/)?(?:library\/)?/, '')
