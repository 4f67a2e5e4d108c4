// What a server needs to read to run at all: its program, the runtime that its first line names, its package and the folders of PATH.
// Never the home folder or one above it: a program that lies there alone is readable alone.
import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'
import { isInside } from '#app/consent/rules/path-text.ts'
import { orElse } from '#app/or-else.ts'
import type { PreparedLaunch } from '../environment/environment.ts'
import type { SandboxPlace } from './resolve-grants.ts'

// biome-ignore format: a list reads better in rows
/** Folders of version managers: whatever is in one may need the rest of it. Relative to the home folder. */
const managers = [
  '.nvm', '.pyenv', '.volta', '.asdf', '.bun', '.deno', '.rbenv', '.fnm', '.local/share/fnm', '.local/share/mise',
  '.rustup', '.sdkman', '.dotnet', '.local/share/uv', '.local/share/pnpm', '.local/pipx', '.local/share/pipx',
  '.local/share/virtualenvs', '.cargo/bin', 'go/bin', 'miniconda3', 'anaconda3', '.conda/envs',
]

/** Folders of the data folder with programs that servers run. */
const programFolders = ['bundles', 'packages/installed']

const manifests = ['package.json', 'pyproject.toml', 'setup.py', 'Cargo.toml', 'go.mod', 'deno.json']

const isFile = (path: string): boolean => orElse(() => statSync(path).isFile(), false)
const real = (path: string): string => orElse(() => realpathSync(path), path)

/** The program and arguments of a script's first line; `env` is passed over. */
function interpreterOf(file: string): string | undefined {
  const head = orElse(() => {
    const fd = openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(256)
      return bytes.toString('latin1', 0, readSync(fd, bytes, 0, 256, 0))
    } finally {
      closeSync(fd)
    }
  }, '')
  const words = /^#!\s*([^\n]*)/.exec(head)?.[1]?.trim().split(/\s+/) ?? []
  const [program, ...rest] = words
  return program !== undefined && basename(program) === 'env' ? rest.find((word) => !word.startsWith('-') && !word.includes('=')) : program
}

/** Lists files and folders, absolute, links resolved and as named. A folder stands for all in it. */
export function runtimeFolders(
  { command, args, path, cwd }: Pick<PreparedLaunch, 'command' | 'args' | 'path' | 'cwd'>,
  place: SandboxPlace,
): string[] {
  const found = new Set<string>()
  const tooWide = (folder: string): boolean =>
    isInside(place.home, folder) || folder.split(sep).length < 3 || isInside(place.dataDir, folder) || folder === join(place.home, '.local')
  const add = (folder: string, file: string): void => void found.add(tooWide(folder) ? file : folder)

  const managerOf = (file: string): string | undefined =>
    managers.map((name) => join(place.home, name)).find((folder) => isInside(file, folder))
  const addFile = (file: string): void => {
    const manager = managerOf(file)
    const modules = file.indexOf(`${sep}node_modules${sep}`)
    if (manager !== undefined) found.add(manager)
    else if (modules !== -1) add(file.slice(0, modules + `${sep}node_modules`.length), file)
    else if (basename(dirname(file)) === 'bin') add(dirname(dirname(file)), file)
    else add(packageRoot(file, tooWide), file)
    for (let at = dirname(file); dirname(at) !== at && !tooWide(at); at = dirname(at))
      if (existsSync(join(at, 'node_modules'))) found.add(join(at, 'node_modules'))
  }
  const seen = new Set<string>()
  const addProgram = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    addFile(file)
    const target = real(file)
    if (target !== file) addFile(target)
    // A virtual environment links to the Python that it was made from.
    const base = /^home\s*=\s*(\S.*?)\s*$/m.exec(orElse(() => readFileSync(join(dirname(dirname(file)), 'pyvenv.cfg'), 'utf8'), ''))?.[1]
    if (base !== undefined && isAbsolute(base)) addFile(join(base, 'python'))
    const interpreter = interpreterOf(target)
    const place =
      interpreter === undefined || isAbsolute(interpreter)
        ? interpreter
        : path
            .split(':')
            .map((folder) => join(folder, interpreter))
            .find(isFile)
    if (place !== undefined) addProgram(place)
  }
  addProgram(command)
  for (const arg of args) {
    const file = isAbsolute(arg) ? arg : /^[\w.][^:]*\.\w+$/.test(arg) ? join(cwd, arg) : undefined
    if (file !== undefined && isFile(file) && /\.(?:[cm]?[jt]sx?|py|pyz|jar|rb|php|wasm|dll|sh|lua|pl|exs?)$/i.test(file)) {
      addFile(file)
      if (real(file) !== file) addFile(real(file))
    }
  }
  for (const folder of path.split(':'))
    if (isAbsolute(folder) && existsSync(folder) && !tooWide(folder)) found.add(managerOf(folder) ?? folder)
  return [...found].filter(
    (each) => !isInside(each, place.dataDir) || programFolders.some((name) => isInside(each, join(place.dataDir, name))),
  )
}

/** Nearest folder above a file with a manifest, else the file's own. */
function packageRoot(file: string, tooWide: (folder: string) => boolean): string {
  for (let at = dirname(file); dirname(at) !== at && !tooWide(at); at = dirname(at))
    if (manifests.some((name) => existsSync(join(at, name)))) return at
  return dirname(file)
}
