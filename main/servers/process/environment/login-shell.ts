// Asks the person's login shell for its exported variables, as a terminal would have them. Markers separate the answer from what
// start-up files print. `awk` prints the list: it exists everywhere and separates names from values that hold line breaks. The
// shell runs in its own session without input, under a time limit.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { Clock } from '#main/base/clock.ts'
import { sendSignal } from '../ledger/reap.ts'

/** Longest value that is accepted, in UTF-16 units. */
const longestValue = 128 * 1024
/** Keep two start-up scripts from taking over the shell or the network, and mark this start. */
const guards = { ASSENT_RESOLVING_ENVIRONMENT: '1', DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTARTED: 'true' }
const ofTheShell: ReadonlySet<string> = new Set(['_', 'OLDPWD', 'PWD', 'SHLVL', ...Object.keys(guards)])

export const askedWith = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...env, ...guards })

/** Flags for a login and interactive shell: nvm and the like are set up in either kind of start-up file. */
export const interactiveFlags = (shell: string): string => (/^t?csh$/.test(basename(shell)) ? '-ic' : '-ilc')

type Markers = Readonly<Record<'start' | 'between' | 'end', string>>

/** Builds the command. It holds no quote, `$` or backslash that some shell would interpret within `'…'`. */
export const question = ({ start, between, end }: Markers): string =>
  `/bin/sh -c 'printf "%s%s%s" ${start} "$PATH" ${between}; awk -v s=${between} "BEGIN { for (k in ENVIRON) print k s ENVIRON[k] s }" </dev/null; printf "%s" ${end}'`

/** Parses the answer; undefined when it is incomplete or invalid. A shell that echoes the command puts a space behind the first marker. */
export function readAnswer(output: string, { start, between, end }: Markers): Record<string, string> | undefined {
  const body = new RegExp(`${start}(?! )(.*?)${end}`, 's').exec(output)?.[1]
  if (body === undefined) return undefined
  const [path = '', ...parts] = body.split(between)
  if (!path.includes('/')) return undefined
  const variables: Record<string, string> = {}
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const name = (parts[at] ?? '').replace(/^\n/, '')
    const value = parts[at + 1] ?? ''
    const honest = /^[A-Za-z_]\w*$/.test(name) && value.length <= longestValue && !value.includes('\0') && !value.startsWith('()')
    if (honest && !ofTheShell.has(name)) variables[name] = value
  }
  return { ...variables, PATH: path }
}

const maxOutput = 4 * 1024 * 1024

type ShellOutcome = 'answered' | 'too-slow' | 'no-answer' | 'not-started'

interface Attempt {
  readonly outcome: ShellOutcome
  readonly variables: Readonly<Record<string, string>> | undefined
}

/** `tookMs`: milliseconds of all attempts. */
export type ShellReport = Omit<Awaited<ReturnType<typeof askLoginShell>>, 'variables'>

export interface LoginShellOptions {
  readonly shell: string
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  /** Milliseconds for each of the two attempts. */
  readonly timeoutMs: readonly [interactive: number, plain: number]
  readonly clock: Clock
}

/** Asks an interactive login shell, then once more without `-i`: some start-up files take over an interactive shell (`exec fish`). */
export async function askLoginShell(options: LoginShellOptions) {
  const { shell, clock, timeoutMs } = options
  const begun = clock.now()
  const first = await ask(options, interactiveFlags(shell), timeoutMs[0])
  const again = first.variables === undefined && first.outcome !== 'not-started'
  const last = again ? await ask(options, '-lc', timeoutMs[1]) : first
  return { ...last, shell, attempts: again ? 2 : 1, tookMs: clock.now() - begun }
}

function ask({ shell, env, home, clock }: LoginShellOptions, flags: string, limitMs: number): Promise<Attempt> {
  const mark = (): string => `assent-${randomUUID()}`
  const markers: Markers = { start: mark(), between: mark(), end: mark() }
  const start = () =>
    spawn(shell, [flags, question(markers)], { cwd: home, env: askedWith(env), stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  return new Promise((resolve) => {
    let child: ReturnType<typeof start>
    try {
      child = start()
    } catch {
      resolve({ outcome: 'not-started', variables: undefined }) // A command line that cannot be one.
      return
    }
    let output = ''
    let finished = false
    const finish = (otherwise: ShellOutcome): void => {
      if (finished) return
      finished = true
      cancel()
      process.off('exit', leave)
      child.stdout.destroy()
      if (child.pid !== undefined) endShell(child.pid)
      const variables = readAnswer(output, markers)
      resolve({ outcome: variables ? 'answered' : otherwise, variables })
    }
    const cancel = clock.after(limitMs, () => finish('too-slow'))
    // A host that quits meanwhile leaves no shell behind.
    const leave = (): boolean => signalGroup(child.pid, 'SIGKILL')
    process.once('exit', leave)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const tail = output.slice(-markers.end.length) + text
      output += text
      // Complete with the last marker: a background job of a start-up file may hold the pipe open.
      if (output.length > maxOutput || (tail.includes(markers.end) && readAnswer(output, markers))) finish('no-answer')
    })
    child.on('error', () => finish('not-started'))
    child.on('close', () => finish('no-answer'))
  })
}

/** Milliseconds that programs started by the shell have to clean up. */
const graceMs = 3000

/** Ends the shell's process group, with SIGHUP first: a killed pyenv leaves a lock behind that delays each later shell by a minute. */
function endShell(pid: number): void {
  // Interactive shells obey SIGHUP. SIGTERM comes later, so that it does not hit the clean-up.
  signalGroup(pid, 'SIGHUP')
  setTimeout(() => signalGroup(pid, 'SIGTERM'), graceMs / 3).unref()
  const kill = (): boolean => signalGroup(pid, 'SIGKILL')
  process.once('exit', kill)
  setTimeout(() => {
    process.off('exit', kill)
    kill()
  }, graceMs).unref()
}

const signalGroup = (pid: number | undefined, name: NodeJS.Signals): boolean => pid !== undefined && sendSignal(-pid, name)
