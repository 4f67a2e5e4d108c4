// Ends the servers when the host is killed. On POSIX it is one `/bin/sh` in its own session that knows the groups and tags of
// running servers and waits for the end of its stdin; then it sends SIGTERM, and SIGKILL after 2 s. A tag is told before its
// process starts. It ignores the signals of a terminal or logout. On Windows it is PowerShell, below.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { powershell } from '#main/base/powershell.ts'
import { tagVariable, type WatchedProcess } from './server-process.ts'
import { filetimeOf } from './windows-process-table.ts'

export type Watchdog = ReturnType<typeof createWatchdog>

// Input lines are `+WORD` and `-WORD`: a number is a group, `tHEX` a tag.
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

/** Starts of the watchdog in one run: one that is killed is restarted. */
const maxStarts = 5
/** Milliseconds within which one that ends never worked: PowerShell in Constrained Language, say, which refuses our type. */
const shortest = 5000

const startPosix = () =>
  spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: '/', env: { PATH: '/usr/bin:/bin' } })

function startOnWindows() {
  const { file, args, options } = powershell(windowsWatchdogScript)
  return spawn(file, args, { ...options, stdio: ['pipe', 'ignore', 'ignore'] })
}

interface WatchdogOptions {
  readonly platform?: NodeJS.Platform
  /** Told once, if no watchdog can be kept: then servers may outlive a host that is killed. */
  readonly onMissing?: () => void
  readonly spawnWatcher?: () => ReturnType<typeof startPosix>
}

export function createWatchdog({ platform = process.platform, onMissing = () => undefined, spawnWatcher }: WatchdogOptions = {}) {
  const windows = platform === 'win32'
  const launch = spawnWatcher ?? (windows ? startOnWindows : startPosix)
  const words = new Set<string>()
  let watcher: ChildProcess | undefined
  let starts = 0
  let disposed: Promise<void> | undefined

  const tell = (line: string): void => void watcher?.stdin?.write(`${line}\n`)

  const start = (): void => {
    if (watcher || disposed || starts === maxStarts) return
    starts += 1
    const child = launch()
    const begun = Date.now()
    const lost = (): void => {
      if (watcher !== child) return
      watcher = undefined
      if (disposed !== undefined) return
      if (child.signalCode === null && Date.now() - begun < shortest) starts = maxStarts
      if (starts === maxStarts) onMissing()
      else if (words.size > 0) start()
    }
    child.on('error', lost)
    child.on('exit', lost)
    // Its exit is noticed; until then writes may fail.
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
      if (!child || child.exitCode !== null || child.signalCode !== null) return resolve()
      child.ref()
      child.once('exit', () => resolve())
      child.once('error', () => resolve())
      // PowerShell compiles its type for some seconds before it reads on: with nothing left to watch nobody waits for that.
      if (windows && words.size === 0) child.kill()
      else child.stdin?.end()
    })

  const add = (word: string): void => {
    words.add(word)
    if (watcher) tell(`+${word}`)
    else start()
  }

  return {
    /** Starts the watchdog early, so that the first server need not wait for it. */
    ready: start,
    expect(tag: string): WatchedProcess {
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
    /** Ends the watchdog and what it still watches. Resolves when it has ended; may be called twice. */
    dispose: (): Promise<void> => (disposed ??= end()),
  }
}

// The watchdog on Windows: PowerShell holds each server in a Job Object that kills its processes when its last handle closes, which
// happens when PowerShell ends for any reason. Children that started before PowerShell reached the server are looked for once and
// get jobs of their own, each empty at first, since only such a job can nest. A process that started later than the host says is a
// stranger with a reused id. Never run on Windows; the C# was compiled elsewhere.
/** Milliseconds by which the kernel's start time may lie behind the host's clock, whose step is up to 16 (the ledger allows 20). */
const startTolerance = 50
/** Identifies a process: its id, and the latest FILETIME of its start. */
export const windowsWord = (pid: number, now: number): string => `${pid}@${filetimeOf(now + startTolerance)}`

// JOBOBJECT_EXTENDED_LIMIT_INFORMATION has 144 bytes (112 with 32-bit pointers), with its flags at offset 16;
// JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE is 0x2000, the information class 9. `~` stands for a quotation mark.
export const jobSource = `
using System;
using System.Runtime.InteropServices;
public static class AssentJob {
  [DllImport(~kernel32.dll~)] static extern IntPtr CreateJobObjectW(IntPtr attributes, IntPtr name);
  [DllImport(~kernel32.dll~)] static extern bool SetInformationJobObject(IntPtr job, int kind, byte[] information, int length);
  [DllImport(~kernel32.dll~)] static extern bool AssignProcessToJobObject(IntPtr job, IntPtr process);
  [DllImport(~kernel32.dll~)] public static extern bool CloseHandle(IntPtr handle);
  public static IntPtr Hold(IntPtr process) {
    IntPtr job = CreateJobObjectW(IntPtr.Zero, IntPtr.Zero);
    if (job == IntPtr.Zero) return job;
    byte[] limits = new byte[IntPtr.Size == 8 ? 144 : 112];
    limits[17] = 0x20;
    if (SetInformationJobObject(job, 9, limits, limits.Length) && AssignProcessToJobObject(job, process)) return job;
    CloseHandle(job);
    return IntPtr.Zero;
  }
}`

export const windowsWatchdogScript = `
$ErrorActionPreference = 'Stop'
Add-Type -TypeDefinition ('${jobSource}'.Replace('~', [string][char]34))
$jobs = @{}
$open = New-Object System.Collections.ArrayList
function Hold($word, [int]$id, [long]$latest) {
  try {
    $process = [Diagnostics.Process]::GetProcessById($id)
    [void]$open.Add($process)
    $handle = $process.Handle
    $begun = $process.StartTime.ToFileTimeUtc()
    if ($begun -gt $latest) { return [long]0 }
    $job = [AssentJob]::Hold($handle)
    if ($job -ne [IntPtr]::Zero) { [void]$jobs[$word].Add($job) }
    return [long]$begun
  } catch { return [long]0 }
}
function HoldTree($word) {
  $jobs[$word] = New-Object System.Collections.ArrayList
  [int]$root, [long]$latest = $word.Split('@')
  $seen = @{}
  $seen[$root] = Hold $word $root $latest
  for ($pass = 0; $seen[$root] -ne 0 -and $pass -lt 5; $pass++) {
    $before = $seen.Count
    foreach ($one in Get-CimInstance -ClassName Win32_Process) {
      $id = [int]$one.ProcessId
      $parent = [int]$one.ParentProcessId
      if (-not $one.CreationDate -or $seen.ContainsKey($id) -or -not $seen.ContainsKey($parent)) { continue }
      $at = $one.CreationDate.ToFileTimeUtc() + 10
      if ($at -lt $seen[$parent]) { continue }
      $begun = Hold $word $id $at
      if ($begun -ne 0) { $seen[$id] = $begun }
    }
    if ($seen.Count -eq $before) { break }
  }
  foreach ($process in $open) { $process.Dispose() }
  $open.Clear()
}
while ($null -ne ($line = [Console]::In.ReadLine())) {
  if ($line.Length -lt 2 -or -not $line.Contains('@')) { continue }
  $word = $line.Substring(1)
  try {
    if ($line[0] -eq '+') { HoldTree $word }
    if ($line[0] -eq '-' -and $jobs.ContainsKey($word)) {
      foreach ($job in $jobs[$word]) { [void][AssentJob]::CloseHandle($job) }
      $jobs.Remove($word)
    }
  } catch { }
}
`
