// What ends the servers when the host itself is killed. On POSIX one `/bin/sh` a host, in a session of its own, knows the
// tags and groups of the running servers and waits for the end of its stdin, which the kernel brings about however we die;
// then it ends every group it still knows, and on Linux whatever else carries one of the tags: SIGTERM, 2 s, SIGKILL. A
// tag is told before its process is there, so that no moment is left in which nobody knows of it. It ignores the signals
// that a terminal or a logout sends.
// On Windows it is PowerShell with Job Objects: see `windows-guard.ts`, which knows no tags.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { powershell } from '#main/base/powershell.ts'
import { type ProcessWatch, tagVariable } from './server-process.ts'
import { windowsWatchdogScript, windowsWord } from './windows-watchdog.ts'

export interface Watchdog extends ProcessWatch {
  /** Starts the watcher before there is something to watch, so that the first server need not wait for it. */
  ready(): void
  /** Ends what is still watched, and the watcher. Resolves when the watcher is gone; twice is as good as once. */
  dispose(): Promise<void>
}

// It is told `+WORD` and `-WORD`: a number is a group, `tHEX` a tag.
const script = `
trap '' INT TERM HUP
words=' '
while IFS= read -r line; do
  word=\${line#?}
  case $line in
    +*) words="$words$word " ;;
    -*) case $words in *" $word "*) words="\${words%%" $word "*} \${words#*" $word "}" ;; esac ;;
  esac
done
groups= tags=
for word in $words; do
  case $word in
    t*) tags="$tags -e ${tagVariable}=\${word#t}" ;;
    *) groups="$groups $word" ;;
  esac
done
tagged() {
  [ -n "$tags" ] || return
  for path in $(grep -lF $tags /proc/[0-9]*/environ 2>/dev/null); do
    path=\${path#/proc/}
    echo "\${path%/environ}"
  done
}
alive() {
  for group in $groups; do kill -s 0 -- "-$group" 2>/dev/null && return 0; done
  [ -n "$(tagged)" ]
}
end() {
  for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done
  for pid in $(tagged); do kill -s "$1" "$pid" 2>/dev/null; done
}
pause() { sleep 0.1 || sleep 1; }
end TERM
tries=0
while [ $tries -lt 20 ] && alive; do pause; tries=$((tries + 1)); done
tries=0
while [ $tries -lt 10 ] && alive; do end KILL; pause; tries=$((tries + 1)); done
`

/** A watcher that somebody kills is started again, but not for ever. */
const maxStarts = 5

const startPosix = () =>
  spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: '/', env: { PATH: '/usr/bin:/bin' } })

function startOnWindows() {
  const { file, args, options } = powershell(windowsWatchdogScript)
  return spawn(file, args, { ...options, stdio: ['pipe', 'ignore', 'ignore'] })
}

export function createWatchdog(platform: NodeJS.Platform = process.platform): Watchdog {
  const windows = platform === 'win32'
  const words = new Set<string>()
  let watcher: ChildProcess | undefined
  let starts = 0
  let disposed: Promise<void> | undefined

  const tell = (line: string): void => void watcher?.stdin?.write(`${line}\n`)

  const start = (): void => {
    if (watcher || disposed || starts === maxStarts) return
    starts += 1
    const child = windows ? startOnWindows() : startPosix()
    const lost = (): void => {
      if (watcher !== child) return
      watcher = undefined
      if (words.size > 0) start()
    }
    child.on('error', lost)
    child.on('exit', lost)
    // A watcher that has died is noticed by its exit; until then there is nobody to write to.
    child.stdin.on('error', () => {})
    child.unref()
    ;(child.stdin as Socket).unref()
    watcher = child
    for (const word of words) tell(`+${word}`)
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

  const add = (word: string): void => {
    words.add(word)
    if (watcher) tell(`+${word}`)
    else start()
  }

  return {
    ready: start,
    expect(tag) {
      const mine = [`t${tag}`]
      add(`t${tag}`)
      return {
        started(pid) {
          const word = windows ? windowsWord(pid, Date.now()) : String(pid)
          mine.push(word)
          add(word)
        },
        ended() {
          for (const word of mine.splice(0)) if (words.delete(word)) tell(`-${word}`)
        },
      }
    },
    dispose() {
      disposed ??= end()
      return disposed
    },
  }
}
