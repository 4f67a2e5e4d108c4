// `assent`: runs its command line and ends with the exit code.
import { cacheCompiledCode } from './compile-cache.ts'

// Before anything else of ours is compiled.
cacheCompiledCode()
const [{ runCommandLine }, { visibleLine }] = await Promise.all([import('./run-command-line.ts'), import('./output.ts')])
const fail = (error: unknown): never => {
  process.stderr.write(`assent: ${visibleLine(error instanceof Error ? error.message : String(error))}\n`)
  process.exit(1)
}
// Node would write the error as it is, with whatever a server put into it.
process.on('uncaughtException', fail)
// Keeps the process alive until the command is done: the host's own timers do not.
setInterval(() => {}, 2 ** 30)
// Exits explicitly, since a socket or a timer may be left.
runCommandLine(process.argv.slice(2)).then((code) => process.exit(code), fail)
