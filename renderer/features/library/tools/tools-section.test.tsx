import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ManualRun } from '#app/chat/tools/manual-run.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { makeToolRequest } from '#renderer/testing/builders.ts'
import type { FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'
import { manualRunScenes } from '#renderer/testing/stories/manual-runs.stories.ts'

afterEach(cleanup)

const open = async (scene: keyof typeof manualRunScenes, hash: string): Promise<FakeConnection> => {
  const link = manualRunScenes[scene]('light')
  renderAt(link, hash)
  await screen.findByRole('searchbox', { name: 'Find a tool' })
  return link
}
const drawn = (): string[] => [...document.querySelectorAll<HTMLElement>('.tool-link')].map(({ dataset }) => dataset['tool'] ?? '')
const choose = (name: string, value: string): void => void fireEvent.change(screen.getByRole('combobox', { name }), { target: { value } })

describe('the list of all tools', () => {
  it('is searched and filtered, and of thousands only what is in sight is drawn', async () => {
    await open('many-tools', '#/library/tools')
    await screen.findByText('5,000 tools')
    expect(drawn().length).toBeLessThan(100)
    fireEvent.change(screen.getByRole('searchbox', { name: 'Find a tool' }), { target: { value: 'server-31 archive deployment' } })
    await waitFor(() => expect(drawn()).toEqual(['server-31__archive_deployment']))
    choose('What to show', 'destructive')
    await waitFor(() => expect(drawn()).toEqual([]))
  })
})

describe('a tool', () => {
  it('is run with what stands in the form, and only once that is right', async () => {
    const link = await open('office', '#/library/tools/office/book_room')
    fireEvent.click(await screen.findByRole('button', { name: 'Run book_room' }))
    await screen.findByText('1 value to correct.')
    expect(link.paramsOf('tool.run')).toEqual([])
    fireEvent.click(screen.getByRole('radio', { name: 'JSON' }))
    const people = [{ name: 'Maya' }]
    const text = JSON.stringify({ room: 'r1', day: '2026-11-23', people })
    fireEvent.change(screen.getByLabelText('Arguments as JSON'), { target: { value: text } })
    fireEvent.click(screen.getByRole('button', { name: 'Run book_room' }))
    await waitFor(() =>
      expect(link.paramsOf('tool.run')).toEqual([{ server: 'office', tool: 'book_room', fingerprint: 'now', arguments: text }]),
    )
  })

  it('may be run with what the schema forbids, if the person says so twice', async () => {
    const link = await open('office', '#/library/tools/office/book_room')
    fireEvent.click(await screen.findByRole('button', { name: 'Run book_room' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Run anyway' }))
    await waitFor(() => expect(link.paramsOf('tool.run')).toHaveLength(1))
  })

  it('that is running tells how far it is, can be cancelled, and shows what came of it', async () => {
    const link = await open('office', '#/library/tools/office/book_room')
    await screen.findByRole('progressbar', { name: 'Progress' })
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(link.paramsOf('tool.cancelRun')).toEqual([{ id: 'h4' }])
    const decision = { allowed: true, by: 'person', scope: 'once', byHand: true } as const
    const done: ManualRun = {
      id: 'h4',
      server: 'office',
      tool: 'book_room',
      at: Date.now(),
      arguments: { room: 'r1' },
      fingerprint: 'now',
      state: {
        kind: 'done',
        decision,
        startedAt: 1,
        durationMs: 5,
        result: { content: [{ type: 'text', text: 'Booked the garden.' }], isError: false, bytes: 3 },
      },
    }
    act(() => link.tell('manualRun.changed', { run: done }))
    fireEvent.click(screen.getAllByRole('button', { name: /"r1"/ })[0] ?? document.body)
    await screen.findByText('Booked the garden.')
  })

  it('brings its requests and its result into view once it was begun here', async () => {
    const seen: (string | undefined)[] = []
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: HTMLElement) {
      if (this.dataset['run']) seen.push(this.dataset['run'])
    })
    const link = await open('office', '#/library/tools/office/book_room')
    const state = { kind: 'running', decision: { allowed: true, by: 'person', scope: 'once', byHand: true }, startedAt: 1 } as const
    const begun: ManualRun = { id: 'h9', server: 'office', tool: 'book_room', at: Date.now(), arguments: {}, fingerprint: 'now', state }
    link.answer({ 'tool.run': () => ({ run: begun }) })
    fireEvent.click(await screen.findByRole('button', { name: 'Run book_room' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Run anyway' }))
    await waitFor(() => expect(seen).toEqual(['running']))
    const request = makeToolRequest({ id: 'q', callId: begun.id })
    act(() => link.tell('consent.opened', { request }))
    act(() => link.tell('manualRun.changed', { run: { ...begun, state: { kind: 'cancelled' } } }))
    await waitFor(() => expect(seen).toEqual(['running', 'running', 'cancelled']))
  })

  it('that gives no word is waited for longer when the person says so', async () => {
    const link = await open('office', '#/library/tools/office/book_room')
    await screen.findByRole('progressbar', { name: 'Progress' })
    expect(screen.queryByRole('button', { name: 'Wait longer' })).toBeNull()
    const decision = { allowed: true, by: 'person', scope: 'once', byHand: true } as const
    const now = Date.now()
    const about = { id: 'h4', server: 'office', tool: 'book_room', at: now, arguments: {}, fingerprint: 'now' }
    const state = { kind: 'running', decision, startedAt: now - 61_000 } as const
    act(() =>
      link.tell('manualRun.changed', { run: { ...about, state: { ...state, overdue: { since: now - 1000, endsAt: now + 59_000 } } } }),
    )
    fireEvent.click(await screen.findByRole('button', { name: 'Wait longer' }))
    expect(link.paramsOf('tool.waitForRun')).toEqual([{ id: 'h4' }])
    act(() => link.tell('manualRun.changed', { run: { ...about, state } }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Wait longer' })).toBeNull())
  })

  it('says in its place what became of a question that another window answered', async () => {
    const link = await open('office', '#/library/tools/office/book_room')
    const about = { id: 'q', createdAt: 1, server: 'office', callId: 'h4', why: { kind: 'server-asks' } } as const
    const asked = { ...about, kind: 'roots', roots: [] } satisfies ConsentRequest
    await screen.findByRole('progressbar', { name: 'Progress' })
    act(() => link.tell('consent.opened', { request: asked }))
    await waitFor(() => expect(document.querySelector('.dock [data-request="q"]')).not.toBeNull())
    act(() => link.tell('consent.closed', { id: 'q', outcome: 'denied', by: 'person' }))
    await waitFor(() => expect(document.querySelector('[data-run] [data-ended="q"]')).not.toBeNull())
    expect(document.querySelector('[data-request="q"]')).toBeNull()
  })

  it('asks in the dock at the foot of the page, and focus goes back to what was pressed', async () => {
    const link = await open('office', '#/library/tools/office/book_room')
    const about = { id: 'q', createdAt: 1, server: 'office', callId: 'h4', why: { kind: 'server-asks' } } as const
    const elsewhere = makeToolRequest({ id: 'chat', server: 'office', conversationId: 'c1' })
    const run = await screen.findByRole('button', { name: 'Run book_room' })
    act(() => run.focus())
    act(() => link.tell('consent.opened', { request: elsewhere }))
    act(() => link.tell('consent.opened', { request: { ...about, kind: 'roots', roots: [] } }))
    const asked = [...document.querySelectorAll('[data-request]')]
    expect([asked.map((one) => one.getAttribute('data-request')), document.activeElement]).toEqual([['q'], run])
    expect(document.querySelector('.b > .dock')?.contains(asked[0] ?? null)).toBe(true)
    const deny = within(asked[0] as HTMLElement).getByRole('button', { name: 'Don’t share' })
    act(() => deny.focus())
    fireEvent.click(deny)
    act(() => link.tell('consent.closed', { id: 'q', outcome: 'denied', by: 'person' }))
    await waitFor(() => expect([document.querySelector('.dock'), document.activeElement]).toEqual([null, run]))
  })

  it('keeps its earlier runs, to be looked at, edited, run again and forgotten', async () => {
    const link = await open('office', '#/library/tools/office/book_room')
    const rows = await screen.findAllByRole('button', { name: /"r2"/ })
    fireEvent.click(rows[1] ?? document.body)
    await screen.findByText('Booked the attic.')
    fireEvent.click(screen.getByRole('button', { name: 'Run again' }))
    await waitFor(() => expect(JSON.parse(link.paramsOf('tool.run')[0]?.arguments ?? '')).toMatchObject({ room: 'r2' }))
    fireEvent.click(screen.getByRole('button', { name: 'Edit and run' }))
    expect((screen.getByRole('combobox', { name: /^room/ }) as HTMLSelectElement).value).toBe('1')
    fireEvent.click(rows[3] ?? document.body)
    await screen.findByText(/Secrets are not kept/)
    expect(screen.getAllByRole('button', { name: 'Run again' })).toHaveLength(1)
    fireEvent.click(screen.getByRole('button', { name: 'Clear' }))
    expect(link.paramsOf('tool.forgetRuns')).toEqual([{ of: { server: 'office', tool: 'book_room' } }])
  })

  it('is switched off in the chat that was open last, on top of everywhere', async () => {
    const link = await open('office', '#/library/tools/office/book_room')
    const inChat = await screen.findByRole('switch', { name: 'Also in “Rooms”' })
    fireEvent.click(inChat)
    const tool = { server: 'office', tool: 'book_room' }
    expect(link.paramsOf('conversation.switchTool')).toEqual([{ id: 'c1', ...tool, on: false }])
    fireEvent.click(screen.getByRole('switch', { name: 'Sent to the model' }))
    expect(link.paramsOf('server.setToolEnabled')).toEqual([{ name: 'office', tool: 'book_room', enabled: false }])
    // What is off everywhere has nothing to be switched in a chat.
    await waitFor(() => expect(screen.queryByRole('switch', { name: 'Also in “Rooms”' })).toBeNull())
  })

  it('that changed shows what it was', async () => {
    await open('office', '#/library/tools/office/cancel_room')
    const pane = within(screen.getByRole('region', { name: 'cancel_room' }))
    await pane.findByText(/The tool has changed/)
    expect(pane.getAllByText(/and tells everybody/).length).toBeGreaterThan(1)
  })
})
