// Origin of well-known launchers and how to install them, for the most common failure of a first start: a missing program.
import { t } from '#app/i18n/translate.ts'
import { programName } from '#app/text/format-text.ts'

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
