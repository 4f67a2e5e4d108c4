// Asks the person's own shell for its PATH, as a terminal would have it: `-ilc`, because nvm and the like are set up in
// either kind of start-up file. Whatever those files print is told apart by markers. In a session of its own, for an
// interactive shell may otherwise reach for the terminal; with a time limit, for it may wait for an answer.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'

const maxOutput = 1024 * 1024

/** Undefined when the shell is not there, fails, is too slow, or says nothing that makes sense. */
export function askLoginShell(options: {
  readonly shell: string
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  readonly timeoutMs: number
}): Promise<string | undefined> {
  const [start, end] = [randomUUID(), randomUUID()]
  // Shells differ in how they print a list; the PATH that they export is read by the one shell that is everywhere.
  const question = `/bin/sh -c 'printf "%s%s%s" ${start} "$PATH" ${end}'`
  // A shell that repeats the question itself puts a space behind the first marker.
  const answer = new RegExp(`${start}([^ ].*?)${end}`, 's')
  return new Promise((resolve) => {
    let child: ReturnType<typeof ask>
    const ask = () =>
      spawn(options.shell, ['-ilc', question], {
        cwd: options.home,
        // Two start-up scripts that would take the shell over or go to the network; and a name to tell this start by.
        env: { ...options.env, ASSENT_RESOLVING_ENVIRONMENT: '1', DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTARTED: 'true' },
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      })
    try {
      child = ask()
    } catch {
      resolve(undefined) // A command line that cannot be one: the fallback serves.
      return
    }
    let output = ''
    let finished = false
    const finish = (): void => {
      if (finished) return
      finished = true
      clearTimeout(timer)
      child.stdout.destroy()
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // Nothing of it is left.
      }
      const path = answer.exec(output)?.[1]
      resolve(path?.includes('/') ? path : undefined)
    }
    const timer = setTimeout(finish, options.timeoutMs)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      // The answer is there as soon as the second marker is; a start-up file's background job may hold the pipe.
      if (output.length > maxOutput || answer.test(output)) finish()
    })
    child.on('error', finish)
    child.on('close', finish)
  })
}
