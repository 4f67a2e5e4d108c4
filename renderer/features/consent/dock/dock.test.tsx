import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { ConversationActivity } from '#app/chat/conversation.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { composerId } from '#renderer/navigation/focus.ts'
import { makeLaunchRequest, makeServer, makeToolRequest } from '#renderer/testing/builders.ts'
import { first, pass, withCardClock } from '#renderer/testing/consent-card.tsx'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { ChatDock } from './dock.tsx'

withCardClock()

const waitingFor = (...servers: string[]): ConversationActivity => ({
  kind: 'waiting',
  turnId: 't1',
  requests: servers.length,
  servers: servers.map((name) => ({ name, asked: true })),
})
const idle: ConversationActivity = { kind: 'idle' }

async function show(requests: readonly ConsentRequest[], activity = idle) {
  const link = createFakeConnection({
    snapshot: { consentRequests: [...requests], servers: [makeServer({ name: 'files' })] },
    answers: { 'consent.answer': () => ({ accepted: true }), 'chat.answerWithout': () => ({}) },
  })
  const view = await renderWith(
    <div className="compose">
      <ChatDock conversationId="c1" activity={activity} reviewing={false} />
      <textarea id={composerId} aria-label="Message" />
    </div>,
    link,
  )
  const close = (id: string): void => act(() => link.tell('consent.closed', { id, outcome: 'allowed', by: 'person' }))
  return { ...view, link, close, answers: () => link.paramsOf('consent.answer') }
}

const move = (id: string, change: object = {}) =>
  makeToolRequest({ id, arguments: { source: `~/in/${id}.pdf`, destination: `~/out/${id}.pdf` }, ...change })
const five = ['a', 'b', 'c', 'd', 'e'].map((id) => move(id))
const dock = (): HTMLElement | null => document.querySelector('.dock')
const texts = (name: RegExp): string[] => screen.getAllByRole('button', { name }).map((one) => one.textContent ?? '')
const ready = async (): Promise<void> => {
  pass(700)
  await act(async () => vi.advanceTimersByTimeAsync(0))
}

