// One stdio server as a process of ours: started without a shell, at the head of a group of its own, watched by the
// guard, and ended together with whatever it started. Its stdout is the transport's, its stderr goes line by line to
// whoever listens. The end of the process is its `exit`, not the end of its pipes, which a grandchild may hold.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { HostError } from '#app/errors.ts'
import type { Exit } from '#app/server/state.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import { system32 } from '#main/base/system32.ts'
import type { Tap } from '../inspector/tap.ts'
import type { ServerProcess } from '../launch.ts'
import { newTag, type ProcessWatch, tagVariable } from '../processes/tag.ts'
import { checkCommandLine } from './check-command-line.ts'
import { defaultLimits, type StdioLimits } from './limits.ts'
import { createLineSplitter } from './line-splitter.ts'
import { lull } from './lull.ts'
import { createOutput, type Output, type OutputListener } from './output.ts'
import { processGroup } from './process-group.ts'
import { createTermination, type Termination } from './termination.ts'
import { createStdioTransport, type StdioTransport } from './transport.ts'
import { isBatchFile, windowsCommandLine } from './windows.ts'

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
}

/** Throws `server.spawn-failed` for what cannot be a command line; whatever else hinders the start rejects the transport's. */
export function launchStdio(options: LaunchOptions): ServerProcess {
  const limits = { ...defaultLimits, ...options.limits }
  const { clock } = options
  const tag = newTag()
  checkCommandLine(options)
  const watched = (options.watches ?? []).map((watch) => watch.expect(tag))
  const over = (): void => {
    for (const each of watched) each.ended()
  }
  const child = spawnServer(options, tag, over)
  const listeners = new Set<OutputListener>()
  const exit = Promise.withResolvers<Exit>()
  const started = Promise.withResolvers<void>()
  started.promise.catch(() => {}) // It is the rejection of the transport's `start`; without a start nobody asks.

  const output = (source: 'stderr' | 'stdout'): Output =>
    createOutput({
      burst: limits.outputBurst,
      maxLine: limits.maxOutputLine,
      clock,
      onLine: (line, droppedBefore) => {
        for (const listener of [...listeners]) listener(source, line, droppedBefore)
      },
    })
  const stdoutLines = output('stdout')
  const stderrLines = output('stderr')
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
          group: processGroup(pid, process.platform, tag),
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
    await lull(child.stderr, { ended: stderrEnded, ms: limits.drain, clock })
    child.stderr.destroy()
    stderrLines.flush()
    void cutWhenCaughtUp()
  }

  /** A stdout that is paused holds more than it has shown. Bounded, because the rest of the group is being ended. */
  const cutWhenCaughtUp = async (): Promise<void> => {
    do await lull(child.stdout, { ended: stdoutEnded.promise, ms: limits.drain, clock })
    while (transport.backedUp)
    transport.cut()
    stdoutLines.flush()
  }

  child.once('spawn', () => started.resolve())
  child.once('exit', (code, signal) => {
    termination?.exited()
    // Its last answer counts, if it is not behind more than can be handed over by then.
    void drained()
      .then(() => lull(child.stdout, { ended: stdoutEnded.promise, ms: 2 * limits.drain, clock }))
      .then(() => exit.resolve({ code, signal }))
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
    onOutput(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    exited: exit.promise,
    async stop() {
      termination?.stop()
      await termination?.gone
      return exit.promise
    },
  }
}

/** `onRefused`: it was not started. */
function spawnServer(options: LaunchOptions, tag: string, onRefused: () => void): ChildProcessWithoutNullStreams {
  const { command, args, env, cwd } = options
  const windows = process.platform === 'win32'
  const batch = windows && isBatchFile(command)
  try {
    const child = spawn(batch ? system32('cmd.exe') : command, batch ? [windowsCommandLine(command, args)] : [...args], {
      cwd,
      env: { ...env, [tagVariable]: tag },
      shell: false,
      detached: !windows,
      windowsHide: true,
      windowsVerbatimArguments: batch,
    })
    if (child.stdout) return child
    // Out of file descriptors: there are no pipes, and the event that says so comes later.
    child.on('error', () => {})
    throw new HostError('server.spawn-failed', t`${command} could not be started: too many files are open.`, {
      data: { command, reason: 'EMFILE' },
    })
  } catch (error) {
    onRefused()
    throw error instanceof HostError ? error : spawnError(error as NodeJS.ErrnoException, options)
  }
}

function spawnError(error: NodeJS.ErrnoException, { command, cwd }: LaunchOptions): HostError {
  const reason = error.code ?? 'unknown'
  const options = { data: { command, cwd, reason }, cause: error }
  if (!existsSync(cwd)) return new HostError('server.cwd-not-found', t`The folder ${cwd} does not exist.`, options)
  if (reason === 'ENOENT' && !existsSync(command)) return new HostError('server.command-not-found', t`${command} was not found.`, options)
  if (reason === 'ENOENT') {
    return new HostError(
      'server.spawn-failed',
      t`${command} could not be started: the program that its first line names was not found.`,
      options,
    )
  }
  if (reason === 'EACCES') return new HostError('server.spawn-failed', t`${command} could not be started: it may not be executed.`, options)
  return new HostError('server.spawn-failed', t`${command} could not be started (${reason}).`, options)
}

/** One chunk a turn, so that a flood leaves the loop to others. Resolves at the end of the stream. */
function readLines(stream: Readable, limits: StdioLimits, output: Output): Promise<void> {
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
