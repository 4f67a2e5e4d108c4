import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Conversation } from '#app/chat/conversation.ts'
import type { AssistantMessage, Message } from '#app/chat/message.ts'
import { HostError } from '#app/errors.ts'
import { makeAnswer, makeCall, makeConversation, makeToolRequest, makeUserMessage } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { groupParts } from '../features/chat/message-list.tsx'
import { asTable } from '../features/chat/results/read-table.ts'
import { ChatPage } from './chat-page.tsx'
import { loadAllPages } from './pages.ts'

beforeAll(loadAllPages)

beforeEach(() => {
  window.location.hash = '#/chat'
})
afterEach(cleanup)

async function openChat(
  messages: readonly Message[],
  activity: Conversation['activity'] = { kind: 'idle' },
  requests: Parameters<typeof makeToolRequest>[0][] = [],
) {
  const conversation = makeConversation({ activity })
  const link = createFakeConnection({
    snapshot: { conversations: [conversation], consentRequests: requests.map(makeToolRequest) },
    answers: {
      'conversation.get': () => ({ revision: 10, conversation, messages: [...messages] }),
      'chat.send': () => ({ conversationId: 'c1' }),
    },
  })
  const view = await renderWith(<ChatPage id="c1" />, link)
  await act(settle)
  return { ...view, composer: screen.getByLabelText('Message') as HTMLTextAreaElement }
}

describe('what the person says', () => {
  it('is brought into view wherever they were reading; an answer leaves them there', async () => {
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(4000)
    const { link, container } = await openChat([makeUserMessage({ createdAt: 1 }), makeAnswer({ createdAt: 2 })])
    const box = container.querySelector('.scroll') as HTMLElement
    const tell = async (message: Message): Promise<number> => {
      box.scrollTop = 100
      link.tell('message.changed', { message })
      await act(settle)
      return box.scrollTop
    }
    expect(await tell(makeAnswer({ id: 'm8', createdAt: 3 }))).toBe(100)
    expect(await tell(makeUserMessage({ id: 'm9', createdAt: 0 }))).toBe(4000)
    vi.restoreAllMocks()
  })
})

describe('a chat that was taken in', () => {
  it('says from which program, and when', async () => {
    const conversation = makeConversation({ importedFrom: { source: 'chatgpt', id: 'x', at: new Date(2026, 10, 22).getTime() } })
    const link = createFakeConnection({
      snapshot: { conversations: [conversation] },
      answers: { 'conversation.get': () => ({ revision: 1, conversation, messages: [makeUserMessage()] }) },
    })
    await renderWith(<ChatPage id="c1" />, link)
    expect(await screen.findByText('Imported from ChatGPT on 22 November 2026.')).toBeTruthy()
  })
})

