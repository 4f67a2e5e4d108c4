// What the ledger needs of an operating system: what to write down of a process so that it is known again, and how what a
// host left behind is found and ended. POSIX goes by tags and times (`reap.ts`), Windows by times alone (`windows-reap.ts`).
import type { LedgerContent } from './ledger-file.ts'
import { createProcessTable, type ProcessTable } from './process-table.ts'
import { isGone, reap, type SendSignal } from './reap.ts'
import { windowsSystem } from './windows-reap.ts'

export interface LedgerSystem {
  /** Which run of the machine this is. */
  readonly boot: string
  /** So long after its start it is written down that a server still runs: milliseconds, each once. */
  readonly confirmMs: readonly number[]
  /** `expected`: when it was about to be started, in milliseconds since 1970. Undefined: it has ended already. */
  began(pid: number, expected: number): { readonly start: number; readonly from?: number } | undefined
  /** Whether the host that wrote this has ended. */
  isGone(content: LedgerContent): Promise<boolean>
  /** How many processes were found, and how many of them would not end. */
  reap(content: LedgerContent): Promise<{ readonly found: number; readonly left: number }>
}

export function posixSystem(
  table: ProcessTable,
  options: { readonly signal?: SendSignal | undefined; readonly grace?: number | undefined } = {},
): LedgerSystem {
  const { signal, grace } = options
  return {
    boot: table.boot,
    confirmMs: [],
    began(pid) {
      const start = table.start(pid)
      return start === undefined ? undefined : { start }
    },
    isGone: async (content) => isGone(content, table),
    reap: (content) => reap(content, { table, ...(signal ? { signal } : {}), ...(grace === undefined ? {} : { grace }) }),
  }
}

export function systemOf(platform: NodeJS.Platform, options: Parameters<typeof posixSystem>[1] = {}): LedgerSystem {
  const table = createProcessTable(platform)
  return table ? posixSystem(table, options) : windowsSystem()
}
