// One stdio server as a process: started without a shell as the head of its own process group, and ended with whatever it started. Its
// stderr goes line by line to listeners. The end is `exit`, not the end of its pipes, which a grandchild may hold.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Exit } from '#app/server/server-state.ts'
import { withoutEnd } from '#app/text/format-text.ts'
import { doneWithin } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'
import { createListeners } from '#main/base/listeners.ts'
import { system32 } from '#main/base/powershell.ts'
import type { ConfinedLaunch } from '#main/servers/process/sandbox/confined-launch.ts'
import { closeInherited } from '#main/servers/process/sandbox/run-confined.ts'
import { newTag, type ProcessWatch, type ServerProcess, tagVariable } from '#main/servers/process/server-process.ts'
import { defaultLimits, type StdioLimits } from '#main/servers/process/stdio-limits.ts'
import { createTermination, processGroup, type Termination } from '#main/servers/process/termination.ts'
import { checkCommandLine, isBatchFile, windowsCommandLine } from '#main/servers/process/windows-command.ts'
import type { Tap } from '../inspector/wire-tap.ts'
import { createLineSplitter } from './line-splitter.ts'
import { createStdioTransport, type StdioTransport } from './stdio-transport.ts'

// Decides when to give up a pipe of a process that has ended, for a grandchild may hold it open. Time alone does not tell: on a
// busy loop it is over before anybody has read, and the last lines of a crash say why.

/** Turns of the loop in which nothing came, one after the other, before it counts as quiet. */
const quietTurns = 2
/** No grandchild talks on without end: each turn reads 64 kB at most. */
const mostTurns = 100

/** Resolves when the pipe has `ended`, or once `ms` have passed and the loop has looked for more in vain. */
export async function waitForDrain(
  stream: Readable,
  { ended, ms, clock }: { readonly ended: Promise<void>; readonly ms: number; readonly clock: Clock },
): Promise<void> {
  if (await doneWithin(ended, clock, ms)) return
  let over = false
  void ended.then(() => {
    over = true
  })
  let came = false
  const onData = (): void => {
    came = true
  }
  stream.on('data', onData)
  for (let [turn, quiet] = [0, 0]; !over && turn < mostTurns && quiet < quietTurns; turn += 1) {
    await new Promise((next) => setImmediate(next))
    quiet = came ? 0 : quiet + 1
    came = false
  }
  stream.off('data', onData)
}

const windowMs = 100

type StderrLines = ReturnType<typeof createStderrLines>

/**
 * Passes lines that are not protocol on to the log. A flood costs neither memory nor the loop: in any 100 ms only so many lines are
 * decoded; of the rest the last one is kept, since the last line before a crash is the one that tells, and the others are counted.
 */
export function createStderrLines(options: {
  readonly burst: number
  readonly maxLine: number
  readonly clock: Clock
  readonly onLine: (line: string, droppedBefore: number) => void
}) {
  let inWindow = 0
  let dropped = 0
  let last: Buffer | undefined
  let cancelWindow: (() => void) | undefined

  const passOn = (line: Buffer): void => {
    const before = dropped
    dropped = 0
    options.onLine(excerpt(line, options.maxLine), before)
  }

  const flush = (): void => {
    cancelWindow?.()
    cancelWindow = undefined
    inWindow = 0
    const line = last
    last = undefined
    if (line) passOn(line)
  }

  return {
    add(line: Buffer): void {
      cancelWindow ??= options.clock.after(windowMs, flush)
      inWindow += 1
      if (inWindow <= options.burst) {
        passOn(line)
        return
      }
      if (last) dropped += 1
      last = line
    },
    flush,
  }
}

/** The beginning of a line as text; an ellipsis where it was cut. */
export function excerpt(line: Buffer, max: number): string {
  const text = withoutEnd(line.toString('utf8', 0, Math.min(line.length, max)), '\r')
  return line.length > max ? `${text.replace(/\uFFFD{1,3}$/, '')}…` : text
}

