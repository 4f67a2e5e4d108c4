// `assent`: runs its command line and ends with the exit code.
import { cacheCompiledCode } from './compile-cache.ts'

// Before anything else of ours is compiled.
cacheCompiledCode()
const { runCommandLine } = await import('./run-command-line.ts')
// Keeps the process alive until the command is done: the host's own timers do not.
setInterval(() => {}, 2 ** 30)
// Exits explicitly, since a socket or a timer may be left.
runCommandLine(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`assent: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
