// Package or image that a command line downloads before it runs, read from its text alone: one table of launchers with their options.
// Unknown words claim nothing; files and folders are not downloads. What is understood to the last option can be pinned to a version.
// Options: npm-exec(1), bunx, pnpm dlx, yarn dlx, `uv tool run --help`, pipx run, docker-run(1),
// dotnet tool exec.
import { z } from 'zod'
import { t } from '../i18n/translate.ts'
import { flagsOfRun, programOf } from './import/command-programs.ts'

/** Version of a package that a launcher fetches, as its registry had it when it was approved. */
export const launchPackage = z.object({
  name: z.string(),
  version: z.string(),
  /** Hash of what is fetched: npm's `dist.integrity`, of PyPI one over the hashes of all files, the digest of an image. */
  integrity: z.string(),
  /** Newer version that the person did not want. */
  declined: z.string().optional(),
  /** Hash of the package's code as it was first installed; absent: not known. Not approved by itself. */
  code: z.string().optional(),
})
export type LaunchPackage = z.infer<typeof launchPackage>

/** Reason why a version is not pinned. */
export const unpinnedReason = z.enum(['unreachable', 'not-found', 'not-here', 'not-understood', 'own-registry', 'own-copy', 'own-program'])
export type UnpinnedReason = z.infer<typeof unpinnedReason>

interface Fetcher {
  readonly program: RegExp
  readonly verbs: readonly string[]
  /** Options that name the package apart from what runs. */
  readonly naming: RegExp
  /** Options that take another value. */
  readonly valued: RegExp
  /** Options, with a value of theirs or none, that change neither the package nor where it is from. */
  readonly harmless: RegExp
  readonly kind: 'npm' | 'python' | 'image' | 'nuget'
}

const none = /^$/
const [npm, python] = [
  {
    naming: /^(?:-p|--package)$/,
    valued: /^(?:-c|--call|-w|--workspace|--prefix|--registry|--cache|--userconfig|--loglevel|--node-options|--allow-build)$/,
    harmless:
      /^(?:-[yqsd]+|--(?:yes|quiet|silent|bun|prefer-offline|prefer-online|offline|no-audit|no-fund|no-update-notifier|no-color|no-cache|ignore-existing|loglevel|yes=true|loglevel=\w+))$/,
    kind: 'npm',
  },
  {
    naming: /^--(?:from|spec)$/,
    valued:
      /^(?:-[pwicfbP]|--(?:with|with-editable|with-requirements|python|python-platform|index|default-index|index-url|extra-index-url|find-links|directory|project|env-file|pip-args|constraints|overrides|build-constraints|exclude-newer|prerelease|resolution|index-strategy|keyring-provider|cache-dir|config-file|color|config-setting|link-mode|refresh-package|upgrade-package|backend))$/,
    harmless:
      /^(?:-[qvnp]|--(?:quiet|verbose|isolated|no-cache|refresh|offline|native-tls|no-progress|no-env-file|managed-python|python|color|python=\S+|color=\w+))$/,
    kind: 'python',
  },
] as const
const valuedOfRun =
  /^(?:-[eavpuwhlmH]|--(?:context|config|host|log-level|env|env-file|volume|mount|publish|name|network|net|user|workdir|entrypoint|platform|add-host|memory|cpus|label|hostname|gpus|device|cap-add|cap-drop|security-opt|ulimit|tmpfs|dns|pull|restart|ip|shm-size|runtime|expose|volumes-from|group-add|pids-limit|log-driver|log-opt|ipc|pid|userns|stop-signal|stop-timeout))$/
const image = {
  naming: none,
  valued: valuedOfRun,
  harmless: new RegExp(`${valuedOfRun.source}|${flagsOfRun.source}|^-[evpuwhlm][^-].*$|^--[a-z-]+=`),
  kind: 'image',
} as const
const valuedOfExec = /^(?:-[av]|--(?:version|source|add-source|configfile|framework|arch|verbosity))$/
const nuget = { naming: none, valued: valuedOfExec, harmless: none, kind: 'nuget' } as const
const fetchers: readonly Fetcher[] = [
  { program: /^(?:npx|bunx|pnpx)$/, verbs: [], ...npm },
  { program: /^npm$/, verbs: ['exec', 'x'], ...npm },
  { program: /^(?:pnpm|yarn)$/, verbs: ['dlx'], ...npm },
  { program: /^bun$/, verbs: ['x'], ...npm },
  { program: /^uvx$/, verbs: [], ...python },
  { program: /^pipx$/, verbs: ['run'], ...python },
  { program: /^uv$/, verbs: ['tool run'], ...python },
  { program: /^(?:docker|podman)$/, verbs: ['run', 'container run'], ...image },
  { program: /^dnx$/, verbs: [], ...nuget },
  { program: /^dotnet$/, verbs: ['tool exec', 'tool execute', 'dnx'], ...nuget },
]