export interface LaunchOptions {
  /** Absolute: `environment.ts` has resolved it. */
  readonly command: string
  readonly args: readonly string[]
  /** All of it; of ours only the tag is added. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Told of it before it is there: so that it does not outlive us, and is known again if it does. */
  readonly watches?: readonly ProcessWatch[]
  readonly limits?: Partial<StdioLimits>
  readonly clock: Clock
  readonly tap?: Tap | undefined
  /** Sandbox that it runs in; default: none. Disposed of once nothing is left of the server. */
  readonly confined?: ConfinedLaunch | undefined
}

/** @throws {HostError} `server.spawn-failed` for what cannot be a command line; whatever else hinders the start rejects the transport's */
export function launchStdio(options: LaunchOptions): ServerProcess {
  const limits = { ...defaultLimits, ...options.limits }
  const { clock } = options
  const tag = newTag()
  checkCommandLine(options)
  const watched = (options.watches ?? []).map((watch) => watch.expect(tag))
  const over = (): void => {
    options.confined?.dispose()
    for (const each of watched) each.ended()
  }
  const child = spawnServer(options, tag, over)
  const outputs = createOutputs(limits, clock)
  const exit = Promise.withResolvers<Exit>()
  const started = Promise.withResolvers<void>()
  started.promise.catch(() => {}) // It is the rejection of the transport's `start`; without a start nobody asks.

  const { stdout: stdoutLines, stderr: stderrLines } = outputs
  const stdoutEnded = Promise.withResolvers<void>()
  const stderrEnded = readLines(child.stderr, limits, stderrLines)

  const transport: StdioTransport = createStdioTransport({
    stdout: child.stdout,
    stdin: child.stdin,
    limits,
    ready: started.promise,
    onOutput: (line) => stdoutLines.add(line),
    onEnd: stdoutEnded.resolve,
    onClose: () => {
      termination?.close()
      return exit.promise.then(() => termination?.gone)
    },
    tap: options.tap,
  })

  const pid = child.pid
  const termination: Termination | undefined =
    pid === undefined
      ? undefined
      : createTermination({
          group: processGroup(pid, process.platform, tag, options.confined?.wraps),
          endInput: () => transport.endInput(),
          clock,
          grace: limits.grace,
        })
  if (pid === undefined) over()
  else for (const each of watched) each.started(pid)
  void termination?.gone.then((how) => {
    // What the kernel would not end stays on record.
    if (how === 'gone') over()
    // The kernel would not end it: nobody will tell how it ended.
    if (child.exitCode === null && child.signalCode === null) exit.resolve({ code: null, signal: null })
  })

  const drained = async (): Promise<void> => {
    transport.drain()
    await waitForDrain(child.stderr, { ended: stderrEnded, ms: limits.drain, clock })
    child.stderr.destroy()
    stderrLines.flush()
    void cutWhenCaughtUp()
  }

  /** A stdout that is paused holds more than it has shown. Bounded, because the rest of the group is being ended. */
  const cutWhenCaughtUp = async (): Promise<void> => {
    do await waitForDrain(child.stdout, { ended: stdoutEnded.promise, ms: limits.drain, clock })
    while (transport.backedUp)
    transport.cut()
    stdoutLines.flush()
  }

  child.once('spawn', () => started.resolve())
  child.once('exit', (code, signal) => {
    termination?.exited()
    // Its last answer counts, if it is not behind more than can be handed over by then.
    void drained()
      .then(() => waitForDrain(child.stdout, { ended: stdoutEnded.promise, ms: 2 * limits.drain, clock }))
      .then(() => exit.resolve(options.confined?.wraps ? exitInSandbox(code, signal) : { code, signal }))
  })
  child.on('error', (error: NodeJS.ErrnoException) => {
    if (pid !== undefined) return // A signal that did not arrive; the steps of the shutdown go on.
    started.reject(spawnError(error, options))
    transport.cut()
    exit.resolve({ code: null, signal: null })
  })

  return {
    transport,
    pid,
    onOutput: outputs.listen,
    stray: () => transport.stray,
    exited: exit.promise,
    async stop() {
      termination?.stop()
      await termination?.gone
      return exit.promise
    },
  }
}

