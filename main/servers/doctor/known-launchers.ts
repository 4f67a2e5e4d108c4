// Origin of well-known launchers and how to install them, for the most common failure of a first start: a missing program.

import { t } from '#app/i18n/translate.ts'
import { programName } from '#app/text/format-text.ts'
import { nearest } from '#main/base/nearest-name.ts'
import { change, copy, type DiagnosisFinding, finding, log, retry, wroteSentence } from './diagnosis-input.ts'

// Commands that help where it is the system that refuses a program.
export const installRosetta = 'softwareupdate --install-rosetta'
export const installLibraries = 'winget install Microsoft.VCRedist.2015+.x64'
export const signAnew = (file: string): string => `codesign --force --sign - '${file.replaceAll("'", "'\\''")}'`
/** Processor that programs of macOS are for when they are not for this one. */
export const otherProcessor: Readonly<Record<string, string>> = { arm64: 'x64', x64: 'arm64' }

interface Program {
  readonly names: readonly string[]
  readonly product: string
  readonly site: string
  readonly install: Partial<Record<'darwin' | 'win32' | 'linux', string>>
}

const programs: readonly Program[] = [
  {
    names: ['uvx', 'uv'],
    product: 'uv',
    site: 'astral.sh/uv',
    install: { darwin: 'brew install uv', win32: 'winget install --id=astral-sh.uv -e', linux: 'pipx install uv' },
  },
  {
    names: ['npx', 'node', 'npm'],
    product: 'Node.js',
    site: 'nodejs.org',
    install: { darwin: 'brew install node', win32: 'winget install OpenJS.NodeJS.LTS' },
  },
  {
    names: ['python', 'python3', 'pip', 'pipx'],
    product: 'Python',
    site: 'python.org',
    install: { darwin: 'brew install python', win32: 'winget install Python.Python.3.13' },
  },
  { names: ['docker'], product: 'Docker Desktop', site: 'docker.com', install: {} },
  { names: ['bunx', 'bun'], product: 'Bun', site: 'bun.com', install: { win32: 'winget install Oven-sh.Bun' } },
  {
    names: ['deno'],
    product: 'Deno',
    site: 'deno.com',
    install: { darwin: 'brew install deno', win32: 'winget install DenoLand.Deno' },
  },
]

const programNamed = (name: string): Program | undefined => programs.find((entry) => entry.names.includes(name))

/** Name of what is installed to have a command: `uv` for `uvx`. */
export const productOf = (command: string): string => {
  const name = programName(command)
  return programNamed(name)?.product ?? name
}

export function programHelp(command: string, platform: NodeJS.Platform) {
  const name = programName(command)
  const program = programNamed(name)
  const system = platform === 'darwin' || platform === 'win32' ? platform : 'linux'
  return (
    program && {
      comesWith:
        name === program.product ? t`Get ${name} from ${program.site}.` : t`${name} comes with ${program.product}, from ${program.site}.`,
      install: program.install[system],
    }
  )
}

// Diagnosis of a package that its registry does not have. Two mistakes are so common that they are named: a typing error in the name of a
// popular package, and a reference server of Python looked for at npm.

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
export function packageMissingRule(pack: string | undefined, registry: PackageRegistry, line: string): DiagnosisFinding {
  const bare = pack?.replace(/(?<=.)(?:@|[=<>~!]=).*$/, '')
  const inPython = registry === 'npm' && bare !== undefined ? pythonName(bare) : undefined
  const like = registry === 'images' || bare === undefined ? undefined : nearest(bare, known[registry])
  const run = inPython === undefined ? undefined : `uvx ${inPython}`
  return finding('package-not-found', [...(run === undefined ? [] : [copy(run), change('command')]), change('args'), log(), retry()], {
    short: t`${pack ?? t`its package`} was not found in ${registryLabels()[registry]}`,
    why: wroteSentence(line),
    remedy:
      run !== undefined
        ? t`This server is a Python package. Use ${run}.`
        : like === undefined || like === bare
          ? t`Check the name, the version and the registry.`
          : t`Did you mean “${like}”?`,
  })
}

const registryLabels = (): Readonly<Record<PackageRegistry, string>> => ({
  npm: t`the npm registry`,
  python: 'PyPI',
  images: t`the registry`,
})

/** Name at PyPI of a reference server that was never published to npm, such as `@modelcontextprotocol/server-fetch`. */
function pythonName(pack: string): string | undefined {
  const name = /^@modelcontextprotocol\/(?:mcp-)?server-(?<name>.+)$/.exec(pack)?.groups?.['name']
  return known.python.find((each) => each === `mcp-server-${name}`)
}
