// All Windows processes, listed by PowerShell, since Node has no such call. It takes about a second. Parsing is tested by tables;
// the command was never run on Windows.
import { execFile } from 'node:child_process'
import { z } from 'zod'
import { powershell } from '#main/base/powershell.ts'

/** `parent` may have ended, and its id be reused; `start`: milliseconds since the epoch. */
export type WindowsProcess = Readonly<z.infer<typeof row>>

/** Lists all processes. Replaced in tests. @throws {Error} when PowerShell cannot be run */
export type ListWindows = () => Promise<readonly WindowsProcess[]>

const limitMs = 20_000

// Times as text: they exceed the exact range of JSON numbers.
const command = `
try { [Console]::OutputEncoding = [Text.Encoding]::UTF8 } catch { }
$start = @{ Name = 'Start'; Expression = { $_.CreationDate.ToFileTimeUtc().ToString() } }
$columns = 'ProcessId', 'ParentProcessId', 'Name', 'CommandLine', 'WorkingSetSize', 'KernelModeTime', 'UserModeTime', $start
Get-CimInstance -ClassName Win32_Process | Where-Object { $_.CreationDate } | Select-Object -Property $columns | ConvertTo-Json -Compress
`

export const listWindows: ListWindows = () =>
  new Promise((resolve, reject) => {
    const { file, args, options } = powershell(command)
    execFile(file, args, { ...options, timeout: limitMs, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) =>
      error ? reject(error) : resolve(readWindowsTable(stdout)),
    ).stdin?.end()
  })

const row = z
  .object({
    ProcessId: z.number().int().min(2),
    ParentProcessId: z.number().int(),
    Name: z.string(),
    CommandLine: z.string().nullish(),
    WorkingSetSize: z.number().nullish(),
    KernelModeTime: z.number().nullish(),
    UserModeTime: z.number().nullish(),
    Start: z.string().regex(/^\d{1,19}$/),
  })
  .transform((found) => ({
    pid: found.ProcessId,
    parent: found.ParentProcessId,
    start: millisecondsOfFiletime(BigInt(found.Start)),
    name: found.Name,
    command: found.CommandLine || found.Name,
    memory: found.WorkingSetSize ?? 0,
    cpuMs: Math.round(((found.KernelModeTime ?? 0) + (found.UserModeTime ?? 0)) / 10_000),
  }))

/** Milliseconds between the FILETIME epoch (1601, in units of 100 ns) and 1970. */
const between1601And1970 = 11_644_473_600_000
export const millisecondsOfFiletime = (ticks: bigint): number => Number(ticks / 10_000n) - between1601And1970
export const filetimeOf = (milliseconds: number): bigint => BigInt(Math.floor(milliseconds) + between1601And1970) * 10_000n

/** Parses the output; invalid rows are skipped. */
export function readWindowsTable(output: string): WindowsProcess[] {
  const from = output.search(/[[{]/)
  const all: unknown = from === -1 ? [] : JSON.parse(output.slice(from))
  return [all].flat().flatMap((found) => row.safeParse(found).data ?? [])
}

/** Sets the parent to 0 where it has ended, or started after its child and so has a reused id. */
export function withLivingParents(all: readonly WindowsProcess[]): WindowsProcess[] {
  const starts = new Map(all.map(({ pid, start }) => [pid, start]))
  return all.map((one) => ((starts.get(one.parent) ?? Number.POSITIVE_INFINITY) <= one.start ? one : { ...one, parent: 0 }))
}
