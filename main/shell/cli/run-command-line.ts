// Runs a command line; loads only what the command needs.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { t } from '#app/i18n/translate.ts'
import { createSpeaker } from '#main/shell/node/languages.ts'
import { readCommandLine } from './command-line.ts'
import { type ExitCode, exitCodes, reportError } from './exit-codes.ts'
import { usageOf } from './help.ts'
import { type CliOutput, createCliOutput, visibleLine } from './output.ts'

/** Resolves the folders of `--roots`, each once. One that does not exist is a usage error. */
export function findRoots(typed: readonly string[], cwd = process.cwd()) {
  const paths = [...new Set(typed.map((path) => resolve(cwd, path)))]
  const missing = paths.find((path) => !statSync(path, { throwIfNoEntry: false })?.isDirectory())
  if (missing !== undefined) return { kind: 'wrong' as const, message: t`There is no folder ${missing}.` }
  return { kind: 'folders' as const, paths }
}

type Run = Extract<ReturnType<typeof readCommandLine>, { kind: 'run' }>

async function run({ command, positionals, options: typed }: Run, output: CliOutput): Promise<ExitCode> {
  const roots = findRoots(typed.roots ?? [])
  if (roots.kind === 'wrong') {
    output.note(`assent: ${visibleLine(roots.message)}`)
    return exitCodes.usage
  }
  const options = { ...typed, roots: roots.paths }
  if (command === 'serve') return (await import('./commands/serve.ts')).serve(options, output)
  if (command === 'mcp') return (await import('./commands/mcp.ts')).mcp(options, output)
  if (command === 'secret') return (await import('./commands/secret.ts')).secret(options, positionals, output)
  if (command === 'audit') return (await import('./commands/audit.ts')).audit(options, output)
  const needed = command === 'import' && options.from !== undefined ? 'importServers' : command
  const [{ withHost }, work] = await Promise.all([import('./with-host.ts'), loadWork[needed]()])
  // An export masks the keys that may stand in it.
  const needsKeys = command === 'chat' || command === 'model' || command === 'export' || options.model !== undefined
  return withHost({ options, output, needsKeys }, (context) => work(context, positionals))
}

/** Commands that need a host. */
const loadWork = {
  servers: async () => (await import('./commands/servers.ts')).servers,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  tools: async () => (await import('./commands/servers.ts')).tools,
  call: async () => (await import('./commands/call.ts')).call,
  read: async () => (await import('./commands/call.ts')).read,
  prompt: async () => (await import('./commands/call.ts')).prompt,
  model: async () => (await import('./commands/model.ts')).model,
  chat: async () => (await import('./commands/chat.ts')).chat,
  export: async () => (await import('./commands/export.ts')).exportChats,
  import: async () => (await import('./commands/import.ts')).importChats,
  importServers: async () => (await import('./commands/import-servers.ts')).importServers,
}

/** Runs the arguments (`argv` without program and file), and reports errors itself. */
export async function runCommandLine(argv: readonly string[]): Promise<ExitCode> {
  createSpeaker()()
  const line = readCommandLine(argv)
  const output = createCliOutput(line.kind === 'run' && line.options.json)
  try {
    switch (line.kind) {
      case 'help':
        output.text(usageOf(line.command).trimEnd())
        return exitCodes.done
      case 'version':
        output.text((await import('#main/shell/node/program-files.ts')).readAppVersion())
        return exitCodes.done
      case 'wrong':
        output.note(`assent: ${visibleLine(line.message)}\n\n${usageOf(line.command).trimEnd()}`)
        return exitCodes.usage
      case 'run':
        return await run(line, output)
    }
  } catch (error) {
    return reportError(error, output)
  } finally {
    await output.flushed()
  }
}
