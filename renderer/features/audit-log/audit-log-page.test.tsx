import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AuditRow } from '#app/consent/audit-row.ts'
import type { RequestParams } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { makeAuditRow, makeConversation, makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'
import { pageSize } from './audit-actions.tsx'

const row = (seq: number, change: Partial<AuditRow> = {}): AuditRow =>
  makeAuditRow(seq, {
    time: seq * 1000,
    server: 'files',
    tool: `tool_${seq}`,
    decision: 'allowed',
    by: 'person',
    detail: { request: 'tool-call' },
    ...change,
  })
/** The host's `audit.list` over these rows. */
const list = (rows: AuditRow[]) => (params: RequestParams<'audit.list'>) => {
  const { kinds, text, server } = params.filter ?? {}
  const fit = rows
    .filter((one) => (!kinds || kinds.includes(one.kind)) && (server === undefined || one.server === server))
    .filter((one) => text === undefined || JSON.stringify(one).includes(text))
    .sort((a, b) => b.seq - a.seq)
  const page = fit.filter(({ seq }) => params.before === undefined || seq < params.before).slice(0, params.limit)
  return { rows: page, ...(params.before === undefined ? { found: fit.length } : {}) }
}
const whole = { fault: null, rows: 9, hash: 'c'.repeat(64), kept: 8 }
const many = (count: number): AuditRow[] => Array.from({ length: count }, (_, index) => row(index + 1))
const open = async (rows: AuditRow[], hash = '#/activity'): Promise<FakeConnection> => {
  const link = createFakeConnection({ answers: { 'audit.list': list(rows), 'audit.verify': () => whole } })
  renderAt(link, hash)
  fireEvent.click(await screen.findByRole('switch', { name: 'Raw entries' }))
  return link
}
const shown = (): (string | null)[] => [...document.querySelectorAll('.record-open .mono:not(.faint)')].map((one) => one.textContent)
const entry = (name: RegExp) => screen.findByRole('button', { name })

describe('raw entries', () => {
  it('shows the newest entries first and loads older ones to the first', async () => {
    const link = await open(many(pageSize + 20))
    await entry(new RegExp(`tool_${pageSize + 20}$`))
    expect(shown().length).toBe(pageSize)
    fireEvent.click(screen.getByRole('button', { name: 'Load older entries' }))
    await waitFor(() => expect(shown().length).toBe(pageSize + 20))
    expect(shown().at(-1)).toBe('files tool_1')
    expect(link.paramsOf('audit.list').flatMap(({ before = [] }) => before)).toEqual([21])
    expect(screen.queryByRole('button', { name: 'Load older entries' })).toBeNull()
  })

  it('asks the host for what fits, and says how much that is', async () => {
    const link = await open([row(1), row(2, { kind: 'launch', server: 'notes', tool: null }), row(3, { decision: 'denied' })])
    await entry(/tool_3/)
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'denied' } })
    await waitFor(() => expect(shown()).toEqual(['files tool_3']))
    expect(screen.getByText('1 entry fits')).toBeTruthy()
    fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Escape' })
    fireEvent.change(screen.getByRole('combobox', { name: 'Kind' }), { target: { value: 'launch' } })
    await waitFor(() => expect(shown()).toEqual(['notes']))
    fireEvent.change(screen.getByRole('combobox', { name: 'Decision' }), { target: { value: 'refused' } })
    fireEvent.change(screen.getByRole('combobox', { name: 'Decided by' }), { target: { value: 'rule' } })
    await waitFor(() =>
      expect(link.paramsOf('audit.list').at(-1)?.filter).toEqual({ kinds: ['launch'], decisions: ['denied', 'cancelled'], by: ['rule'] }),
    )
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }))
    await waitFor(() => expect(shown().length).toBe(3))
  })

  it('does not hear what comes late for an older question', async () => {
    const late = Promise.withResolvers<{ rows: AuditRow[]; found: number }>()
    const link = await open([row(1), row(2)])
    await entry(/tool_2/)
    link.answer({ 'audit.list': () => late.promise })
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'tool_9' } })
    await waitFor(() => expect(link.paramsOf('audit.list').at(-1)?.filter).toEqual({ text: 'tool_9' }))
    link.answer({ 'audit.list': list([row(1), row(2)]) })
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'tool_1' } })
    await waitFor(() => expect(shown()).toEqual(['files tool_1']))
    late.resolve({ rows: [row(9)], found: 1 })
    await late.promise
    await waitFor(() => expect(shown()).toEqual(['files tool_1']))
  })

  it('checks the chain, and leads to where it breaks', async () => {
    const link = await open(many(9))
    await entry(/tool_9/)
    expect(await screen.findByText('Intact · 9 entries')).toBeTruthy()
    link.answer({ 'audit.verify': () => ({ ...whole, fault: { seq: 5, reason: 'it was altered' } }) })
    fireEvent.click(screen.getByRole('button', { name: /^Intact/ }))
    await screen.findByText(/broken at entry 5/)
    expect(screen.getByRole('alert').nextElementSibling?.classList).toContain('filters')
    fireEvent.click(await screen.findByRole('button', { name: 'Show it' }))
    await waitFor(() => expect(shown()[0]).toBe('files tool_5'))
    fireEvent.click(screen.getByRole('button', { name: 'Show the newest' }))
    await waitFor(() => expect(shown()[0]).toBe('files tool_9'))
  })

  it('hands what fits to the host to save, in a window of ours', async () => {
    const link = createFakeConnection({
      snapshot: { shell: { kind: 'electron', os: 'linux', canChooseFolder: true, secrets: 'keyring' } },
      answers: {
        'audit.list': list(many(3)),
        'audit.verify': () => whole,
        'audit.export': () => ({ path: '/home/maya/record.jsonl', rows: 3 }),
      },
    })
    renderAt(link, '#/activity')
    fireEvent.click(await screen.findByRole('switch', { name: 'Raw entries' }))
    await entry(/tool_3/)
    fireEvent.change(screen.getByRole('combobox', { name: 'Kind' }), { target: { value: 'decision' } })
    fireEvent.click(await screen.findByRole('button', { name: 'Export…' }))
    expect(await screen.findByText(/record\.jsonl/)).toBeTruthy()
    expect(link.paramsOf('audit.export')).toEqual([{ filter: { kinds: ['decision'] } }])
  })

  it('opens an entry with its hashes and its detail as data', async () => {
    await open([row(1, { detail: { word: '<img src=x>', hidden: 'a\u200bb' } })])
    const opener = await entry(/tool_1/)
    fireEvent.click(opener)
    const detail = document.getElementById('entry-1')
    expect(detail?.textContent).toContain('<img src=x>')
    expect(detail?.querySelector('img')).toBeNull()
    expect(detail?.querySelector('.reveal')).not.toBeNull()
    expect(within(detail as HTMLElement).getByText('b'.repeat(64))).toBeTruthy()
  })

  it('fetches what was added when something was decided', async () => {
    const link = await open([row(1)])
    await entry(/tool_1/)
    link.answer({ 'audit.list': list([row(1), row(2)]) })
    link.tell('consent.closed', { id: 'r1', outcome: 'allowed' })
    await waitFor(() => expect(shown()).toEqual(['files tool_2', 'files tool_1']))
  })

  it('says that nothing is there yet', async () => {
    renderAt(createFakeConnection({ answers: { 'audit.list': list([]) } }), '#/activity')
    await waitFor(() => expect(document.querySelector('.empty')).not.toBeNull())
  })

  it('can be asked again after a failure', async () => {
    const link = createFakeConnection({
      answers: {
        'audit.list': () => {
          throw new HostError('internal', 'The record could not be read.')
        },
      },
    })
    renderAt(link, '#/activity')
    await screen.findByText('The record could not be read.')
    link.answer({ 'audit.list': list([row(1)]) })
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('tool_1')).toBeTruthy()
  })
})

describe('rules', () => {
  it('are listed by what they do, and revoked, which can be undone', async () => {
    const link = createFakeConnection({
      answers: { 'server.catalogue': () => ({ tools: [], resources: [], resourceTemplates: [], prompts: [] }) as never },
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
    renderAt(link, '#/activity/rules')
    const revokes = await screen.findAllByRole('button', { name: /^Revoke/ })
    expect(revokes.length).toBe(3)
    expect(screen.getByText(/“Tidy September invoices”/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Revoke “move” of “files”' }))
    expect(link.paramsOf('rule.remove')).toEqual([{ id: 'r2' }])
    link.tell('rules.changed', { rules: [] })
    await waitFor(() => expect(document.querySelector('.empty')).not.toBeNull())
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(link.paramsOf('rule.restore')).toEqual([{ id: 'r2' }])
  })
})
