// One process that runs command lines one after the other, each with an environment of its own, as fresh processes would:
// for tests of what a command says and how it ends, of which most of the time would else be reading our own code.
import { exitCodes } from './exit-codes.ts'
import { runCommandLine } from './run-command-line.ts'

export interface RunnerRequest {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Whether the command believes that it writes to a terminal. */
  readonly terminal?: boolean
  /** Sends the command a signal after this time, in milliseconds, if it has not ended. */
  readonly endAfterMs?: number
}

/** What goes to a stream until `take`, which gives it back. */
function captured(stream: NodeJS.WriteStream): { take(): string } {
  let text = ''
  const write = (piece: string | Uint8Array, ...more: unknown[]): boolean => {
    text += typeof piece === 'string' ? piece : Buffer.from(piece).toString()
    const done = more.find((one) => typeof one === 'function')
    if (done) queueMicrotask(done as () => void)
    return true
  }
  Object.assign(stream, { write })
  // Each command listens to it for as long as its process would live.
  stream.setMaxListeners(0)
  return {
    take() {
      const all = text
      text = ''
      return all
    },
  }
}

const stdout = captured(process.stdout)
const stderr = captured(process.stderr)

process.on('message', async ({ args, env, endAfterMs, terminal = false }: RunnerRequest) => {
  for (const stream of [process.stdout, process.stderr]) stream.isTTY = terminal
  const timer = endAfterMs === undefined ? undefined : setTimeout(() => process.emit('SIGTERM', 'SIGTERM'), endAfterMs)
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  const code = await runCommandLine(args).catch((error: unknown) => {
    process.stderr.write(`assent: ${error instanceof Error ? error.message : String(error)}\n`)
    return exitCodes.failed
  })
  clearTimeout(timer)
  process.send?.({ code, stdout: stdout.take(), stderr: stderr.take() })
})
process.on('disconnect', () => process.exit())