describe('alike calls', () => {
  it('are one question: Allow and Deny say how many are ticked, and a tick changes both', async () => {
    const { answers } = await show(five)
    expect([...texts(/^Allow/), ...texts(/^Deny \d/)]).toEqual(['Allow 5', 'Deny 5'])
    fireEvent.click(screen.getAllByRole('checkbox')[1] as HTMLElement)
    expect([...texts(/^Allow/), ...texts(/^Deny \d/)]).toEqual(['Allow 4', 'Deny 4'])
    await ready()
    fireEvent.click(first(/^Allow 4/))
    await act(settle)
    const group = { id: 'a', size: 4 }
    expect(answers()).toEqual(['a', 'c', 'd', 'e'].map((id) => ({ id, answer: { kind: 'allow', scope: 'once', group } })))
  })

  it.each<[string, RegExp, RegExp, object]>([
    ['the chat', /^For this chat/, /^Allow 5 for this chat/, { scope: 'conversation' }],
    ['the tool', /any arguments, until the tool changes/, /^Always allow 5/, { scope: 'always' }],
    [
      'the folders that all have in common',
      /is inside .*\/in/,
      /^Always allow 5/,
      {
        scope: 'always',
        terms: {
          conditions: [
            { kind: 'path-inside', argument: '/source', folder: '/home/me/in' },
            { kind: 'path-inside', argument: '/destination', folder: '/home/me/out' },
          ],
          onlyArguments: ['source', 'destination'],
        },
      },
    ],
  ])('are allowed for longer: the button says so, and one answer makes one rule, for %s', async (_, option, button, scope) => {
    const there = ['a', 'b', 'c', 'd', 'e'].map((id) =>
      move(id, { arguments: { source: `/home/me/in/${id}.pdf`, destination: `/home/me/out/${id}.pdf` } }),
    )
    const { answers } = await show(there)
    fireEvent.click(screen.getByRole('button', { name: 'Other ways to allow' }))
    fireEvent.click(screen.getByRole('radio', { name: option }))
    await ready()
    fireEvent.click(first(button))
    await act(settle)
    const group = { id: 'a', size: 5 }
    expect(answers()).toEqual(
      there.map(({ id }) => ({ id, answer: { kind: 'allow', ...(id === 'e' ? scope : { scope: 'once' }), group } })),
    )
  })

  it('offer no rule that would answer one which is not ticked, or which lies in another folder', async () => {
    const { answers } = await show([...five, move('x', { arguments: { source: '/etc/x', destination: '/tmp/x' } })])
    fireEvent.click(screen.getByRole('button', { name: 'Other ways to allow' }))
    expect(screen.getAllByRole('radio').map((one) => (one as HTMLInputElement).value)).toEqual(['once', 'conversation', 'always'])
    fireEvent.click(screen.getByRole('radio', { name: /^For this chat/ }))
    fireEvent.click(screen.getAllByRole('checkbox')[5] as HTMLElement)
    expect([texts(/^Allow/), screen.queryByRole('button', { name: 'Other ways to allow' })]).toEqual([['Allow 5'], null])
    await ready()
    fireEvent.keyDown(first(/^Allow 5/), { key: 'Enter', ctrlKey: true, shiftKey: true })
    expect(answers()).toEqual([])
  })

  it('show every value of each', async () => {
    await show(five)
    const rows = [...document.querySelectorAll('.alike > li .alike-value')].map((one) => one.textContent)
    expect(rows).toEqual(five.map(({ id }) => `~/in/${id}.pdf→~/out/${id}.pdf`))
  })

  it('arm anew when one joins or is ticked, and no key allows before', async () => {
    const { link, answers } = await show(five)
    await ready()
    act(() => link.tell('consent.opened', { request: move('late') }))
    fireEvent.click(first(/^Allow 6/))
    pass(500)
    fireEvent.click(screen.getAllByRole('checkbox')[0] as HTMLElement)
    pass(500)
    fireEvent.keyDown(first(/^Allow 5/), { key: 'Enter', ctrlKey: true })
    expect(answers()).toEqual([])
  })

  it('one with a warning is a question of its own', async () => {
    const warned = move('w', { flows: { origins: [{ server: 'mail', tool: 'read', callId: 'x' }], marks: [] } })
    await show([...five, warned])
    expect(texts(/^Allow/)).toEqual(['Allow 5'])
    expect(screen.getByText('1 of 2')).not.toBeNull()
  })

  it('are read one by one in the same place, and together again', async () => {
    await show(five)
    fireEvent.click(first(/^Review each/))
    expect([screen.getByText('1 of 5').className, texts(/^Allow once/)]).toEqual(['pager num', ['Allow once']])
    fireEvent.click(first(/^Next request/))
    expect([document.querySelector('.ask')?.getAttribute('data-request'), screen.getByText('2 of 5').tagName]).toEqual(['b', 'SPAN'])
    fireEvent.click(first(/^Together/))
    expect(texts(/^Allow/)).toEqual(['Allow 5'])
  })

  it('a reason is sent for each of them, and the turn ends with the last', async () => {
    const { answers } = await show(five.slice(0, 2))
    fireEvent.click(first(/^Deny with a reason/))
    fireEvent.change(screen.getByRole('textbox', { name: /Why not/ }), { target: { value: 'Wrong folder' } })
    fireEvent.click(first(/^Deny and stop/))
    await act(settle)
    expect(answers()).toEqual([
      { id: 'a', answer: { kind: 'deny', word: 'Wrong folder', group: { id: 'a', size: 2 } } },
      { id: 'b', answer: { kind: 'deny', word: 'Wrong folder', stop: true, group: { id: 'a', size: 2 } } },
    ])
  })
})

