// Origin of well-known launchers and how to install them, for the most common failure of a first start: a missing program.
import { t } from '#app/i18n/translate.ts'
import { programName } from '#app/text/format-text.ts'

interface Program {
  readonly names: readonly string[]
  readonly comesWith: (name: string) => string
  readonly install: Partial<Record<'darwin' | 'win32' | 'linux', string>>
}

const programs: readonly Program[] = [
  {
    names: ['uvx', 'uv'],
    comesWith: (name) => (name === 'uv' ? t`uv is a package runner for Python.` : t`uvx comes with uv.`),
    install: { darwin: 'brew install uv', win32: 'winget install --id=astral-sh.uv -e', linux: 'pipx install uv' },
  },
  {
    names: ['npx', 'node', 'npm'],
    comesWith: (name) => (name === 'node' ? t`node is Node.js, from nodejs.org.` : t`${name} comes with Node.js, from nodejs.org.`),
    install: { darwin: 'brew install node', win32: 'winget install OpenJS.NodeJS.LTS' },
  },
  {
    names: ['python', 'python3', 'pip', 'pipx'],
    comesWith: (name) => t`${name} comes with Python, from python.org.`,
    install: { darwin: 'brew install python', win32: 'winget install Python.Python.3.13' },
  },
  { names: ['docker'], comesWith: () => t`docker comes with Docker Desktop or Docker Engine, from docker.com.`, install: {} },
  {
    names: ['bunx', 'bun'],
    comesWith: (name) => (name === 'bun' ? t`bun is from bun.com.` : t`bunx comes with Bun, from bun.com.`),
    install: { win32: 'winget install Oven-sh.Bun' },
  },
  {
    names: ['deno'],
    comesWith: () => t`deno is from deno.com.`,
    install: { darwin: 'brew install deno', win32: 'winget install DenoLand.Deno' },
  },
]

export function programHelp(command: string, platform: NodeJS.Platform) {
  const name = programName(command)
  const program = programs.find((entry) => entry.names.includes(name))
  const system = platform === 'darwin' || platform === 'win32' ? platform : 'linux'
  return program && { comesWith: program.comesWith(name), install: program.install[system] }
}