describe('the composer', () => {
  const type = (composer: HTMLElement, value: string): void => {
    fireEvent.change(composer, { target: { value } })
  }

  it('sends on Enter and empties itself once the host has the message', async () => {
    const { composer, link } = await openChat([])
    type(composer, 'Hello')
    fireEvent.keyDown(composer, { key: 'Enter' })
    await act(settle)
    expect([link.paramsOf('chat.send'), composer.value]).toEqual([[{ conversationId: 'c1', text: 'Hello' }], ''])
  })

  it.each([
    ['Shift+Enter', { key: 'Enter', shiftKey: true }],
    ['Enter of an input method', { key: 'Enter', isComposing: true }],
    ['Enter that ends an input method', { key: 'Enter', keyCode: 229 }],
    ['the chord that allows a request', { key: 'Enter', metaKey: true }],
    ['a held key', { key: 'Enter', repeat: true }],
  ])('does not send on %s', async (_name, key) => {
    const { composer, link } = await openChat([])
    type(composer, 'Hello')
    fireEvent.keyDown(composer, key)
    await act(settle)
    expect(link.paramsOf('chat.send')).toEqual([])
  })

  it('keeps the words when sending fails', async () => {
    const { composer, link } = await openChat([])
    link.answer({
      'chat.send': () => {
        throw new HostError('disk.full', 'The disk is full.')
      },
    })
    type(composer, 'Hello')
    fireEvent.keyDown(composer, { key: 'Enter' })
    await act(settle)
    expect(composer.value).toBe('Hello')
  })

  it('sends while the model is at work, and can still stop it', async () => {
    const { composer, link } = await openChat([], { kind: 'working', turnId: 't', since: 0 })
    expect(screen.queryByRole('button', { name: /^Send/ })).toBeNull()
    type(composer, 'And then')
    expect(screen.getByRole('button', { name: 'Stop the answer' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: /^Send/ }))
    await act(settle)
    expect([link.paramsOf('chat.send').length, composer.value]).toEqual([1, ''])
  })

  it('has a message again that was taken back before the model read it', async () => {
    const notes = { id: 'x1', name: 'notes.txt', kind: 'text' as const, blob: { sha256: 'a'.repeat(64), bytes: 3, mimeType: 'text/plain' } }
    const message = makeUserMessage({ text: 'And then', id: 'm9', steered: 'waiting', attachments: [notes] })
    const { composer, link } = await openChat([message], { kind: 'working', turnId: 't', since: 0 })
    link.answer({ 'chat.withdraw': () => ({ text: 'And then' }) })
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
    await act(settle)
    expect([link.paramsOf('chat.withdraw'), composer.value]).toEqual([[{ conversationId: 'c1', messageId: 'm9' }], 'And then'])
    expect(link.paramsOf('draft.attach')).toEqual([{ conversationId: 'c1', extras: { attachments: [notes] } }])
  })

  it('keeps whose words a message holds that was taken back', async () => {
    const prompt = { server: 'demo', name: 'chase', arguments: {}, messages: [] }
    const sources = [{ from: { kind: 'server' as const, server: 'views' }, private: true as const }, { from: { kind: 'web' as const } }]
    const message = makeUserMessage({ text: 'And then', id: 'm9', steered: 'waiting', prompt, sources })
    const { link } = await openChat([message], { kind: 'working', turnId: 't', since: 0 })
    link.answer({ 'chat.withdraw': () => ({ text: 'And then' }) })
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
    await act(settle)
    expect(link.paramsOf('draft.attach')).toEqual([{ conversationId: 'c1', extras: { attachments: [], servers: ['demo', 'views'] } }])
  })

  it('waits while the host is away, and sends when it is back', async () => {
    const { composer, link } = await openChat([])
    act(() => link.setStatus('closed'))
    type(composer, 'Later')
    fireEvent.keyDown(composer, { key: 'Enter' })
    await act(settle)
    expect(link.paramsOf('chat.send')).toEqual([])
    act(() => link.setStatus('open'))
    await act(settle)
    expect([link.paramsOf('chat.send').length, composer.value]).toEqual([1, ''])
  })

  it('does not send by itself after a turn that failed', async () => {
    const failed = { kind: 'failed', turnId: 't', error: { code: 'model.offline', message: 'No network.' } } as const
    const { composer, link } = await openChat([], failed)
    act(() => link.setStatus('closed'))
    type(composer, 'And then')
    fireEvent.keyDown(composer, { key: 'Enter' })
    act(() => link.setStatus('open'))
    await act(settle)
    expect([link.paramsOf('chat.send'), composer.value]).toEqual([[], 'And then'])
  })

  it('stops the answer', async () => {
    const { link } = await openChat([], { kind: 'working', turnId: 't', since: 0 })
    fireEvent.click(screen.getByRole('button', { name: 'Stop the answer' }))
    expect(link.paramsOf('chat.stop')).toEqual([{ conversationId: 'c1' }])
  })
})

