import { expect, test } from 'vitest'
import type { AuditFilter } from '#app/consent/audit-row.ts'
import { type AuditLogFilter, allRows, isAll, toAuditFilter } from './audit-actions.tsx'

const now = new Date(2026, 10, 22, 15, 30).getTime()
const midnight = (month: number, day: number): number => new Date(2026, month - 1, day).getTime()

test.each<[Partial<AuditLogFilter>, AuditFilter]>([
  [{}, {}],
  [{ text: '  ' }, {}],
  [{ text: ' a b ' }, { text: 'a b' }],
  [
    { server: 'files', kind: 'call' },
    { server: 'files', kinds: ['call'] },
  ],
  [
    { decision: 'refused', by: 'rule' },
    { decisions: ['denied', 'cancelled'], by: ['rule'] },
  ],
  [{ when: 'today' }, { since: midnight(11, 22) }],
  [{ when: 'week' }, { since: midnight(11, 16) }],
  [{ when: 'month' }, { since: midnight(10, 24) }],
  [
    { when: 'chosen', from: '2026-11-01', to: '2026-11-02' },
    { since: midnight(11, 1), until: midnight(11, 3) },
  ],
  [{ when: 'chosen', to: '2026-11-30' }, { until: midnight(12, 1) }],
  [{ when: 'chosen', from: 'x' }, {}],
  [{ from: '2026-11-01' }, {}],
])('%j asks for %j', (part, filter) => {
  const asked = toAuditFilter({ ...allRows, ...part }, now)
  expect([asked, isAll(asked)]).toEqual([filter, Object.keys(filter).length === 0])
})
