// Labels of who decided, the same in a call's row, in Activity and on the command line.
import { t } from '../i18n/translate.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import type { AuditRow } from './audit-row.ts'

interface Decided {
  /** Code of who decided; one that is not known is shown as it is. */
  readonly by: string
  readonly allowed: boolean
  readonly scope?: string | undefined
  /** Number of alike requests that were answered at once. */
  readonly together?: number | undefined
  /** Person's reason for a denial. */
  readonly word?: string | undefined
  readonly edited?: boolean | undefined
  readonly byHand?: boolean | undefined
  readonly rule?: string | undefined
}

const scopes = (): Readonly<Record<string, string>> => ({ once: t`You, once`, conversation: t`You, for this chat`, always: t`You, always` })
const others = (): Readonly<Record<string, string>> => ({
  rule: t`Rule`,
  mode: t`Chat mode`,
  policy: 'Assent',
  host: 'Assent',
  sandbox: t`Sandbox`,
  'command-line': t`Command line`,
})

/** “You, once”, “You, 5 at once”, “Rule: read_file of files”, “Chat mode”, “Sandbox”. */
export function decidedByLabel({ by, allowed, scope, together = 1, word, edited, byHand, rule }: Decided): string {
  if (by === 'rule' && rule !== undefined) return t`Rule: ${rule}`
  if (by !== 'person') return others()[by] ?? by
  if (byHand) return t`You, run from its page`
  if (!allowed && word !== undefined) return t`You: “${word}”`
  if (together > 1) return t`You, ${together} at once`
  if (!allowed) return t`You`
  const label = (scope === undefined ? undefined : scopes()[scope]) ?? t`You`
  return edited ? t`${label}, edited first` : label
}

/** Group of requests that were answered by one press, as a row of the audit log has it. Rows from before have none. */
export function groupIn({ group }: JsonObject): { readonly id: string; readonly size: number } | undefined {
  if (!isJsonObject(group)) return undefined
  const { id, size } = group
  return typeof id === 'string' && typeof size === 'number' ? { id, size } : undefined
}

/** Name of who decided, for one row of the audit log; '' where it says nothing of that. */
export const deciderLabel = ({ by, decision, detail }: Pick<AuditRow, 'by' | 'decision' | 'detail'>): string =>
  by === null
    ? ''
    : decidedByLabel({ by, allowed: decision !== 'denied', byHand: detail['byHand'] === true, together: groupIn(detail)?.size })
