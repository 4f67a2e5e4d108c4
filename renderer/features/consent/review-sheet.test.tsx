import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { composerId, requestHeadingId } from '#renderer/navigation/focus.ts'
import { makeConversation, makeToolRequest } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { settle } from '#renderer/testing/render.tsx'
import { renderAt } from '#renderer/testing/render-page.tsx'

let now = 0
beforeEach(() => {
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
})
/** The press itself looks at the clock: so much has gone by since the last change. */
const pass = (ms: number): void => {
  now += ms
}

const request = (id: string, change: Partial<ToolCallRequest> = {}) => makeToolRequest({ id, callId: undefined, ...change })

async function open(requests: readonly ToolCallRequest[], hash = '#/chat/c1/review/r1') {
  const conversation = makeConversation({ activity: { kind: 'waiting', turnId: 't1', requests: requests.length } })
  const link = createFakeConnection({
    snapshot: { conversations: [conversation, makeConversation({ id: 'c2', title: 'Other' })], consentRequests: [...requests] },
    answers: {
      'conversation.get': () => ({ revision: 10, conversation, messages: [] }),
      'consent.answer': () => ({ accepted: true }),
    },
  })
  renderAt(link, hash)
  await act(settle)
  const answers = () => link.paramsOf('consent.answer')
  const closed = async (id: string): Promise<void> => {
    act(() => link.tell('consent.closed', { id, outcome: 'allowed' }))
    await act(settle)
  }
  return { link, answers, closed }
}

const sheet = (): HTMLElement | null => document.querySelector('.sheet')
const inSheet = () => within(sheet() ?? document.createElement('div'))
const shownId = (): string | undefined => sheet()?.dataset['request']
const focused = (): string | undefined => document.activeElement?.id
const key = (name: string, more: object = {}): void => {
  fireEvent.keyDown(document.activeElement ?? document.body, { key: name, ...more })
}
const mod = { metaKey: true }

