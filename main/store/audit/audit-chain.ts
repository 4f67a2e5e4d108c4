// The chain of the record, purely: each row's hash is SHA-256 over the canonical JSON of all its fields, the hash of the
// row before among them. Whoever changes, removes or reorders rows has to recompute all that follow, and the head too.
import { createHash } from 'node:crypto'
import { canonicalToolJson } from '#app/canonical-json.ts'
import type { AuditRow } from '#app/consent/audit-row.ts'
import type { ChainEnd } from '../store-api.ts'

/** `previous` of the first row, and the head's hash while there is none. */
export const CHAIN_START = ''
/** `previous` of a row that was appended when there was no head: it follows from nothing. */
export const CHAIN_LOST = 'lost'

export const hashRow = (row: Omit<AuditRow, 'hash'>): string =>
  createHash('sha256')
    .update(
      canonicalToolJson({
        seq: row.seq,
        time: row.time,
        kind: row.kind,
        server: row.server,
        tool: row.tool,
        decision: row.decision,
        by: row.by,
        conversationId: row.conversationId,
        detail: row.detail,
        previous: row.previous,
      }),
    )
    .digest('hex')

export type ChainFault = 'missing' | 'not-linked' | 'altered' | 'cut' | 'not-kept'

/** What is wrong with `row` coming after `end`, or undefined. `kept`: an end of the chain as it was once, from elsewhere. */
export function checkRow(end: ChainEnd, row: AuditRow, kept?: ChainEnd): ChainFault | undefined {
  if (row.seq !== end.seq + 1) return 'missing'
  if (row.previous !== end.hash) return 'not-linked'
  if (hashRow(row) !== row.hash) return 'altered'
  return row.seq === kept?.seq && row.hash !== kept.hash ? 'not-kept' : undefined
}

/** Whether the walk came to where the head says the chain ends, and not short of what was kept. Without a head nobody can tell. */
export const checkEnd = (end: ChainEnd, head: ChainEnd | undefined, kept?: ChainEnd): ChainFault | undefined =>
  head && end.seq === head.seq && end.hash === head.hash && end.seq >= (kept?.seq ?? 0) ? undefined : 'cut'
