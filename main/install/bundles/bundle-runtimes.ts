// Finds the runtimes that bundles need (Node, Python, uv) and asks each for its version. Nothing of a bundle is run.
import { execFile } from 'node:child_process'
import { isAbsolute } from 'node:path'
import type { FoundPrograms } from '#app/server/bundle/compatibility.ts'
import type { Environment } from '#main/servers/process/environment/environment.ts'

/** Names of each program; the first one found counts. */
const names: Readonly<Record<keyof FoundPrograms, readonly string[]>> = {
  node: ['node'],
  python: ['python3', 'python'],
  uv: ['uv'],
}
const timeoutMs = 5000

export async function findPrograms(wanted: readonly (keyof FoundPrograms)[], environment: Environment): Promise<FoundPrograms> {
  const found: Partial<Record<keyof FoundPrograms, string | undefined>> = {}
  for (const program of wanted) {
    const first = await findFirst(names[program], environment)
    found[program] = first && (await versionOf(first.path, first.env))
  }
  return found
}

/** Returns `python` where only that is installed and not `python3`, and the other way round; any other command as it is. */
export async function installedPython(command: string, environment: Environment): Promise<string> {
  if (command !== 'python' && command !== 'python3') return command
  const first = await findFirst([command, ...names.python.filter((name) => name !== command)], environment)
  return first?.name ?? command
}

async function findFirst(candidates: readonly string[], environment: Environment) {
  for (const name of candidates) {
    try {
      const { command, env } = await environment.prepare({ command: name, args: [], env: {} })
      if (isAbsolute(command)) return { name, path: command, env }
    } catch {
      // No program of that name.
    }
  }
  return undefined
}

const versionOf = (path: string, env: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((resolve) => {
    // A batch file would want a shell: none of these is one.
    if (/\.(cmd|bat)$/i.test(path)) return resolve('')
    execFile(path, ['--version'], { timeout: timeoutMs, env, maxBuffer: 64 * 1024, windowsHide: true }, (error, stdout, stderr) => {
      resolve(error ? '' : (/\d+\.\d+(\.\d+)?[\w.+-]*/.exec(`${stdout} ${stderr}`)?.[0] ?? ''))
    })
  })
