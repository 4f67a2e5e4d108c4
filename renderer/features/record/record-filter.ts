// What the person looks for in the record, as they chose it, and as the host is asked for it. Pure.
import type { AuditFilter, AuditRow } from '#app/consent/audit.ts'
import { t } from '#app/words/translate.ts'

export interface RecordFilter {
  readonly text: string
  /** Empty: all of them, here and below. */
  readonly server: string
  readonly kind: AuditRow['kind'] | ''
  readonly decision: DecisionGroup | ''
  readonly by: Decider | ''
  readonly when: Period | ''
  /** Of chosen days, each as `2026-11-22`; empty: open on that side. */
  readonly from: string
  readonly to: string
}

export const allRows: RecordFilter = { text: '', server: '', kind: '', decision: '', by: '', when: '', from: '', to: '' }

export const decisionGroups = {
  allowed: ['allowed'],
  refused: ['denied', 'cancelled'],
  withdrawn: ['withdrawn'],
  failed: ['failed', 'tool-error', 'unknown', 'refresh-failed'],
} as const
export type DecisionGroup = keyof typeof decisionGroups

export const deciders = ['person', 'rule', 'mode', 'policy', 'command-line'] as const
export type Decider = (typeof deciders)[number]

export const periods = { today: t`Today`, week: t`Last 7 days`, month: t`Last 30 days`, chosen: t`Chosen days` } as const
export type Period = keyof typeof periods

const dayOf = (time: number, back = 0): number => {
  const date = new Date(time)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - back).getTime()
}
/** Midnight at the beginning of a day, here; a day is not always 24 hours long. */
const dayNamed = (text: string, later = 0): number | undefined => {
  const [year, month, day] = text.split('-').map(Number)
  return year && month && day ? new Date(year, month - 1, day + later).getTime() : undefined
}

function timesOf({ when, from, to }: RecordFilter, now: number): Pick<AuditFilter, 'since' | 'until'> {
  if (when === 'today') return { since: dayOf(now) }
  if (when === 'week') return { since: dayOf(now, 6) }
  if (when === 'month') return { since: dayOf(now, 29) }
  if (when !== 'chosen') return {}
  const since = dayNamed(from)
  const until = dayNamed(to, 1)
  return { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) }
}

export function toAuditFilter(filter: RecordFilter, now: number): AuditFilter {
  const { text, server, kind, decision, by } = filter
  return {
    ...(text.trim() === '' ? {} : { text: text.trim().slice(0, 500) }),
    ...(server === '' ? {} : { server }),
    ...(kind === '' ? {} : { kinds: [kind] }),
    ...(decision === '' ? {} : { decisions: [...decisionGroups[decision]] }),
    ...(by === '' ? {} : { by: [by] }),
    ...timesOf(filter, now),
  }
}

export const isAll = (filter: AuditFilter): boolean => Object.keys(filter).length === 0