describe('an answer', () => {
  it('says under its text where it has it from, each source once', async () => {
    const citation = { start: 0, end: 4, title: 'Lease.pdf', quote: 'Rent is 900.', pages: [3, 3] as [number, number], source: {} }
    await openChat([
      makeAnswer({ parts: [{ kind: 'text', text: 'The rent is 900.', citations: [citation, { ...citation, start: 5, end: 8 }] }] }),
    ])
    expect([...document.querySelectorAll('details li')].map((one) => one.textContent)).toEqual([
      expect.stringMatching(/Lease\.pdf.*3.*Rent is 900\./),
    ])
  })
})

describe('the bar', () => {
  const model = { id: 'p/m', provider: 'anthropic', name: 'M', contextTokens: 1000, ai: true } as const

  it.each([
    ['a model has read', { model: 'p/m', contextTokens: 500 }, 1],
    ['nothing was read yet', { model: 'p/m', contextTokens: 0 }, 0],
    ['it is not known', { model: 'p/m' }, 0],
    ['the practice model has no limit', { contextTokens: 500 }, 0],
  ])('tells how much of the context is used: %s', async (_name, change, shown) => {
    const conversation = makeConversation(change)
    const link = createFakeConnection({
      snapshot: { conversations: [conversation], models: [model, { id: 'practice/practice', provider: 'practice', name: 'P', ai: false }] },
      answers: { 'conversation.get': () => ({ revision: 10, conversation, messages: [] }) },
    })
    await renderWith(<ChatPage id="c1" />, link)
    expect(screen.queryAllByTitle('Context')).toHaveLength(shown)
  })
})

const answer = (change: Partial<AssistantMessage>): Message => makeAnswer(change)

