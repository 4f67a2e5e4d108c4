// The hash chain of the audit log: each row's hash is SHA-256 over the canonical JSON of all its fields, the previous row's hash
// among them. Whoever changes, removes or reorders rows has to recompute all later rows and the head.
import { createHash } from 'node:crypto'
import { canonicalToolJson } from '#app/canonical-json.ts'
import type { AuditRow } from '#app/consent/audit-row.ts'

export type ChainEnd = Pick<AuditRow, 'seq' | 'hash'>

/** `previous` of the first row, and the head's hash while there is none. */
export const CHAIN_START = ''
/** `previous` of a row that was appended when there was no head: it follows from nothing. */
export const CHAIN_LOST = 'lost'

export function hashRow({ hash: _, ...fields }: Omit<AuditRow, 'hash'> & Partial<AuditRow>): string {
  return createHash('sha256').update(canonicalToolJson(fields)).digest('hex')
}

export type ChainFault = 'missing' | 'not-linked' | 'altered' | 'cut' | 'not-kept'

/** Returns the fault of a row that follows `end`, or undefined. `kept`: an earlier end of the chain, stored elsewhere. */
export function checkRow(end: ChainEnd, row: AuditRow, kept?: ChainEnd): ChainFault | undefined {
  if (row.seq !== end.seq + 1) return 'missing'
  if (row.previous !== end.hash) return 'not-linked'
  if (hashRow(row) !== row.hash) return 'altered'
  return row.seq === kept?.seq && row.hash !== kept.hash ? 'not-kept' : undefined
}

/** Returns `cut` unless the walk ended at the head, and not before `kept`. Without a head the end is unknown, so it is `cut`. */
export const checkEnd = (end: ChainEnd, head: ChainEnd | undefined, kept?: ChainEnd): ChainFault | undefined =>
  head && end.seq === head.seq && end.hash === head.hash && end.seq >= (kept?.seq ?? 0) ? undefined : 'cut'
