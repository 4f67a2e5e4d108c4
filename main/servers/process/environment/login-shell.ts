// Asks the person's own shell for its environment, as a terminal would have it. Whatever its start-up files print is told
// apart by markers. It has a session of its own, for an interactive shell may otherwise reach for the terminal, no input,
// for it may ask for some, and a time limit. One that gives no answer is asked once more without being interactive, for
// many a start-up file takes over (`exec fish`, a prompt) only then.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { Clock } from '#main/base/clock.ts'

// The question that a login shell is asked, and its answer read: all that it exports. Pure. The list is made by `awk`,
// which is everywhere, tells names from values whatever line breaks they hold, and needs no quoting that shells differ in.

/** Longer than any honest one; two of our own that mark such a start; what a shell sets for itself. */
const longestValue = 128 * 1024
const guards = { ASSENT_RESOLVING_ENVIRONMENT: '1', DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTARTED: 'true' }
const ofTheShell: ReadonlySet<string> = new Set(['_', 'OLDPWD', 'PWD', 'SHLVL', ...Object.keys(guards)])

/** Two start-up scripts that would take the shell over or go to the network are told not to; and a name to tell this start by. */
export const askedWith = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...env, ...guards })

/** How a shell is told to read all its start-up files: nvm and the like are set up in either kind. */
export const interactiveFlags = (shell: string): string => (/^t?csh$/.test(basename(shell)) ? '-ic' : '-ilc')

interface Markers {
  readonly start: string
  readonly between: string
  readonly end: string
}

/** Without a quote, a `$` or a backslash beyond those that every shell leaves alone within `'…'`. */
export const question = ({ start, between, end }: Markers): string =>
  `/bin/sh -c 'printf "%s%s%s" ${start} "$PATH" ${between}; awk -v s=${between} "BEGIN { for (k in ENVIRON) print k s ENVIRON[k] s }" </dev/null; printf "%s" ${end}'`

/** Undefined: it is not all there, or makes no sense. A shell that repeats the question puts a space behind the first marker. */
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

/** How it went, for whoever wonders where a PATH is from. */
export interface ShellReport {
  readonly shell: string
  /** Of the last attempt. */
  readonly outcome: ShellOutcome
  readonly attempts: number
  /** Milliseconds for all of it. */
  readonly tookMs: number
}

interface ShellAnswer extends ShellReport {
  /** All that it exports; undefined unless it answered. */
  readonly variables: Readonly<Record<string, string>> | undefined
}

export interface LoginShellOptions {
  readonly shell: string
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  /** For each of the two attempts, in milliseconds. */
  readonly timeoutMs: readonly [interactive: number, plain: number]
  readonly clock: Clock
}

export async function askLoginShell(options: LoginShellOptions): Promise<ShellAnswer> {
  const { shell, clock, timeoutMs } = options
  const begun = clock.now()
  const first = await ask(options, interactiveFlags(shell), timeoutMs[0])
  const again = first.variables === undefined && first.outcome !== 'not-started'
  const last = again ? await ask(options, '-lc', timeoutMs[1]) : first
  return { ...last, shell, attempts: again ? 2 : 1, tookMs: clock.now() - begun }
}

type Attempt = Pick<ShellAnswer, 'outcome' | 'variables'>

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
    // Who quits while it is asked leaves no shell behind.
    const leave = (): void => signalGroup(child.pid, 'SIGKILL')
    process.once('exit', leave)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const tail = output.slice(-markers.end.length) + text
      output += text
      // The answer is there as soon as the last marker is; a start-up file's background job may hold the pipe.
      if (output.length > maxOutput || (tail.includes(markers.end) && readAnswer(output, markers))) finish('no-answer')
    })
    child.on('error', () => finish('not-started'))
    child.on('close', () => finish('no-answer'))
  })
}

/** How long what a shell started has to tidy up after itself. */
const graceMs = 3000

/**
 * Ends the shell's group, gently first: pyenv, for one, leaves a lock behind when it is killed in its work, and every
 * later shell of the person waits a minute for that. Nobody waits for it here; what is left when we go is killed.
 */
function endShell(pid: number): void {
  const signal = (name: NodeJS.Signals): void => signalGroup(pid, name)
  // An interactive shell minds this one. The next comes later: it would hit what tidies up because of the first.
  signal('SIGHUP')
  setTimeout(() => signal('SIGTERM'), graceMs / 3).unref()
  const kill = (): void => signal('SIGKILL')
  process.once('exit', kill)
  setTimeout(() => {
    process.off('exit', kill)
    kill()
  }, graceMs).unref()
}

function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name)
  } catch {
    // Nothing of it is left.
  }
}