export interface FetchedPackage {
  readonly kind: Fetcher['kind']
  /** Launcher, by its name alone. */
  readonly program: string
  readonly index: number
  readonly name: string
  /** Version, tag, range or digest as written; undefined: the newest. */
  readonly version: string | undefined
  /** Source of the package in words. */
  readonly from: string
  /** Index of the first word after the package, or of the command where the package is named apart from it. */
  readonly command: { readonly index: number; readonly isApart: boolean }
  /** Whether every option is understood and the package comes from a registry, so that one version can be put in its place. */
  readonly exact: boolean
}

export function fetchedBy(command: string, args: readonly string[]): FetchedPackage | undefined {
  const program = programOf(command)
  // Windows starts npx, a script, by way of cmd.
  if (program === 'cmd' && /^\/c$/i.test(args[0] ?? '')) {
    const inner = fetchedBy(args[1] ?? '', args.slice(2))
    return inner && { ...inner, index: inner.index + 2, command: { ...inner.command, index: inner.command.index + 2 } }
  }
  for (const fetcher of fetchers) {
    if (!fetcher.program.test(program)) continue
    const verb = fetcher.verbs.length === 0 ? { at: 0, length: 0 } : verbIn(fetcher.verbs, args)
    if (!verb) continue
    const word = wordOf(fetcher, args.toSpliced(verb.at, verb.length), verb)
    const found = word && program === 'npm' ? withoutNpmOptions(word, args) : word
    const about = found && named(fetcher.kind, args[found.index] ?? '', found)
    return about && { ...about, program }
  }
  return wrappedIn(program, args)
}

/** Finds a verb, also behind options: they may choose what it does. */
function verbIn(verbs: readonly string[], args: readonly string[]): { readonly at: number; readonly length: number } | undefined {
  for (const words of verbs.map((verb) => verb.split(' '))) {
    const at = args.findIndex((_, index) => words.every((word, offset) => args[index + offset] === word))
    if (at === 0 || (at > 0 && args[0]?.startsWith('-'))) return { at, length: words.length }
  }
  return undefined
}

const wrappers = /^(?:env|nice|nohup|setsid|stdbuf|time|timeout|xvfb-run|sudo|doas|mise|direnv|dotenv|op|doppler|infisical)$/
const shells = /^(?:sh|bash|dash|zsh|fish|ksh|cmd|powershell|pwsh)$/

/** Finds a launcher behind a program that starts another one, or in the text of a shell. Its version cannot be put in place. */
function wrappedIn(program: string, args: readonly string[]): FetchedPackage | undefined {
  const isShell = shells.test(program)
  if (!isShell && !wrappers.test(program)) return undefined
  for (const [at, arg] of args.entries()) {
    const words = isShell ? arg.split(/[\s;&|()'"]+/).filter(Boolean) : args.slice(at)
    for (const [index, word] of words.entries()) {
      const inner = fetchedBy(word, words.slice(index + 1))
      if (inner) return { ...inner, index: isShell ? at : at + 1 + inner.index, exact: false }
      if (!isShell) break
    }
  }
  return undefined
}

type Found = Pick<FetchedPackage, 'index' | 'exact' | 'command'>

/** `args`: without the verb, which stood at `verb`; the result counts it. */
function wordOf(
  { naming, valued, harmless }: Fetcher,
  args: readonly string[],
  verb: { readonly at: number; readonly length: number },
): Found | undefined {
  const found = wordIn({ naming, valued, harmless }, args)
  const counted = (index: number): number => (index < verb.at ? index : index + verb.length)
  return (
    found && {
      index: counted(found.index),
      exact: found.exact && verb.at === 0,
      command: { ...found.command, index: counted(found.command.index) },
    }
  )
}

function wordIn({ naming, valued, harmless }: Pick<Fetcher, 'naming' | 'valued' | 'harmless'>, args: readonly string[]): Found | undefined {
  let exact = true
  let package_: number | undefined
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    if (word === '--' || !word.startsWith('-')) {
      const at = word === '--' ? index + 1 : index
      if (package_ !== undefined) return { index: package_, exact: exact && at < args.length, command: { index: at, isApart: true } }
      return at < args.length ? { index: at, exact, command: { index: at + 1, isApart: false } } : undefined
    }
    const [name = '', value] = word.split(/=(.*)/s)
    if (naming.test(name)) {
      // Several packages have no single version.
      if (package_ !== undefined) exact = false
      package_ ??= value === undefined ? ++index : index
      if (package_ >= args.length) return undefined
      continue
    }
    if (!harmless.test(word)) exact = false
    if (valued.test(word)) index++
  }
  // Without a command a shell would be opened.
  return package_ === undefined ? undefined : { index: package_, exact: false, command: { index: args.length, isApart: true } }
}

/** `npm exec` reads options behind the package too, up to `--`. */
function withoutNpmOptions(found: Found, args: readonly string[]): Found {
  const { index, isApart } = found.command
  const after = isApart ? index + 1 : index
  if (args[isApart ? index - 1 : found.index - 1] === '--') return found
  if (!isApart && args[after] === '--') return { ...found, command: { index: after + 1, isApart } }
  return args.slice(after).some((word) => word.startsWith('-')) ? { ...found, exact: false } : found
}

const splits: Readonly<Record<Fetcher['kind'], RegExp>> = {
  npm: /^(@?[^@]+)(?:@(.+))?$/,
  python: /^([\w.-]+(?:\[[^\]]*\])?)(?:(?:==|@)(.+)|([<>!~]=?.+))?$/,
  image: /^([^@]+?)(?::([^:/@]+)|(?::[^:/@]+)?@(sha256:.+))?$/,
  nuget: /^([^@]+)(?:@(.+))?$/,
}
/** Name and version of a package that comes from a registry, and nothing else. */
const plain: Readonly<Record<Fetcher['kind'], RegExp>> = {
  npm: /^(?:@[a-z\d~][\w.~-]*\/)?[a-z\d~][\w.~-]*(?:@[\w.^~<>=|* +-]+)?$/i,
  python: /^[a-z\d][\w.-]*(?:\[[\w,.-]*\])?(?:(?:==|@)[\w.!+]+|[<>!~][\w.!+<>=~, ]*)?$/i,
  image: /^[a-z\d][\w.:/-]*(?:@sha256:[\da-f]{64})?$/,
  nuget: none,
}

