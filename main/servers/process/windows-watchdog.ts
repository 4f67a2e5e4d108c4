// The guard on Windows: PowerShell, which holds each server in a Job Object that ends all that is in it once its last handle
// is closed. The handles are PowerShell's, so they are closed when it ends: at the end of its stdin, when it is killed, and
// when the host is, since Node keeps its children in a job of its own. What a server starts is in its job from the beginning;
// what it started before PowerShell came to it (that takes a second) is looked for once and gets jobs of its own, each empty
// at first, for only such a one may be put around a process that is in another job already.
// A process is held only if it began no later than the host says: a number that was given out anew is a stranger's.
// What a server has opened may be ended as abruptly as this: there is no SIGTERM on Windows.
// Never run: no machine of ours runs Windows. The C# was compiled, by another compiler than Windows'.
import { filetimeOf } from './windows-process-table.ts'

/** The word that the guard is told for a process: its number, and by when it had begun. */
export const windowsWord = (pid: number, now: number): string => `${pid}@${filetimeOf(now)}`

// JOBOBJECT_EXTENDED_LIMIT_INFORMATION has 144 bytes (112 where pointers have 32 bits) and its flags at 16; the one that
// is set, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, is 0x2000. It is information class 9. `~` stands for a quotation mark.
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
