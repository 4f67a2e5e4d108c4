// Runs a program to its end, in a sandbox or without one: what installs a package before a server starts.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { orElse } from '#app/or-else.ts'
import type { PreparedLaunch } from '#main/servers/process/environment/environment.ts'
import type { ConfinedLaunch } from './confined-launch.ts'

interface RunOptions {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Absent: it is not confined. */
  readonly confined?: ConfinedLaunch | undefined
}

export interface ProgramEnd {
  /** Null: a signal ended it. */
  readonly code: number | null
  /** Last part of its output. */
  readonly stdout: string
  readonly stderr: string
}

const maxText = 64 * 1024

/** Resolves with how it ended. @throws {unknown} the signal's reason, or what the system says of its start */
export async function runToEnd(launch: PreparedLaunch, { signal, timeoutMs, confined }: RunOptions): Promise<ProgramEnd> {
  try {
    const child = start(launch, confined)
    const [stdout, stderr] = [collect(child, 'stdout'), collect(child, 'stderr')]
    // Those of a sandbox end with it.
    const end = (): void => void child.kill('SIGKILL')
    const timer = setTimeout(end, timeoutMs)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    try {
      const code = await new Promise<number | null>((resolve, reject) => {
        child.once('error', reject)
        child.once('close', resolve)
      })
      signal.throwIfAborted()
      return { code, stdout: stdout(), stderr: stderr() }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
  } finally {
    confined?.dispose()
  }
}

function start(launch: PreparedLaunch, confined: ConfinedLaunch | undefined): ChildProcess {
  const { command, args, cwd } = confined ?? launch
  const { env, input } = confined?.tagged('') ?? { env: launch.env, input: [] }
  const closing = closeInherited(confined ? 3 + input.length : Number.POSITIVE_INFINITY)
  try {
    const stdio = ['ignore', 'pipe', 'pipe', ...input.map(() => 'pipe' as const), ...(confined ? closing.stdio : [])] as const
    const child = spawn(command, [...args], { env: { ...env }, cwd, windowsHide: true, stdio: [...stdio] })
    for (const [index, bytes] of input.entries()) {
      const stream = child.stdio[index + 3] as Writable | null | undefined
      stream?.on('error', () => {}) // That it ended before is told by its exit.
      stream?.end(bytes)
    }
    return child
  } finally {
    closing.done()
  }
}

function collect(child: ChildProcess, name: 'stdout' | 'stderr'): () => string {
  let text = ''
  child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-maxText)
  })
  return () => text
}

// Descriptors that this process itself inherited without close-on-exec: whoever started it may have left a file or socket open. A child
// gets an empty file in their place. Linux alone tells which they are.
/** `O_CLOEXEC`, as /proc/self/fdinfo shows it in octal (proc_pid_fdinfo(5)). */
const closeOnExec = 0o2000000

/** Numbers of the descriptors from `first` on that a child would inherit. */
function inheritedFrom(first: number): number[] {
  return orElse(() => readdirSync('/proc/self/fd'), [])
    .map(Number)
    .filter((fd) => fd >= first && (flagsOf(fd) & closeOnExec) === 0)
}

const flagsOf = (fd: number): number =>
  orElse(() => Number.parseInt(/^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '', 8), closeOnExec)

/** Entries of `stdio` from number `first` on, that put an empty file in place of what would be inherited. `done` is called after the start. */
export function closeInherited(first: number): { readonly stdio: ('ignore' | number)[]; readonly done: () => void } {
  const inherited = Number.isFinite(first) ? inheritedFrom(first) : []
  if (inherited.length === 0) return { stdio: [], done: () => undefined }
  const empty = openSync('/dev/null', 'r')
  const length = Math.max(...inherited) + 1 - first
  return {
    stdio: Array.from({ length }, (_, index) => (inherited.includes(first + index) ? empty : 'ignore')),
    done: () => closeSync(empty),
  }
}
