// One process that runs command lines one after the other, each with an environment of its own, as fresh processes would:
// for tests of what a command says and how it ends, of which most of the time would else be reading our own code.
import { PassThrough } from 'node:stream'
import { exitCodes } from './exit-codes.ts'
import { runCommandLine } from './run-command-line.ts'

export interface RunnerRequest {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Whether the command believes that it writes to a terminal. */
  readonly terminal?: boolean
  /** Lines that a person types at the terminal, each once a question stands there; then its end. */
  readonly typed?: readonly string[]
  /** Sends the command a signal after this time, in milliseconds, if it has not ended. */
  readonly endAfterMs?: number
}

/** What goes to a stream until `take`, which gives it back. */
function captured(stream: NodeJS.WriteStream, onWrite: (text: string) => void): { take(): string } {
  let text = ''
  const write = (piece: string | Uint8Array, ...more: unknown[]): boolean => {
    text += typeof piece === 'string' ? piece : Buffer.from(piece).toString()
    onWrite(text)
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

/** Answers what stands open on the line: a question ends without a line end. */
let answer: (text: string) => void = () => {}
const stdout = captured(process.stdout, (text) => answer(text))
const stderr = captured(process.stderr, (text) => answer(text))

const nobody = process.stdin
const setStdin = (stdin: NodeJS.ReadableStream): void => void Object.defineProperty(process, 'stdin', { value: stdin, configurable: true })

/** A terminal's stdin in place of none, for one command. */
function sitDown(typed: readonly string[]): void {
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode: () => stdin,
    ref: () => stdin,
    unref: () => stdin,
  })
  setStdin(stdin)
  const lines = [...typed]
  let timer: NodeJS.Timeout | undefined
  answer = (text) => {
    clearTimeout(timer)
    if (text.endsWith('\n') || stdin.writableEnded) return
    timer = setTimeout(() => {
      const line = lines.shift()
      if (line === undefined) stdin.end()
      else stdin.write(`${line}\n`)
    }, 30)
  }
}

process.on('message', async ({ args, env, endAfterMs, terminal = false, typed }: RunnerRequest) => {
  for (const stream of [process.stdout, process.stderr]) stream.isTTY = terminal
  if (typed) sitDown(typed)
  else {
    answer = () => {}
    setStdin(nobody)
  }
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