describe('the dock', () => {
  const edit = makeToolRequest({
    id: 'edit',
    tool: 'edit_file',
    arguments: { path: '/home/me/a.md', edits: [{ oldText: 'a', newText: 'b' }] },
  })

  it('takes no focus as it opens; Escape puts it aside to one line, decides nothing, and focus is where it was', async () => {
    const { answers } = await show([edit])
    const message = screen.getByRole('textbox', { name: 'Message' })
    message.focus()
    const heading = dock()?.querySelector<HTMLElement>('h2')
    act(() => heading?.focus())
    fireEvent.keyDown(heading as HTMLElement, { key: 'Escape' })
    expect([dock(), document.activeElement, answers()]).toEqual([null, message, []])
    expect(document.querySelector('.dock-line')?.textContent).toContain('1 request waits')
    fireEvent.click(first(/^Review/))
    expect(document.activeElement).toBe(dock()?.querySelector('h2'))
  })

  it('opens again for what comes later, with that, and takes no focus', async () => {
    const { link } = await show([edit])
    const message = screen.getByRole('textbox', { name: 'Message' })
    message.focus()
    fireEvent.click(first(/^Decide later/))
    expect(dock()).toBeNull()
    act(() => link.tell('consent.opened', { request: makeToolRequest({ id: 'later', tool: 'delete_file' }) }))
    expect([document.querySelector('.ask')?.getAttribute('data-request'), document.activeElement]).toEqual(['later', message])
    fireEvent.click(first(/^Previous request/))
    expect(document.querySelector('.ask')?.getAttribute('data-request')).toBe('edit')
  })

  it('goes on to the next question, then back to where focus was', async () => {
    const { close } = await show([edit, makeToolRequest({ id: 'other', tool: 'delete_file' })])
    const message = screen.getByRole('textbox', { name: 'Message' })
    message.focus()
    act(() => first(/^Deny$/).focus())
    fireEvent.click(first(/^Deny$/))
    close('edit')
    expect(document.activeElement?.closest('[data-request]')?.getAttribute('data-request')).toBe('other')
    fireEvent.click(first(/^Deny$/))
    close('other')
    expect([dock(), document.activeElement]).toEqual([null, message])
  })

  it('does not take the second press of a double click for the next question', async () => {
    const { answers } = await show([edit])
    fireEvent.click(first(/^Deny$/), { detail: 2 })
    expect(answers()).toEqual([])
    fireEvent.click(first(/^Deny$/), { detail: 1 })
    expect(answers()).toHaveLength(1)
  })

  it('folds when what it shows is answered elsewhere: no other question comes under the pointer', async () => {
    const { link } = await show([edit, makeToolRequest({ id: 'other', tool: 'delete_file' })])
    act(() => link.tell('consent.closed', { id: 'edit', outcome: 'denied', by: 'person' }))
    expect([dock(), document.querySelector('.dock-line')?.textContent]).toEqual([null, expect.stringContaining('1 request waits')])
  })

  it('opens for what comes after the last that waited was answered elsewhere', async () => {
    const { link } = await show([edit])
    act(() => link.tell('consent.closed', { id: 'edit', outcome: 'denied', by: 'person' }))
    act(() => link.tell('consent.opened', { request: { ...makeToolRequest({ id: 'next' }), conversationId: 'c1' } }))
    expect(document.querySelector('.ask')?.getAttribute('data-request')).toBe('next')
  })

  it('keeps what it shows when a start comes before it', async () => {
    const { link } = await show([edit])
    act(() => link.tell('consent.opened', { request: makeLaunchRequest({ id: 'start' }) }))
    expect([document.querySelector('.ask')?.getAttribute('data-request'), screen.getByText('2 of 2').tagName]).toEqual(['edit', 'SPAN'])
  })

  it('shows a change as such, at most eight lines of it, and Allow is not filled before it was read at full size', async () => {
    const lines = Array.from({ length: 14 }, (_, at) => `line ${at}`).join('\n')
    await show([makeToolRequest({ id: 'write', tool: 'write_file', arguments: { path: '/home/me/a.md', content: lines } })])
    expect(document.querySelector('.delta')?.textContent).toBe('+14')
    expect(document.querySelectorAll('.diff > .add')).toHaveLength(8)
    await ready()
    expect(first(/^Allow once/).className).not.toContain('primary')
    fireEvent.click(screen.getByRole('button', { name: '6 more lines: open full size' }))
    expect(window.location.hash).toBe('#/chat/c1/review/write')
  })

  it('shows a change of one line with what was there, and counts lines in and out', async () => {
    await show([edit])
    expect([...document.querySelectorAll('.diff > div')].map((one) => one.className)).toEqual(['del', 'add'])
    expect(document.querySelector('.delta')?.textContent).toBe('+1 −1')
  })

  it.each([
    ['mac', ['⌘⏎', '⌘⌫', 'R', 'E', 'esc']],
    ['windows', ['Ctrl+Enter', 'Ctrl+Backspace', 'R', 'E', 'Esc']],
    ['linux', ['Ctrl+Enter', 'Ctrl+Backspace', 'R', 'E', 'Esc']],
  ] as const)('names its keys in one row, and not in its buttons: %s', async (os, names) => {
    const { stores } = await show([edit])
    const { about } = stores.connection.getState()
    act(() => stores.connection.setState({ about: { ...about, shell: { kind: 'electron', os } } as typeof about }))
    expect(dock()?.querySelectorAll('button kbd')).toHaveLength(0)
    expect([...document.querySelectorAll('.keys kbd')].map((one) => one.textContent)).toEqual(names)
  })
})

