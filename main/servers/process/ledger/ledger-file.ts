// Format of a ledger file: one line of JSON for the host, then one for each process that it is about to start, has started, and saw
// end. Lines are only appended, each in one write, so the file is complete at any moment.
import { z } from 'zod'
import { parseJson } from '#app/or-else.ts'
import { isTag } from '../server-process.ts'

const count = z.number().int().nonnegative()
const pid = z.number().int().min(2)
const tag = z.string().refine(isTag)

const lines = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('host'), version: z.literal(1), boot: z.string(), pid, start: count }),
  z.object({ kind: z.literal('expected'), tag }),
  /** `pid` is also its process group. */
  z.object({ kind: z.literal('started'), tag, pid, start: count, from: count.optional() }),
  /** The process still ran at `at`. Written where tags cannot be read. */
  z.object({ kind: z.literal('seen'), tag, at: count }),
  z.object({ kind: z.literal('ended'), tag }),
])
export type LedgerLine = z.infer<typeof lines>

export interface LedgerEntry {
  readonly tag: string
  readonly leader: { readonly pid: number; readonly start: number; readonly from?: number | undefined } | undefined
  readonly seen?: number
}

export interface LedgerContent {
  readonly host: { readonly boot: string; readonly pid: number; readonly start: number }
  readonly entries: readonly LedgerEntry[]
}

export const ledgerLine = (line: LedgerLine): string => `${JSON.stringify(line)}\n`

const leaderIn = ({ pid, start, from }: Extract<LedgerLine, { kind: 'started' }>) => ({ pid, start, from })

/** Parses a ledger; undefined when it is none. An incomplete last line is ignored. */
export function parseLedger(text: string): LedgerContent | undefined {
  const entries = new Map<string, LedgerEntry>()
  let host: LedgerContent['host'] | undefined
  for (const each of text.split('\n').slice(0, -1)) {
    const line = lines.safeParse(parseJson(each)).data
    if (line === undefined || (line.kind === 'host') !== (host === undefined)) return undefined
    if (line.kind === 'host') host = { boot: line.boot, pid: line.pid, start: line.start }
    else if (line.kind === 'ended') entries.delete(line.tag)
    else if (line.kind === 'seen') {
      const entry = entries.get(line.tag)
      if (entry) entries.set(line.tag, { ...entry, seen: line.at })
    } else entries.set(line.tag, { tag: line.tag, leader: line.kind === 'started' ? leaderIn(line) : undefined })
  }
  return host && { host, entries: [...entries.values()] }
}
