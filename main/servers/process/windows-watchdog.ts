// The watchdog on Windows: PowerShell holds each server in a Job Object that kills its processes when its last handle closes, which
// happens when PowerShell ends for any reason. Children that started before PowerShell reached the server are looked for once and
// get jobs of their own, each empty at first, since only such a job can nest. A process that started later than the host says is a
// stranger with a reused id. Never run on Windows; the C# was compiled elsewhere.
import { filetimeOf } from './windows-process-table.ts'

/** Identifies a process: its id, and the latest FILETIME of its start. */
export const windowsWord = (pid: number, now: number): string => `${pid}@${filetimeOf(now)}`

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