describe('the transcript', () => {
  it('shows the question of a waiting call in the dock, and its row throughout', async () => {
    const call = makeCall({ state: { kind: 'waiting', requestId: 'r1' } })
    const { container, link } = await openChat(
      [makeUserMessage(), answer({ parts: [{ kind: 'tool-call', call }] })],
      { kind: 'waiting', turnId: 't1', requests: 1 },
      [{}],
    )
    const shown = () => ['.dock .ask', '.scroll .ask', '.call'].map((one) => container.querySelectorAll(one).length)
    expect(shown()).toEqual([1, 0, 1])
    act(() => link.tell('consent.closed', { id: 'r1', outcome: 'denied' }))
    expect(shown()).toEqual([0, 0, 1])
  })

  it('opens a call to its arguments and its result', async () => {
    const state = {
      kind: 'done',
      decision: { allowed: true, by: 'person', scope: 'once' },
      startedAt: 0,
      durationMs: 5,
      result: {
        content: [{ type: 'text', text: '<b>moved</b>' }],
        structuredContent: [{ file: 'a', bytes: 1 }],
        isError: false,
        bytes: 12,
      },
    } as const
    const { container } = await openChat([
      answer({
        parts: [
          { kind: 'tool-call', call: makeCall({ state: { ...state, result: { ...state.result, content: [...state.result.content] } } }) },
        ],
      }),
    ])
    fireEvent.click(screen.getByRole('button', { name: /move_file/ }))
    const more = container.querySelector('.call-more')
    expect([
      more?.textContent?.includes('<b>moved</b>'),
      more?.querySelectorAll('table').length,
      more?.querySelector('.path b')?.textContent,
    ]).toEqual([true, 1, 'a.pdf'])
  })

  it('stops one running call', async () => {
    const call = makeCall({ state: { kind: 'running', decision: { allowed: true, by: 'person', scope: 'once' }, startedAt: Date.now() } })
    const { link } = await openChat([answer({ state: 'streaming', parts: [{ kind: 'tool-call', call }] })])
    fireEvent.click(screen.getByRole('button', { name: 'Stop “move_file”' }))
    expect(link.paramsOf('chat.cancelCall')).toEqual([{ conversationId: 'c1', callId: 'call1' }])
  })

  it('asks of a call that gives no word whether to wait or to cancel', async () => {
    const decision = { allowed: true, by: 'person', scope: 'once' } as const
    const startedAt = Date.now()
    const call = makeCall({ state: { kind: 'running', decision, startedAt, overdue: { since: startedAt, endsAt: startedAt + 60_000 } } })
    const { link } = await openChat([answer({ state: 'streaming', parts: [{ kind: 'tool-call', call }] })])
    const group = within(screen.getByRole('group', { name: 'Still running: move_file' }))
    fireEvent.click(group.getByRole('button', { name: 'Wait longer' }))
    expect([link.paramsOf('chat.waitForCall'), link.paramsOf('chat.cancelCall')]).toEqual([[{ conversationId: 'c1', callId: 'call1' }], []])
    fireEvent.click(group.getByRole('button', { name: 'Cancel' }))
    expect(link.paramsOf('chat.cancelCall')).toEqual([{ conversationId: 'c1', callId: 'call1' }])
    const { messageId, conversationId } = { messageId: 'm2', conversationId: 'c1' }
    act(() =>
      link.tell('toolCall.changed', { conversationId, messageId, callId: 'call1', state: { kind: 'running', decision, startedAt } }),
    )
    expect(screen.queryByRole('group', { name: 'Still running: move_file' })).toBeNull()
  })

  it('shows a result that came late on the row of its call', async () => {
    const result = { content: [{ type: 'text' as const, text: 'moved after all' }], isError: false, bytes: 15 }
    const call = makeCall({ state: { kind: 'failed', error: { code: 'tool.timeout', message: 'Slow.' }, late: { at: 1, result } } })
    const { container } = await openChat([answer({ parts: [{ kind: 'tool-call', call }] })])
    fireEvent.click(screen.getByRole('button', { name: /move_file.*came late/ }))
    const more = container.querySelector('.call-more')
    expect([more?.textContent?.includes('moved after all'), more?.textContent?.includes('Result')]).toEqual([true, true])
  })

  it.each([
    ['paused', { kind: 'paused', turnId: 't1', reason: 'step-limit' }],
    ['interrupted', { kind: 'interrupted', turnId: 't1' }],
  ] as const)('goes on with a turn that was %s', async (_name, activity) => {
    const { link } = await openChat([makeUserMessage()], activity)
    fireEvent.click(screen.getByRole('button', { name: 'Go on' }))
    expect(link.paramsOf('chat.resume')).toEqual([{ conversationId: 'c1' }])
  })

  it('leads from a missing key to the settings, and back from there can be tried again', async () => {
    const { link } = await openChat([answer({ state: 'failed', error: { code: 'model.key-missing', message: 'Anthropic needs a key.' } })])
    expect(screen.getByRole('link', { name: 'Open settings' }).getAttribute('href')).toBe('#/settings/models')
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(link.paramsOf('chat.resume')).toEqual([{ conversationId: 'c1' }])
  })

  it('says of the first answer of the practice model that it is no AI, and of no other', async () => {
    const { container } = await openChat([
      answer({ parts: [{ kind: 'text', text: 'a' }] }),
      answer({ id: 'm3', parts: [{ kind: 'text', text: 'b' }] }),
    ])
    expect(container.querySelectorAll('.answer .badge').length).toBe(1)
  })
})

it('groups calls that follow each other and leaves out empty text', () => {
  const call = (id: string) => ({ kind: 'tool-call', call: makeCall({ id }) }) as const
  const groups = groupParts([{ kind: 'text', text: ' ' }, call('a'), call('b'), { kind: 'text', text: 'x' }, call('c')])
  expect(groups.map((group) => (group.kind === 'calls' ? group.calls.map((one) => one.id).join('') : group.kind))).toEqual([
    'ab',
    'text',
    'c',
  ])
})

it.each([
  [
    'flat objects',
    [{ a: 1, b: 'x' }, { a: 2 }],
    {
      columns: [
        { name: 'a', numeric: true },
        { name: 'b', numeric: false },
      ],
      rows: [
        ['1', 'x'],
        ['2', ''],
      ],
    },
  ],
  ['nested ones', [{ a: { b: 1 } }], undefined],
  ['anything else', { a: 1 }, undefined],
])('makes a table of %s', (_name, value, expected) => {
  expect(asTable(value)).toEqual(expected)
})
