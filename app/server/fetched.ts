// Package or image that a command line downloads before it runs, read from its text alone. Unknown words claim nothing; files and
// folders are not downloads.
import { t } from '../i18n/translate.ts'
import { programOf } from './import/command-programs.ts'

interface Fetcher {
  readonly program: RegExp
  readonly verbs: readonly string[]
  /** Options that name the package apart from what runs. */
  readonly naming: RegExp
  /** Options that take another value. */
  readonly valued: RegExp
  readonly kind: 'npm' | 'python' | 'image' | 'nuget'
}

const none = /^$/
const [npm, python] = [
  { naming: /^(?:-p|--package)$/, valued: /^(?:-c|--call|-w|--workspace|--prefix|--registry|--cache)$/, kind: 'npm' },
  {
    naming: /^--(?:from|spec)$/,
    valued: /^(?:--with|--python|-p|--index|--index-url|--extra-index-url|--directory|--project|--env-file|--pip-args)$/,
    kind: 'python',
  },
] as const
const image = {
  naming: none,
  valued:
    /^(?:-[eavpuwhlm]|--(?:env|env-file|volume|mount|publish|name|network|net|user|workdir|entrypoint|platform|add-host|memory|cpus|label|hostname|gpus|device|cap-add|cap-drop|security-opt|ulimit|tmpfs|dns|pull|restart|ip|shm-size|runtime))$/,
  kind: 'image',
} as const
const fetchers: readonly Fetcher[] = [
  { program: /^(?:npx|bunx|pnpx)$/, verbs: [], ...npm },
  { program: /^npm$/, verbs: ['exec', 'x'], ...npm },
  { program: /^(?:pnpm|yarn)$/, verbs: ['dlx'], ...npm },
  { program: /^bun$/, verbs: ['x'], ...npm },
  { program: /^uvx$/, verbs: [], ...python },
  { program: /^pipx$/, verbs: ['run'], ...python },
  { program: /^uv$/, verbs: ['tool run'], ...python },
  { program: /^(?:docker|podman)$/, verbs: ['run'], ...image },
  { program: /^dnx$/, verbs: [], naming: none, valued: /^(?:--version|--source|--add-source|--framework)$/, kind: 'nuget' },
]

/** `index`: of the argument that names it. `version`: as written; undefined: the newest. */
export function fetchedBy(command: string, args: readonly string[]) {
  const program = programOf(command)
  for (const fetcher of fetchers) {
    if (!fetcher.program.test(program)) continue
    const verb = fetcher.verbs.find((words) => args.slice(0, words.split(' ').length).join(' ') === words)
    if (fetcher.verbs.length > 0 && verb === undefined) continue
    const index = wordOf(fetcher, args, verb === undefined ? 0 : verb.split(' ').length)
    return index === undefined ? undefined : named(fetcher.kind, args[index] ?? '', index)
  }
  return undefined
}

function wordOf({ naming, valued }: Fetcher, args: readonly string[], start: number): number | undefined {
  for (let index = start; index < args.length; index++) {
    const word = args[index] ?? ''
    if (word === '--' || naming.test(word)) return index + 1 < args.length ? index + 1 : undefined
    if (valued.test(word)) index++
    else if (!word.startsWith('-')) return index
    // `--package=x` names it in the same word.
    else if (naming.test(word.split('=')[0] ?? '')) return index
  }
  return undefined
}

const splits: Readonly<Record<Fetcher['kind'], RegExp>> = {
  npm: /^(@?[^@]+)(?:@(.+))?$/,
  python: /^([\w.-]+(?:\[[^\]]*\])?)(?:(?:==|@)(.+))?$/,
  image: /^([^@]+?)(?::([^:/@]+)|@(sha256:.+))?$/,
  nuget: /^([^@]+)(?:@(.+))?$/,
}

function named(kind: Fetcher['kind'], argument: string, index: number) {
  const word = argument.replace(/^--?[a-z-]+=/, '').replace(/^npm:/, '')
  if (/^(?:[.~/\\]|[A-Za-z]:[\\/]|file:)/.test(word) || word.includes('$' + '{')) return undefined
  if (/^(?:git\+|git:|https?:|ssh:|github:|gitlab:)/.test(word)) return { index, name: word, version: undefined, from: t`that address` }
  const [, name, tag, digest] = splits[kind].exec(word) ?? []
  if (name === undefined) return undefined
  const said = digest ?? tag
  const version = said === undefined || said === 'latest' || said === '*' ? undefined : said
  return { index, name, version, from: kind === 'image' ? imageSource(name) : sources[kind]() }
}

const sources = { npm: () => t`the npm registry`, python: () => 'PyPI', nuget: () => 'NuGet' } as const

function imageSource(name: string): string {
  const [host, ...rest] = name.split('/')
  return host !== undefined && rest.length > 0 && /[.:]|^localhost$/.test(host) ? host : t`Docker Hub`
}

/** Labels: the package ("notes-mcp 2.1.0") and its source ("from the npm registry …"). */
export const fetchedLabel = ({
  name,
  version,
  from,
}: NonNullable<ReturnType<typeof fetchedBy>>): readonly [named: string, said: string] => {
  const unless = t`unless it is here already`
  return version === undefined
    ? [name, t`from ${from}, in whatever version it has, ${unless}`]
    : [`${name} ${version}`, t`from ${from}, ${unless}`]
}
