// The programs of this computer that bundles run with: where the environment finds them, and what version they say they
// are. Only they are run for it, with nothing of a bundle in sight.
import { execFile } from 'node:child_process'
import { isAbsolute } from 'node:path'
import type { FoundPrograms } from '#app/server/bundle/compatibility.ts'
import type { Environment } from '#main/servers/process/environment/environment.ts'

/** By what names each is called, the first that is there. */
const names: Readonly<Record<keyof FoundPrograms, readonly string[]>> = {
  node: ['node'],
  python: ['python3', 'python'],
  uv: ['uv'],
}
const LONGEST_MS = 5000

export async function findPrograms(wanted: readonly (keyof FoundPrograms)[], environment: Environment): Promise<FoundPrograms> {
  const found: Partial<Record<keyof FoundPrograms, string | undefined>> = {}
  for (const program of wanted) {
    const [first] = await placesOf(names[program], environment)
    found[program] = first && (await versionOf(first.path, first.env))
  }
  return found
}

/** `python` where only `python3` is there, and the other way round; everything else as it is. */
export async function nameHere(command: string, environment: Environment): Promise<string> {
  if (command !== 'python' && command !== 'python3') return command
  const [first] = await placesOf([command, ...names.python.filter((name) => name !== command)], environment)
  return first?.name ?? command
}

async function placesOf(candidates: readonly string[], environment: Environment) {
  const found: { readonly name: string; readonly path: string; readonly env: Readonly<Record<string, string>> }[] = []
  for (const name of candidates) {
    try {
      const { command, env } = await environment.prepare({ command: name, args: [], env: {} })
      if (isAbsolute(command)) found.push({ name, path: command, env })
    } catch {
      // Not there by that name.
    }
  }
  return found
}

/** '': it does not say. */
const versionOf = (path: string, env: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((resolve) => {
    // A batch file would want a shell: none of these is one.
    if (/\.(cmd|bat)$/i.test(path)) return resolve('')
    execFile(
      path,
      ['--version'],
      { timeout: LONGEST_MS, env: { ...env }, maxBuffer: 64 * 1024, windowsHide: true },
      (error, stdout, stderr) => {
        resolve(error ? '' : (/\d+\.\d+(\.\d+)?[\w.+-]*/.exec(`${stdout} ${stderr}`)?.[0] ?? ''))
      },
    )
  })
