// `dnx` and `dotnet tool exec` in two phases: `dotnet tool install` puts the tool into a folder of the server's, and its own program is
// run. Options: https://learn.microsoft.com/dotnet/core/tools/dotnet-tool-exec, …/dotnet-tool-install
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import type { FetchedPackage } from '#app/server/fetched.ts'
import { looksSecret } from '#app/text/secret-names.ts'
import { realPath } from '../../process/sandbox/resolve-grants.ts'
import { type InstallContext, InstallError, type InstallFor, mustRun } from './install-step.ts'
import type { RegistryAccess } from './registry-access.ts'

const flags = /^--(?:allow-roll-forward|disable-parallel|ignore-failed-sources|no-http-cache|prerelease)$/
const valued = /^(?:-[av]|--(?:version|source|add-source|configfile|framework|arch|verbosity))$/
const dropped = /^(?:-y|--yes|--interactive)$/

interface ToolExec {
  /** Options that the installation takes, too. */
  readonly words: readonly string[]
  /** Arguments of the tool itself. */
  readonly rest: readonly string[]
}

/** Reads the words round the package, on both sides of it; undefined: one of them is not known. */
export function readToolExec(args: readonly string[], { index }: FetchedPackage): ToolExec | undefined {
  const from = args.findIndex((word, at) => word.startsWith('-') || at === index)
  const words: string[] = []
  for (let at = from; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (at === index || dropped.test(word)) continue
    if (word === '--') return { words, rest: args.slice(at + 1) }
    if (!word.startsWith('-')) return { words, rest: args.slice(at) }
    const [name = ''] = word.split(/[=:]/)
    if (valued.test(name)) words.push(...(name === word ? args.slice(at, ++at + 1) : [word]))
    else if (flags.test(word)) words.push(word)
    else return undefined
  }
  return { words, rest: [] }
}

interface Tool {
  readonly definition: StdioDefinition
  readonly fetched: FetchedPackage
  readonly access: RegistryAccess
}

/** The dotnet beside dnx, else the one of PATH. */
async function dotnetOf({ definition, fetched }: Tool, { environment }: InstallContext): Promise<string> {
  const { command } = await environment.prepare(definition)
  const beside = join(dirname(orElse(() => realpathSync(command), command)), 'dotnet')
  return fetched.program === 'dotnet' ? command : existsSync(beside) ? beside : 'dotnet'
}

/** @throws {InstallError} */
export async function installTool(tool: Tool, folder: string, into: InstallFor, context: InstallContext): Promise<void> {
  const { definition, fetched, access } = tool
  const { name, version } = fetched
  const { words = [] } = readToolExec(definition.args, fetched) ?? {}
  const plain = Object.entries(definition.env).filter(([one]) => into.grants === undefined || !looksSecret(one))
  const env = { ...access.env, ...Object.fromEntries(plain), DOTNET_NOLOGO: '1', DOTNET_CLI_TELEMETRY_OPTOUT: '1' }
  const args = [
    'tool',
    'install',
    name,
    ...(version === undefined ? [] : ['--version', version]),
    '--tool-path',
    join(folder, 'bin'),
    ...words,
  ]
  const may = { write: [realPath(folder)], hosts: await access.hosts(), read: [...access.files] }
  const said = /error|failed|not found|could not|unable/i
  await mustRun({ ...definition, command: await dotnetOf(tool, context), args, cwd: folder, env }, may, { for: into, context, said })
}

/**
 * The launch of the tool's program: a folder of tools has one for each.
 * @throws {InstallError} when there is none
 */
export async function toolProgram(tool: Tool, folder: string, context: InstallContext): Promise<StdioDefinition> {
  const { definition, fetched } = tool
  const bin = join(folder, 'bin')
  const [program] = orElse(() => readdirSync(bin), [] as string[]).filter((name) => !name.startsWith('.'))
  if (program === undefined) throw new InstallError(t`${fetched.name} has no program.`, [])
  const dotnet = await dotnetOf(tool, context)
  // The program that is made for a tool looks for the runtime by it.
  const root = dotnet.includes('/') ? { DOTNET_ROOT: dirname(orElse(() => realpathSync(dotnet), dotnet)) } : {}
  const { rest = [] } = readToolExec(definition.args, fetched) ?? {}
  return { ...definition, command: join(bin, program), args: [...rest], env: { ...root, ...definition.env } }
}
