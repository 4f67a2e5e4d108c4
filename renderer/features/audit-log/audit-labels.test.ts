import { describe, expect, it } from 'vitest'
import type { AuditRow } from '#app/consent/audit-row.ts'
import { deciderLabel } from '#app/consent/decided-by.ts'
import { makeAuditRow } from '#renderer/testing/builders.ts'
import { decisionLabel, leadLabel, mergeRows, shortHash, subject } from './audit-labels.ts'

const row = (seq: number, extra: Partial<AuditRow> = {}): AuditRow =>
  makeAuditRow(seq, { server: 'files', tool: 'move_file', decision: 'allowed', by: 'person', ...extra })
const seqs = (rows: readonly AuditRow[]): number[] => rows.map(({ seq }) => seq)

describe('the record', () => {
  it('joins pages newest first and without doubles', () => {
    expect(seqs(mergeRows([row(5), row(4)], [row(6), row(5), row(3)]))).toEqual([6, 5, 4, 3])
  })

  it.each([
    ['allowed', {}, 'plain'],
    ['denied', { word: 'leave the name out' }, 'bad'],
    ['withdrawn', {}, 'warn'],
    [null, {}, 'plain'],
  ] as const)('tones the decision %s', (decision, detail, tone) => {
    expect(decisionLabel(row(1, { decision, detail })).tone).toBe(tone)
  })

  it('keeps the person’s word apart from the decision', () => {
    expect(decisionLabel(row(1, { decision: 'denied', detail: { word: 'no' } }))).toMatchObject({ words: 'denied', word: 'no' })
  })

  it('names what a row is about, in one bounded line', () => {
    expect(subject(row(1, { detail: { target: { command: 'npx', args: ['-y', 'notes'] } } }))).toBe('npx -y notes')
    expect(subject(row(1, { detail: { target: { url: 'https://b.example' } } }))).toBe('https://b.example')
    expect(subject(row(1, { detail: { url: 'https://a.example' } }))).toBe('https://a.example')
    expect(subject(row(1, { detail: { message: 'x'.repeat(500) } }))?.length).toBeLessThan(90)
    expect(subject(row(1))).toBeUndefined()
  })

  it('says who decided', () => {
    expect([deciderLabel(row(1, { by: 'person' })), deciderLabel(row(1, { by: null }))]).toEqual(['You', ''])
    expect(deciderLabel(row(1, { by: 'policy' }))).not.toBe(deciderLabel(row(1, { by: 'command-line' })))
  })

  it('names a chat folder as what it is', () => {
    const folder = row(1, { kind: 'config', server: null, tool: null, decision: 'chat-folder', detail: { name: 'Invoices' } })
    expect([leadLabel(folder), subject(folder)]).toEqual(['Folder', 'Invoices'])
  })

  it('leads with what was asked, and with nothing before a tool', () => {
    expect([leadLabel(row(1, { detail: { request: 'tool-call' } })), leadLabel(row(1, { detail: { request: 'roots' } })) === '']).toEqual([
      '',
      false,
    ])
    expect(leadLabel(row(1, { kind: 'launch' }))).toBe(leadLabel(row(1, { detail: { request: 'launch' } })))
  })

  it('tells how a sign-in was asked for, came about, failed and ended', () => {
    const detail = { issuer: 'https://auth.example', resource: 'https://mcp.example/mcp', scopes: ['read'] }
    const rows = [
      row(1, { kind: 'request', tool: null, decision: null, detail: { request: 'sign-in', ...detail } }),
      row(2, { tool: null, detail: { request: 'sign-in', ...detail } }),
      row(3, { kind: 'sign-in', tool: null, decision: 'signed-in', detail }),
      row(4, { kind: 'sign-in', tool: null, decision: 'failed', detail: { ...detail, reason: 'access_denied' } }),
      row(5, { kind: 'sign-in', tool: null, decision: 'signed-out', detail: { ...detail, revoked: true } }),
    ]
    expect(new Set(rows.map(leadLabel)).size).toBe(1)
    expect(subject(rows[2] as AuditRow)).toBe('https://auth.example')
    expect(rows.map((one) => [decisionLabel(one).words, decisionLabel(one).tone])).toEqual([
      ['', 'plain'],
      ['allowed', 'plain'],
      ['signed in', 'plain'],
      ['failed: access_denied', 'bad'],
      ['signed out', 'plain'],
    ])
  })

  it('shortens hashes', () => {
    expect(shortHash('7ac1ffffffff90')).toBe('7ac1…90')
  })
})
