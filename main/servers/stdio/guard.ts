// What ends the servers when the host itself is killed. On POSIX one `/bin/sh` a host, in a session of its own, knows the
// groups of the running servers and waits for the end of its stdin, which the kernel brings about however we die; then it
// ends every group it still knows: SIGTERM, 2 s, SIGKILL. It ignores the signals that a terminal or a logout sends.
// On Windows this is a no-op: what fits there is a Job Object that closes with its last handle, and Node has no call for
// it. A server there ends by itself when its stdin does.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

export interface ProcessGuard {
  /** Ends the group `pgid` should this process die. Returns its undo, for when the group has ended. */
  watch(pgid: number): () => void
  /** Ends what is still watched, and the watcher. Resolves when the watcher is gone; twice is as good as once. */
  dispose(): Promise<void>
}

const script = `
trap '' INT TERM HUP
groups=' '
while IFS= read -r line; do
  group=\${line#?}
  case $line in
    +*) groups="$groups$group " ;;
    -*) case $groups in *" $group "*) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;; esac ;;
  esac
done
alive() {
  for group in $groups; do kill -s 0 -- "-$group" 2>/dev/null && return 0; done
  return 1
}
for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
tries=0
while [ $tries -lt 20 ] && alive; do sleep 0.1 || sleep 1; tries=$((tries + 1)); done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
`

/** A watcher that somebody kills is started again, but not for ever. */
const maxStarts = 5

export function createProcessGuard(): ProcessGuard {
  if (process.platform === 'win32') return { watch: () => () => {}, dispose: () => Promise.resolve() }

  const groups = new Set<number>()
  let watcher: ChildProcess | undefined
  let starts = 0
  let disposed: Promise<void> | undefined

  const tell = (line: string): void => void watcher?.stdin?.write(`${line}\n`)

  const start = (): void => {
    if (watcher || disposed || starts === maxStarts) return
    starts += 1
    const child = spawn('/bin/sh', ['-c', script], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
    })
    const lost = (): void => {
      if (watcher !== child) return
      watcher = undefined
      if (groups.size > 0) start()
    }
    child.on('error', lost)
    child.on('exit', lost)
    // A watcher that has died is noticed by its exit; until then there is nobody to write to.
    child.stdin.on('error', () => {})
    child.unref()
    ;(child.stdin as Socket).unref()
    watcher = child
    for (const group of groups) tell(`+${group}`)
  }

  const end = (): Promise<void> =>
    new Promise((resolve) => {
      const child = watcher
      watcher = undefined
      if (!child || child.exitCode !== null || child.signalCode !== null) {
        resolve()
        return
      }
      child.ref()
      child.once('exit', () => resolve())
      child.once('error', () => resolve())
      child.stdin?.end()
    })

  return {
    watch(pgid) {
      groups.add(pgid)
      if (watcher) tell(`+${pgid}`)
      else start()
      return () => {
        if (groups.delete(pgid)) tell(`-${pgid}`)
      }
    },
    dispose() {
      disposed ??= end()
      return disposed
    },
  }
}
