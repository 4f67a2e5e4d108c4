// `assent`: runs its command line and ends with the exit code.
import { cacheCompiledCode } from './compile-cache.ts'

// Before anything else of ours is compiled.
cacheCompiledCode()
const { runCommandLine } = await import('./run-command-line.ts')
// A command lives until it is done: a wait of the host (a model that asks to be tried again) keeps no process alive.
setInterval(() => {}, 2 ** 30)
// What is left behind (a socket of an agent, a timer) must not keep a finished command alive.
runCommandLine(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`assent: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
