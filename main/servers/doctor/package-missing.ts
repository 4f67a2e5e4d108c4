// A package that its registry does not have. Two slips are so common that they are told by name: a letter amiss in one of
// the packages that many people use, and a reference server of Python looked for at npm.
import { t } from '#app/i18n/translate.ts'
import { nearest } from '#main/base/nearest-name.ts'
import { copy, type DiagnosisCase, type DiagnosisFinding, edit, finding, log, quoteLastLine, retry } from './diagnosis-input.ts'

type PackageRegistry = 'npm' | 'python' | 'images'

/** Each was looked up at its registry: a name that nobody holds would invite somebody to take it. */
const known: Readonly<Record<'npm' | 'python', readonly string[]>> = {
  npm: [
    ...['everything', 'filesystem', 'github', 'memory', 'postgres', 'puppeteer', 'sequential-thinking', 'slack'].map(
      (name) => `@modelcontextprotocol/server-${name}`,
    ),
    '@azure/mcp',
    '@brave/brave-search-mcp-server',
    '@notionhq/notion-mcp-server',
    '@playwright/mcp',
    '@sentry/mcp-server',
    '@stripe/mcp',
    '@supabase/mcp-server-supabase',
    '@upstash/context7-mcp',
    'chrome-devtools-mcp',
    'figma-developer-mcp',
    'firecrawl-mcp',
    'mcp-remote',
    'mongodb-mcp-server',
    'tavily-mcp',
  ],
  python: ['mcp-server-fetch', 'mcp-server-git', 'mcp-server-sqlite', 'mcp-server-time'],
}

/** `pack`: with its version or not, as it was written; undefined: nobody knows. */
export function packageMissingRule(
  { name }: DiagnosisCase,
  pack: string | undefined,
  registry: PackageRegistry,
  line: string,
): DiagnosisFinding {
  const bare = pack?.replace(/(?<=.)(?:@|[=<>~!]=).*$/, '')
  const inPython = registry === 'npm' && bare !== undefined ? pythonName(bare) : undefined
  const like = registry === 'images' || bare === undefined ? undefined : nearest(bare, known[registry])
  const run = inPython === undefined ? undefined : `uvx ${inPython}`
  return finding('package-not-found', {
    short: pack === undefined ? t`its package was not found` : t`${pack} was not found`,
    message: messages[registry](name, pack),
    why: t`It wrote: ${quoteLastLine(line)}.`,
    remedy:
      run !== undefined
        ? t`This server is a Python package: its command is ${run}.`
        : like === undefined || like === bare
          ? t`Check the name and the version. A private package needs its registry to be set up first.`
          : t`Did you mean ${like}? Correct the name.`,
    actions: [
      ...(run === undefined ? [] : [copy(run), edit(t`Change the command`, 'command')]),
      edit(t`Change the arguments`, 'args'),
      log(),
      retry(),
    ],
  })
}

const messages: Readonly<Record<PackageRegistry, (name: string, pack: string | undefined) => string>> = {
  npm: (name, pack) =>
    pack === undefined
      ? t`${name} doesn’t start: its package was not found at the npm registry.`
      : t`${name} doesn’t start: the package ${pack} was not found at the npm registry.`,
  python: (name, pack) =>
    pack === undefined
      ? t`${name} doesn’t start: its package was not found at the Python package index.`
      : t`${name} doesn’t start: the package ${pack} was not found at the Python package index.`,
  images: (name, pack) =>
    pack === undefined
      ? t`${name} doesn’t start: its image was not found at its registry.`
      : t`${name} doesn’t start: the image ${pack} was not found at its registry.`,
}

/** `@modelcontextprotocol/server-fetch` and the like were only ever published for Python. */
function pythonName(pack: string): string | undefined {
  const name = /^@modelcontextprotocol\/(?:mcp-)?server-(?<name>.+)$/.exec(pack)?.groups?.['name']
  return known.python.find((each) => each === `mcp-server-${name}`)
}