describe('the sheet of a request', () => {
  it('opens by the key of its card, with focus on its heading; the dock becomes a line', async () => {
    await open([request('r1')], '#/chat/c1')
    const heading = document.getElementById(requestHeadingId('r1'))
    act(() => heading?.focus())
    key('r')
    await waitFor(() => expect(shownId()).toBe('r1'))
    expect([
      window.location.hash,
      focused(),
      document.querySelectorAll('.ask').length,
      document.querySelectorAll('.dock-line').length,
    ]).toEqual(['#/chat/c1/review/r1', requestHeadingId('r1'), 0, 1])
    expect(document.querySelector('.app.rail')).not.toBeNull()
  })

  it('is there again after a reload', async () => {
    await open([request('r1')])
    expect([shownId(), focused()]).toEqual(['r1', requestHeadingId('r1')])
  })

  it.each([
    ['a request that is gone', '#/chat/c1/review/gone'],
    ['a request of another chat', '#/chat/c2/review/r1'],
  ])('is not there for %s, and the address says so', async (_name, hash) => {
    await open([request('r1')], hash)
    expect([sheet(), window.location.hash.includes('review')]).toEqual([null, false])
  })

  it('closes on Escape, decides nothing and gives focus back to the card', async () => {
    const { answers } = await open([request('r1')])
    key('Escape')
    await waitFor(() => expect(document.querySelector('.ask')?.contains(document.activeElement)).toBe(true))
    expect([sheet(), focused(), answers(), window.location.hash]).toEqual([null, requestHeadingId('r1'), [], '#/chat/c1'])
  })

  it('closes when the request is withdrawn', async () => {
    const { closed } = await open([request('r1'), request('r2')])
    await closed('r1')
    await waitFor(() => expect(focused()).toBe(composerId))
    expect([sheet(), window.location.hash]).toEqual([null, '#/chat/c1'])
  })

  it('shows the next request of the chat once the one before was answered, and no answer counts at once', async () => {
    const { answers, closed } = await open([request('r1'), request('other', { conversationId: 'c2' }), request('r2')])
    pass(600)
    key('Enter', mod)
    await closed('r1')
    expect([shownId(), focused(), window.location.hash]).toEqual(['r2', requestHeadingId('r2'), '#/chat/c1/review/r2'])
    key('Enter', mod)
    fireEvent.click(inSheet().getByRole('button', { name: /^Allow/ }))
    expect(answers()).toHaveLength(1)
    pass(600)
    key('Enter', mod)
    expect(answers().map((one) => one.id)).toEqual(['r1', 'r2'])
  })

  it('closes after the last answer, with focus in the composer', async () => {
    const { closed } = await open([request('r1')])
    key('Backspace', mod)
    await closed('r1')
    await waitFor(() => expect(focused()).toBe(composerId))
    expect(sheet()).toBeNull()
  })

  it('keeps the request when the host did not take the answer', async () => {
    const { link, closed } = await open([request('r1'), request('r2')])
    link.answer({ 'consent.answer': () => ({ accepted: false }) })
    key('Backspace', mod)
    await act(settle)
    key('Backspace', mod)
    await act(settle)
    expect([shownId(), link.paramsOf('consent.answer').length]).toEqual(['r1', 2])
    await closed('r1')
    expect(sheet()).toBeNull()
  })

  it('goes to its neighbours around the end', async () => {
    await open([request('r1'), request('r2'), request('r3')])
    fireEvent.click(inSheet().getByRole('button', { name: 'Previous request' }))
    expect(shownId()).toBe('r3')
    fireEvent.click(inSheet().getByRole('button', { name: 'Next request' }))
    expect(shownId()).toBe('r1')
  })

  it('starts anew with each request that it shows, alike as they may be', async () => {
    const { answers } = await open([request('r1'), request('r2')])
    fireEvent.click(inSheet().getByRole('radio', { name: /^Always move_file any arguments, until the tool changes$/ }))
    pass(600)
    fireEvent.click(inSheet().getByRole('button', { name: 'Next request' }))
    key('Enter', mod)
    expect([shownId(), answers(), (inSheet().getByRole('radio', { name: 'Once' }) as HTMLInputElement).checked]).toEqual(['r2', [], true])
  })

  it.each([
    ['allow in this conversation', { key: 'Enter', metaKey: true, shiftKey: true }, { kind: 'allow', scope: 'conversation' }],
    ['deny', { key: 'Backspace', metaKey: true }, { kind: 'deny' }],
  ])('has the keys of a card: %s', async (_name, event, answer) => {
    const { answers } = await open([request('r1')])
    pass(600)
    key(event.key, event)
    expect(answers()).toEqual([{ id: 'r1', answer }])
  })

  it('sends the scope that was chosen', async () => {
    const { answers } = await open([request('r1')])
    fireEvent.click(inSheet().getByRole('radio', { name: /^Always move_file any arguments, until the tool changes$/ }))
    pass(600)
    fireEvent.click(inSheet().getByRole('button', { name: /^Always allow/ }))
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'always' } }])
  })

  it('denies with a word', async () => {
    const { answers } = await open([request('r1')])
    fireEvent.click(inSheet().getByRole('button', { name: /^Deny with a reason/ }))
    fireEvent.change(inSheet().getByRole('textbox'), { target: { value: 'wrong year' } })
    fireEvent.click(inSheet().getByRole('button', { name: 'Deny' }))
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'deny', word: 'wrong year' } }])
  })

  it('keeps what was typed through Escape, on the card and back; only what was taken over is sent', async () => {
    const { answers } = await open([request('r1', { arguments: { a: 1 } })])
    key('e')
    fireEvent.change(inSheet().getByRole('textbox'), { target: { value: '{"a": 2}' } })
    pass(600)
    fireEvent.click(inSheet().getByRole('button', { name: /^Allow/ }))
    expect(answers()).toEqual([])
    act(() => inSheet().getByRole('textbox').focus())
    key('Escape')
    expect([shownId(), focused()]).toEqual(['r1', requestHeadingId('r1')])
    key('Escape')
    await waitFor(() => expect(sheet()).toBeNull())
    expect((screen.getByLabelText('Arguments as JSON') as HTMLTextAreaElement).value).toBe('{"a": 2}')
    fireEvent.click(screen.getByRole('button', { name: 'Open full size' }))
    await waitFor(() => expect(shownId()).toBe('r1'))
    fireEvent.click(inSheet().getByRole('button', { name: 'Apply' }))
    pass(600)
    fireEvent.click(inSheet().getByRole('button', { name: /^Allow/ }))
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once', arguments: { a: 2 } } }])
  })

  it.each([
    ['a hidden character', { arguments: { path: 'a\u200bb' } }],
    ['a changed tool', { why: { kind: 'tool-changed' } }],
  ] as const)('has no filled button with %s', async (_name, change) => {
    await open([request('r1', change)])
    pass(600)
    expect(sheet()?.querySelectorAll('.btn.primary').length).toBe(0)
  })

  it('shows arguments whole: a change line by line, long text with hidden characters named, values beside names', async () => {
    const long = `${'x'.repeat(3000)}\n\u200bend`
    await open([
      request('r1', {
        arguments: { path: '~/a/vendors.csv', edits: [{ oldText: 'a,,1\nb', newText: 'a,9,1\nb' }], body: long, dryRun: false },
        description: `Edits. ${'y'.repeat(2000)}`,
      }),
    ])
    const lines = [...(sheet()?.querySelectorAll('.diff > div') ?? [])].map((line) => line.className)
    const text = sheet()?.textContent ?? ''
    expect(lines).toEqual(['del', 'add', 'gap'])
    expect([text.includes('x'.repeat(3000)), text.includes('zero-width space'), text.includes('y'.repeat(2000))]).toEqual([
      true,
      true,
      true,
    ])
    expect([sheet()?.querySelector('.path b')?.textContent, sheet()?.querySelector('.args')?.textContent]).toEqual([
      'vendors.csv',
      'dryRunfalse',
    ])
  })
})