/** bubblewrap passes on a signal that ended the server as a shell does: 128 and its number. */
function exitInSandbox(code: number | null, signal: NodeJS.Signals | null): Exit {
  const name = Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0]
  return name === undefined ? { code, signal } : { code: null, signal: name }
}

/** Lines of a program that are not protocol, for whoever listens. */
export function createOutputs(limits: StdioLimits, clock: Clock) {
  const listeners = createListeners<Parameters<Parameters<ServerProcess['onOutput']>[0]>>()
  const output = (source: 'stderr' | 'stdout'): StderrLines =>
    createStderrLines({
      burst: limits.outputBurst,
      maxLine: limits.maxOutputLine,
      clock,
      onLine: (line, droppedBefore) => listeners.tell(source, line, droppedBefore),
    })
  return {
    stdout: output('stdout'),
    stderr: output('stderr'),
    listen: listeners.add,
  }
}

function spawnServer(options: LaunchOptions, tag: string, onRefused: () => void): ChildProcessWithoutNullStreams {
  const { confined } = options
  const { command, args, cwd } = confined ?? options
  const windows = process.platform === 'win32'
  const batch = windows && isBatchFile(command)
  const { env, input } = confined?.tagged(tag) ?? { env: { ...options.env, [tagVariable]: tag }, input: [] }
  const closing = closeInherited(confined ? 3 + input.length : Number.POSITIVE_INFINITY)
  try {
    const child = spawn(batch ? system32('cmd.exe') : command, batch ? [windowsCommandLine(command, args, cwd)] : [...args], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe', ...input.map(() => 'pipe' as const), ...(confined ? closing.stdio : [])],
      shell: false,
      detached: !windows,
      windowsHide: true,
      windowsVerbatimArguments: batch,
    })
    if (child.stdout) {
      for (const [index, bytes] of input.entries()) handOver(child.stdio[index + 3], bytes)
      return child as ChildProcessWithoutNullStreams
    }
    // Out of file descriptors: there are no pipes, and the event that says so comes later.
    child.on('error', () => {})
    const data = { command, reason: 'EMFILE' }
    throw new HostError('server.spawn-failed', t`${command} could not be started (${'EMFILE'}).`, { data })
  } catch (error) {
    onRefused()
    throw error instanceof HostError ? error : spawnError(error as NodeJS.ErrnoException, options)
  } finally {
    closing.done()
  }
}

/** Writes to a descriptor of the child, which reads it to its end. That it ended before is told by its exit. */
function handOver(stream: Readable | Writable | null | undefined, bytes: Buffer): void {
  if (!stream || !('write' in stream)) return
  stream.on('error', () => {})
  stream.end(bytes)
}

function spawnError(error: NodeJS.ErrnoException, { command, cwd }: LaunchOptions): HostError {
  const reason = error.code ?? 'unknown'
  const failure = (message: string, code: HostErrorCode = 'server.spawn-failed'): HostError =>
    new HostError(code, message, { data: { command, cwd, reason }, cause: error })
  if (!existsSync(cwd)) return failure(t`There is no folder ${cwd}.`, 'server.cwd-not-found')
  if (reason === 'ENOENT' && !existsSync(command)) return failure(t`${command} was not found.`, 'server.command-not-found')
  return failure(t`${command} could not be started (${reason}).`)
}

/** One chunk a turn, so that a flood leaves the loop to others. Resolves at the end of the stream. */
function readLines(stream: Readable, limits: StdioLimits, output: StderrLines): Promise<void> {
  const splitter = createLineSplitter({ maxLine: limits.maxOutputLine, keepHead: limits.maxOutputLine + 1 })
  const takeAll = (): void => {
    for (let line = splitter.next(); line; line = splitter.next()) {
      if (line.kind === 'line') output.add(line.bytes)
      else if (line.kind === 'oversized') output.add(line.head)
    }
  }
  stream.on('data', (chunk: Buffer) => {
    stream.pause()
    splitter.push(chunk)
    takeAll()
    setImmediate(() => stream.resume())
  })
  stream.on('error', () => {}) // A pipe that breaks has ended.
  return new Promise((resolve) => {
    stream.on('close', () => {
      splitter.end()
      takeAll()
      output.flush()
      resolve()
    })
  })
}