describe('first starts', () => {
  const starts = ['files', 'notes', 'calendar'].map((server) => makeLaunchRequest({ id: server, server, fingerprint: server }))

  it('are one question, with every command, and start as one', async () => {
    const { answers } = await show(starts, waitingFor('files', 'notes', 'calendar'))
    expect(document.querySelector('h2')?.textContent).toBe('Start 3 servers?')
    const words = [...document.querySelectorAll('.keys > span')].map((one) => one.lastChild?.textContent)
    expect(words).toEqual(['Start', 'Don’t start', 'Decide later'])
    expect([...document.querySelectorAll('.starts .mono')].map((one) => one.textContent)).toEqual(starts.map(() => 'npx -y notes-mcp'))
    fireEvent.click(screen.getAllByRole('checkbox')[0] as HTMLElement)
    await ready()
    fireEvent.click(first(/^Start 2 servers/))
    await act(settle)
    const group = { id: 'notes', size: 2 }
    expect(answers()).toEqual(['notes', 'calendar'].map((id) => ({ id, answer: { kind: 'allow', scope: 'always', group } })))
  })

  it('of one server is a few lines with all of its command, and word by word behind Details', async () => {
    const target = { transport: 'stdio' as const, command: 'npx', args: ['-y', 'notes mcp'], envNames: ['TOKEN'] }
    const { answers } = await show([makeLaunchRequest({ id: 'files', server: 'files', target })])
    expect([document.querySelector('h2')?.textContent, document.querySelector('.ask .body .mono')?.textContent]).toEqual([
      'Start files?',
      'npx -y "notes mcp"',
    ])
    expect([screen.getByText('Variables: TOKEN').tagName, document.querySelector('.cmdline')]).toEqual(['SPAN', null])
    await ready()
    fireEvent.click(screen.getByRole('button', { name: 'Details' }))
    fireEvent.click(first(/^Start/))
    expect([document.querySelectorAll('.cmdline > div').length, answers()]).toEqual([3, []])
    await ready()
    fireEvent.click(first(/^Start/))
    await act(settle)
    expect(answers()).toEqual([{ id: 'files', answer: { kind: 'allow', scope: 'always' } }])
  })

  it('of one server is word by word at once where its command does not fit, or something of it warns', async () => {
    const target = { transport: 'stdio' as const, command: 'npx', args: ['x'.repeat(500)], envNames: [] }
    await show([makeLaunchRequest({ id: 'files', server: 'files', target })])
    expect([document.querySelector('.cmdline')?.tagName, screen.queryByRole('button', { name: 'Details' })]).toEqual(['DIV', null])
  })

  it('can be gone without, which decides nothing and folds the dock', async () => {
    const { link, answers } = await show(starts, waitingFor('files', 'notes', 'calendar'))
    fireEvent.click(screen.getByRole('button', { name: 'Answer without them' }))
    await act(settle)
    expect([link.paramsOf('chat.answerWithout'), answers(), dock()]).toEqual([[{ conversationId: 'c1' }], [], null])
  })

  it('that another chat has asked stand here too, when the turn waits for them', async () => {
    await show([makeLaunchRequest({ id: 'x', server: 'files', conversationId: 'c2' })], waitingFor('files'))
    expect([dock()?.textContent?.includes('notes-mcp'), screen.getByRole('button', { name: 'Answer without it' }).tagName]).toEqual([
      true,
      'BUTTON',
    ])
    cleanup()
    await show([makeLaunchRequest({ id: 'x', server: 'files', conversationId: 'c2' })])
    expect(dock()).toBeNull()
  })

  it('of fifty servers are one line', async () => {
    const many = Array.from({ length: 50 }, (_, at) => makeLaunchRequest({ id: `s${at}`, server: `s${at}` }))
    await show(many, waitingFor(...many.map(({ server }) => server)))
    expect([dock(), document.querySelector('.dock-line')?.textContent]).toEqual([
      null,
      expect.stringContaining('50 servers wait for their first start'),
    ])
    fireEvent.click(first(/^Review/))
    expect(texts(/^Start 50/)).toEqual(['Start 50 servers'])
  })

  it('that run by themselves are named after a second', async () => {
    const servers = (names: string[]) => names.map((name) => ({ name, asked: false }))
    vi.setSystemTime(10_000)
    await show([], { kind: 'working', turnId: 't1', since: 9800, servers: servers(['files']) })
    expect(document.querySelector('.dock-line')).toBeNull()
    cleanup()
    await show([], { kind: 'working', turnId: 't1', since: 8000, servers: servers(['a', 'b', 'c', 'd', 'e', 'f']) })
    const line = document.querySelector<HTMLElement>('.dock-line')
    expect(line?.textContent).toContain('Waits for a, b, c and 3 more to start.')
    expect(
      within(line as HTMLElement)
        .getAllByText(/^[abc]$/)
        .map((one) => one.tagName),
    ).toEqual(['B', 'B', 'B'])
    expect(within(line as HTMLElement).getByRole('button').textContent).toBe('Answer without them')
  })
})
