// All processes of Windows, by its own PowerShell, for Node has no call that tells them: who began which, when, and what
// each takes. A look costs about a second, so nobody waits for one but who asks. The reading is tested by tables; the
// command was never run: no machine of ours runs Windows.
import { execFile } from 'node:child_process'
import { z } from 'zod'
import { powershell } from '#main/base/powershell.ts'

export interface WindowsProcess {
  readonly pid: number
  /** The number that its parent had: that may be gone, and the number another's by now. */
  readonly parent: number
  /** Milliseconds since 1970. */
  readonly start: number
  readonly name: string
  readonly command: string
  readonly memory: number
  readonly cpuMs: number
}

/** The seam. Rejects where PowerShell cannot be run or does not tell. */
export type ListWindows = () => Promise<readonly WindowsProcess[]>

const limitMs = 20_000

// Times as text: they are larger than what JSON's numbers hold.
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

const row = z.object({
  ProcessId: z.number().int().min(2),
  ParentProcessId: z.number().int(),
  Name: z.string(),
  CommandLine: z.string().nullish(),
  WorkingSetSize: z.number().nullish(),
  KernelModeTime: z.number().nullish(),
  UserModeTime: z.number().nullish(),
  Start: z.string().regex(/^\d{1,19}$/),
})

/** A FILETIME counts 100 ns since 1601. */
const between1601And1970 = 11_644_473_600_000
export const millisecondsOfFiletime = (ticks: bigint): number => Number(ticks / 10_000n) - between1601And1970
export const filetimeOf = (milliseconds: number): bigint => BigInt(Math.floor(milliseconds) + between1601And1970) * 10_000n

/** Rows that make no sense are left out. */
export function readWindowsTable(output: string): WindowsProcess[] {
  const from = output.search(/[[{]/)
  const all: unknown = from === -1 ? [] : JSON.parse(output.slice(from))
  return (Array.isArray(all) ? all : [all]).flatMap((one): WindowsProcess[] => {
    const { data } = row.safeParse(one)
    if (!data) return []
    return [
      {
        pid: data.ProcessId,
        parent: data.ParentProcessId,
        start: millisecondsOfFiletime(BigInt(data.Start)),
        name: data.Name,
        command: data.CommandLine || data.Name,
        memory: data.WorkingSetSize ?? 0,
        cpuMs: Math.round(((data.KernelModeTime ?? 0) + (data.UserModeTime ?? 0)) / 10_000),
      },
    ]
  })
}

/** For a tree of what runs now. A parent that is gone is 0; one that began after its child is another with the number. */
export function withLivingParents(all: readonly WindowsProcess[]): WindowsProcess[] {
  const starts = new Map(all.map(({ pid, start }) => [pid, start]))
  return all.map((one) => ((starts.get(one.parent) ?? Number.POSITIVE_INFINITY) <= one.start ? one : { ...one, parent: 0 }))
}
