import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AuditRow } from '#app/consent/audit.ts'
import { HostError } from '#app/errors.ts'
import { makeConversation, makeServer } from '#renderer/testing/builders.ts'
import { createFakeLink, type FakeLink } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'
import { pageSize } from './use-audit.ts'

const row = (seq: number, change: Partial<AuditRow> = {}): AuditRow => ({
  seq,
  time: seq * 1000,
  kind: 'decision',
  server: 'files',
  tool: `tool_${seq}`,
  decision: 'allowed',
  by: 'person',
  conversationId: null,
  detail: { request: 'tool-call' },
  previous: 'a'.repeat(64),
  hash: 'b'.repeat(64),
  ...change,
})
/** The host's `audit.list` over these rows. */
const list = (rows: AuditRow[]) => (params: { before?: number | undefined; limit: number }) => ({
  rows: rows
    .filter(({ seq }) => params.before === undefined || seq < params.before)
    .sort((a, b) => b.seq - a.seq)
    .slice(0, params.limit),
})
const many = (count: number): AuditRow[] => Array.from({ length: count }, (_, index) => row(index + 1))
const open = (rows: AuditRow[], hash = '#/record/record'): FakeLink => {
  const link = createFakeLink({ answers: { 'audit.list': list(rows) } })
  renderAt(link, hash)
  return link
}
const shown = (): (string | null)[] => [...document.querySelectorAll('.record-open .mono:not(.faint)')].map((one) => one.textContent)
const entry = (name: RegExp) => screen.findByRole('button', { name })

describe('the record', () => {
  it('shows the newest entries first and loads older ones to the first', async () => {
    const link = open(many(pageSize + 20))
    await entry(new RegExp(`tool_${pageSize + 20}$`))
    expect(shown().length).toBe(pageSize)
    fireEvent.click(screen.getByRole('button', { name: 'Load older entries' }))
    await waitFor(() => expect(shown().length).toBe(pageSize + 20))
    expect(shown().at(-1)).toBe('files tool_1')
    expect(link.paramsOf('audit.list').map(({ before }) => before)).toEqual([undefined, 21])
    expect(screen.queryByRole('button', { name: 'Load older entries' })).toBeNull()
  })

  it('filters what is loaded', async () => {
    open([row(1), row(2, { kind: 'launch', server: 'notes', tool: null }), row(3, { decision: 'denied' })])
    await entry(/tool_3/)
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'denied' } })
    expect(shown()).toEqual(['files tool_3'])
    fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Escape' })
    fireEvent.change(screen.getByRole('combobox', { name: 'Which entries to show' }), { target: { value: 'launch' } })
    expect(shown()).toEqual(['notes'])
  })

  it('opens an entry with its hashes and its detail as data', async () => {
    open([row(1, { detail: { word: '<img src=x>', hidden: 'a\u200bb' } })])
    const opener = await entry(/tool_1/)
    fireEvent.click(opener)
    const detail = document.getElementById('entry-1')
    expect(detail?.textContent).toContain('<img src=x>')
    expect(detail?.querySelector('img')).toBeNull()
    expect(detail?.querySelector('.reveal')).not.toBeNull()
    expect(within(detail as HTMLElement).getByText('b'.repeat(64))).toBeTruthy()
  })

  it('fetches what was added when something was decided', async () => {
    const link = open([row(1)])
    await entry(/tool_1/)
    link.answer({ 'audit.list': list([row(1), row(2)]) })
    link.tell('consent.closed', { id: 'r1', outcome: 'allowed' })
    await waitFor(() => expect(shown()).toEqual(['files tool_2', 'files tool_1']))
  })

  it('says that nothing is there yet', async () => {
    open([])
    await waitFor(() => expect(document.querySelector('.empty')).not.toBeNull())
  })

  it('can be asked again after a failure', async () => {
    const link = createFakeLink({
      answers: {
        'audit.list': () => {
          throw new HostError('internal', 'The record could not be read.')
        },
      },
    })
    renderAt(link, '#/record/record')
    await screen.findByText('The record could not be read.')
    link.answer({ 'audit.list': list([row(1)]) })
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await entry(/tool_1/)).toBeTruthy()
  })
})

describe('rules', () => {
  it('are listed by what they do, and revoked, which can be undone', async () => {
    const link = createFakeLink({
      snapshot: {
        servers: [makeServer()],
        conversations: [makeConversation()],
        rules: [
          { id: 'r1', effect: 'allow', server: 'files', tool: 'read', scope: { kind: 'always' }, createdAt: 1 },
          { id: 'r2', effect: 'allow', server: 'files', tool: 'move', scope: { kind: 'conversation', conversationId: 'c1' }, createdAt: 1 },
          { id: 'r3', effect: 'deny', server: 'gone', scope: { kind: 'always' }, createdAt: 1 },
        ],
      },
    })
    renderAt(link, '#/record')
    const revokes = await screen.findAllByRole('button', { name: /^Revoke/ })
    expect(revokes.length).toBe(3)
    expect(screen.getByText(/“Tidy September invoices”/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Revoke the rule for move of files' }))
    expect(link.paramsOf('rule.remove')).toEqual([{ id: 'r2' }])
    link.tell('rules.changed', { rules: [] })
    await waitFor(() => expect(document.querySelector('.empty')).not.toBeNull())
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(link.paramsOf('rule.restore')).toEqual([{ id: 'r2' }])
  })
})
