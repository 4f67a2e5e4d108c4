import { expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { AuditStore } from '#main/store/store-api.ts'
import { auditExchange } from './request-audit.ts'

type Row = Parameters<AuditStore['append']>[0]

function exchange(work: (rows: readonly Row[]) => Promise<string>) {
  const rows: Row[] = []
  const audit = { append: (row: Row) => void rows.push(row) } as unknown as AuditStore
  const about = { method: 'resources/read', uri: 'skill://a' }
  const done = auditExchange({ audit, server: 'a', about, digest: (text) => ({ bytes: text.length, sha256: 'of it' }) }, () => work(rows))
  return { done, rows }
}

it('what is asked in the person’s name is on record before it is asked, and then with how much came', async () => {
  const seen: string[] = []
  const { done, rows } = exchange(async (before) => {
    seen.push(...before.map(({ decision }) => String(decision)))
    return 'words'
  })
  expect(await done).toBe('words')
  expect(seen).toEqual(['sent'])
  expect(rows).toMatchObject([
    { kind: 'exchange', server: 'a', decision: 'sent', by: 'person', detail: { method: 'resources/read', uri: 'skill://a' } },
    { kind: 'exchange', server: 'a', decision: 'done', detail: { method: 'resources/read', bytes: 5, sha256: 'of it' } },
  ])
  expect(new Set(rows.map(({ detail }) => detail?.['exchangeId'])).size).toBe(1)
})

it('one that fails is on record with its code, and fails as it did', async () => {
  const { done, rows } = exchange(() => Promise.reject(new HostError('server.protocol', 'not as listed')))
  await expect(done).rejects.toMatchObject({ code: 'server.protocol' })
  expect(rows.map(({ decision, detail }) => [decision, detail?.['code']])).toEqual([
    ['sent', undefined],
    ['failed', 'server.protocol'],
  ])
})
