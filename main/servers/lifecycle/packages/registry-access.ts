// What an installing program needs of the registries that the person's own settings name: hosts, files with settings, and variables. A
// server's own small environment names none of them.
import { lookup } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { FetchedPackage } from '#app/server/fetched.ts'
import { hostsOfAddress, parseHostPattern, patternOf } from '#app/server/sandbox/host-pattern.ts'
import { reachOfAddress, reachOfHost } from '#main/base/network/address-policy.ts'
import { realPath } from '../../process/sandbox/resolve-grants.ts'
import type { RegistryContext } from './package-registries.ts'

export interface RegistryAccess {
  /** Finds the patterns for a sandbox; names are looked up for it. */
  readonly hosts: () => Promise<string[]>
  /** Files with the person's settings, which may hold a token. Links resolved. */
  readonly files: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Kind of package that comes from a registry of its own. */
type RegistryKind = Exclude<FetchedPackage['kind'], 'image'>
type AccessContext = Pick<RegistryContext, 'environment' | 'home'>
type Variables = Readonly<Record<string, string | undefined>>

/** Registries that hand files out from elsewhere. */
const filesOf: Readonly<Record<string, readonly string[]>> = {
  'pypi.org': ['files.pythonhosted.org'],
  'api.nuget.org': ['*.nuget.org'],
  'npm.pkg.github.com': ['*.githubusercontent.com'],
  'gitlab.com': ['*.gitlab-static.net'],
}

const usualHosts = { npm: 'registry.npmjs.org', python: 'pypi.org', nuget: 'api.nuget.org' }

/** Registries of a package. `env`: variables of the entry's, which count before the person's. `words`: those of the launcher. */
export async function registryAccess(
  kind: RegistryKind,
  { env, cwd, words = [] }: { readonly env: Variables; readonly cwd?: string | undefined; readonly words?: readonly string[] },
  { environment, home }: AccessContext,
): Promise<RegistryAccess> {
  const variables = await environment.variables()
  const at = variables['HOME'] ?? home
  const theirs = select(variables, kind)
  const own = select(env, kind)
  const all = { ...theirs, ...own }
  const settings =
    kind === 'npm'
      ? await npmSettings(all, variables, { home: at, cwd })
      : kind === 'nuget'
        ? await nugetSettings(at, cwd)
        : await pythonSettings(all, at)
  const addresses = [...settings.texts.flatMap(addressesIn), ...Object.values(all), ...words.flatMap(addressesIn)]
  const named = addresses.flatMap((text) => hostsOfAddress(text))
  const hosts = [...new Set([usualHosts[kind], ...named])]
  return {
    hosts: async () => [...new Set([...hosts.flatMap((host) => [host, ...(filesOf[host] ?? [])]), ...(await inwardAddresses(hosts))])],
    files: settings.files,
    env: { ...theirs, ...own, ...settings.env },
  }
}

/** Addresses of registries within the person's own network: a name that leads there is not enough for a sandbox. */
async function inwardAddresses(hosts: readonly string[]): Promise<string[]> {
  const found = hosts.map(async (text) => {
    const { host, below, port } = parseHostPattern(text) ?? { host: '', below: true, port: undefined }
    if (below || isIP(host) !== 0 || reachOfHost(host) === 'loopback') return []
    const addresses = await lookup(host, { all: true }).catch(() => [])
    return addresses.flatMap(({ address }) => (reachOfAddress(address) === 'public' ? [] : (patternOf(address, port) ?? [])))
  })
  return (await Promise.all(found)).flat()
}

const names: Readonly<Record<RegistryKind, RegExp>> = {
  npm: /^npm_config_(?:registry|userconfig|@[^:]+:registry)$/i,
  python: /^(?:PIP|UV)_(?:.*INDEX.*|FIND_LINKS|TRUSTED_HOST|INSECURE_HOST|CONFIG_FILE|CERT|NATIVE_TLS|KEYRING_PROVIDER|EXTRA_INDEX_URL)$/,
  nuget: /^(?:NUGET_CERT_.*|NuGetPackageSourceCredentials_.*)$/,
}

function select(variables: Variables, kind: RegistryKind): Record<string, string> {
  const pattern = names[kind]
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value !== undefined && pattern.test(name) ? [[name, value] as const] : [])),
  )
}

const addressesIn = (text: string): string[] => text.match(/https?:\/\/[^\s"',\]]+/g) ?? []

interface Settings {
  /** Files, and the certificates that they name. */
  readonly files: readonly string[]
  readonly texts: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The person's `.npmrc`, and that of the working folder, which npm reads before it. */
async function npmSettings(
  env: Variables,
  variables: Variables,
  { home, cwd }: { readonly home: string; readonly cwd?: string | undefined },
) {
  const user = Object.entries(env).find(([name]) => /^npm_config_userconfig$/i.test(name))?.[1] ?? join(home, '.npmrc')
  const project = cwd === undefined || join(cwd, '.npmrc') === user ? [] : [join(cwd, '.npmrc')]
  const found = await readAll([...project, user])
  const [first, second] = found
  const names = found.flatMap(({ text }) => [...text.matchAll(/\$\{([^}?]+)\??\}/g)].map(([, name = '']) => name))
  return settingsOf(found, {
    ...Object.fromEntries(names.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]]))),
    ...(first === undefined ? {} : { npm_config_userconfig: first.path }),
    ...(second === undefined ? {} : { npm_config_globalconfig: second.path }),
  })
}

/** Files of NuGet: https://learn.microsoft.com/nuget/consume-packages/configuring-nuget-behavior */
async function nugetSettings(home: string, cwd: string | undefined): Promise<Settings> {
  const usual = ['.nuget/NuGet/NuGet.Config', '.config/NuGet/NuGet.Config'].map((path) => join(home, path))
  const here = cwd === undefined ? [] : ['nuget.config', 'NuGet.Config', 'NuGet.config'].map((name) => join(cwd, name))
  return settingsOf(await readAll([...here, ...usual]), {})
}

/** Files of pip and uv: https://pip.pypa.io/en/stable/topics/configuration/, https://docs.astral.sh/uv/concepts/configuration-files/ */
async function pythonSettings(env: Variables, home: string): Promise<Settings> {
  const named = [env['PIP_CONFIG_FILE'], env['UV_CONFIG_FILE']].filter((path) => path !== undefined)
  const usual = ['.config/pip/pip.conf', '.pip/pip.conf', '.config/uv/uv.toml', 'Library/Application Support/pip/pip.conf']
  return settingsOf(await readAll([...named, ...usual.map((path) => join(home, path)), '/etc/pip.conf']), {})
}

interface SettingsFile {
  readonly path: string
  readonly text: string
}

async function readAll(paths: readonly string[]): Promise<SettingsFile[]> {
  const read = paths.map(async (path) => {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    return text === undefined ? [] : [{ path: realPath(path), text }]
  })
  return (await Promise.all(read)).flat()
}

function settingsOf(found: readonly SettingsFile[], env: Readonly<Record<string, string>>): Settings {
  const certificates = found.flatMap(({ text }) => {
    const [, path] = /^\s*(?:cafile|cert)\s*=\s*"?(\/[^"\n]+?)"?\s*$/m.exec(text) ?? []
    return path === undefined ? [] : [realPath(path)]
  })
  return { files: [...found.map(({ path }) => path), ...certificates], texts: found.map(({ text }) => text), env }
}
