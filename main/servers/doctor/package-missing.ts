// Diagnosis of a package that its registry does not have. Two mistakes are so common that they are named: a typing error in the name of a
// popular package, and a reference server of Python looked for at npm.
import { t } from '#app/i18n/translate.ts'
import { nearest } from '#main/base/nearest-name.ts'
import { type DiagnosisCase, type DiagnosisFinding, finding, wroteSentence } from './diagnosis-input.ts'
import { change, copy, log, retry } from './doctor-actions.ts'

type PackageRegistry = 'npm' | 'python' | 'images'

/** Popular packages. Each was found in its registry: suggesting a free name would invite somebody to register it. */
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

/** `pack`: the package as it was written, with or without version; undefined when it is not known. */
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
  return finding('package-not-found', [...(run === undefined ? [] : [copy(run), change('command')]), change('args'), log(), retry()], {
    short: pack === undefined ? t`its package was not found` : t`${pack} was not found`,
    message: messages[registry](name, pack),
    why: wroteSentence(line),
    remedy:
      run !== undefined
        ? t`This server is a Python package: its command is ${run}.`
        : like === undefined || like === bare
          ? t`Check the name and the version. A private package needs its registry to be set up first.`
          : t`Did you mean ${like}? Correct the name.`,
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

/** Name at PyPI of a reference server that was never published to npm, such as `@modelcontextprotocol/server-fetch`. */
function pythonName(pack: string): string | undefined {
  const name = /^@modelcontextprotocol\/(?:mcp-)?server-(?<name>.+)$/.exec(pack)?.groups?.['name']
  return known.python.find((each) => each === `mcp-server-${name}`)
}