function named(kind: Fetcher['kind'], argument: string, { exact, ...found }: Found): Omit<FetchedPackage, 'program'> | undefined {
  const bare = argument.replace(/^--?[a-z-]+=/, '')
  const word = bare.replace(/^npm:/, '')
  if (/^(?:[.~/\\]|[A-Za-z]:[\\/]|file:)/.test(word) || word.includes('$' + '{')) return undefined
  const about = { kind, ...found, exact: false }
  if (/^(?:git\+|git:|https?:|ssh:|github:|gitlab:)/.test(word)) return { ...about, name: word, version: undefined, from: 'URL' }
  const [, name, tag, other] = splits[kind].exec(word) ?? []
  if (name === undefined) return undefined
  const said = other ?? tag
  const version = said === undefined || said === 'latest' || said === '*' ? undefined : said
  // npm takes `owner/name` for a repository.
  const from = kind === 'image' ? imageSource(name) : kind === 'npm' && /^[^@/]+\/[^/]+$/.test(name) ? 'GitHub' : sources[kind]()
  return { ...about, name, version, from, exact: exact && plain[kind].test(bare) }
}

const sources = { npm: () => t`the npm registry`, python: () => 'PyPI', nuget: () => 'NuGet' } as const

function imageSource(name: string): string {
  const [host, ...rest] = name.split('/')
  return host !== undefined && rest.length > 0 && /[.:]|^localhost$/.test(host) ? host : 'Docker Hub'
}

/** Returns the arguments with one version in place of what was written. Of an image it is a digest. */
export function pinnedArgs(args: readonly string[], { kind, index, name }: FetchedPackage, version: string): string[] {
  const [, option = ''] = /^(--?[a-z-]+=)/.exec(args[index] ?? '') ?? []
  const isApart = option !== '' || /^--(?:from|spec)$/.test(args[index - 1] ?? '')
  const word = `${option}${name}${kind === 'python' && isApart ? '==' : '@'}${version}`
  // pipx takes a version apart from the command alone.
  if (kind === 'python' && !isApart && args[0] === 'run')
    return args.toSpliced(index, 1, '--spec', `${name}==${version}`, name.replace(/\[.*/, ''))
  return args.with(index, word)
}

const reasons = (): Readonly<Record<UnpinnedReason, string>> => ({
  unreachable: t`its registry did not answer`,
  'not-found': t`its registry has no such version`,
  'not-here': t`the image is not here yet`,
  'not-understood': t`its options are not known`,
  'own-registry': t`the entry names its own registry`,
  'own-copy': t`its folder has its own copy`,
  'own-program': t`the program is not the one in your PATH`,
})

/** Labels: the package ("notes-mcp 2.1.0"), its source ("from the npm registry …") and whether its version is pinned. */
export function fetchedLabel(
  { name, version, from }: FetchedPackage,
  { package: pinned, unpinned }: { readonly package?: LaunchPackage | undefined; readonly unpinned?: UnpinnedReason | undefined } = {},
): readonly [named: string, said: string] {
  if (pinned) return [`${name} ${pinned.version}`, t`from ${from}, this version only`]
  const loose = unpinned === undefined ? '' : `. ${t`Version not pinned: ${reasons()[unpinned]}.`}`
  return version === undefined ? [name, `${t`from ${from}, any version`}${loose}`] : [`${name} ${version}`, `${t`from ${from}`}${loose}`]
}
