// The text of one host's ledger: a line of JSON each for the host itself, then for each process that it is about to start,
// has started, and saw the last of. Lines are only ever added, each in one write, so that at any moment the file tells all.
import { z } from 'zod'
import { isTag } from '../server-process.ts'

const count = z.number().int().nonnegative()
const pid = z.number().int().min(2)
const tag = z.string().refine(isTag)

const lines = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('host'), version: z.literal(1), boot: z.string(), pid, start: count }),
  z.object({ kind: z.literal('expected'), tag }),
  /** `pid` is its process group as well. */
  z.object({ kind: z.literal('started'), tag, pid, start: count, from: count.optional() }),
  /** It still ran then; where a tag cannot be seen. */
  z.object({ kind: z.literal('seen'), tag, at: count }),
  z.object({ kind: z.literal('ended'), tag }),
])
export type LedgerLine = z.infer<typeof lines>

export interface LedgerEntry {
  readonly tag: string
  /** Undefined: the host ended before it could say. */
  readonly leader: { readonly pid: number; readonly start: number; readonly from?: number | undefined } | undefined
  /** The last time that it was known to run. */
  readonly seen?: number
}

export interface LedgerContent {
  readonly host: { readonly boot: string; readonly pid: number; readonly start: number }
  /** What it has not seen the last of. */
  readonly entries: readonly LedgerEntry[]
}

export const ledgerLine = (line: LedgerLine): string => `${JSON.stringify(line)}\n`

/** Undefined when it is no ledger. A last line that was cut off is as good as not written. */
export function parseLedger(text: string): LedgerContent | undefined {
  const whole = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)
  const entries = new Map<string, LedgerEntry>()
  let host: LedgerContent['host'] | undefined
  for (const each of whole) {
    const line = parseLine(each)
    if (line === undefined || (line.kind === 'host') !== (host === undefined)) return undefined
    switch (line.kind) {
      case 'host':
        host = { boot: line.boot, pid: line.pid, start: line.start }
        break
      case 'expected':
        entries.set(line.tag, { tag: line.tag, leader: undefined })
        break
      case 'started':
        entries.set(line.tag, { tag: line.tag, leader: { pid: line.pid, start: line.start, from: line.from } })
        break
      case 'seen': {
        const entry = entries.get(line.tag)
        if (entry) entries.set(line.tag, { ...entry, seen: line.at })
        break
      }
      case 'ended':
        entries.delete(line.tag)
    }
  }
  return host && { host, entries: [...entries.values()] }
}

function parseLine(text: string): LedgerLine | undefined {
  try {
    return lines.safeParse(JSON.parse(text)).data
  } catch {
    return undefined // Not JSON.
  }
}
