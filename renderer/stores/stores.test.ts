import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Message } from '#app/chat/message.ts'
import { HostError } from '#app/errors.ts'
import { makeAnswer, makeCall, makeConversation, makeServer, makeToolRequest, makeUserMessage } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { settle } from '#renderer/testing/render.tsx'
import { createStores, type Stores } from './stores.ts'

let connection: FakeConnection
let stores: Stores

function start(options: Parameters<typeof createFakeConnection>[0] = {}): void {
  connection = createFakeConnection(options)
  stores = createStores(connection)
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  stores.dispose()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

const titles = (): string[] => stores.conversations.getState().list.map((one) => one.title)

describe('read models', () => {
  it('show the snapshot, then later events', async () => {
    start({ snapshot: { conversations: [makeConversation()], revision: 10 } })
    await settle()
    connection.tell('conversation.changed', { conversation: makeConversation({ title: 'Renamed' }) })
    connection.tell('conversation.changed', { conversation: makeConversation({ id: 'c2', title: 'New', updatedAt: 5000 }) })
    expect(titles()).toEqual(['New', 'Renamed'])
  })

  it('drop events at or behind the revision that they have', async () => {
    start({ snapshot: { conversations: [makeConversation()], revision: 10 } })
    await settle()
    connection.tell('conversation.changed', { conversation: makeConversation({ title: 'Old news' }) }, 10)
    connection.tell('conversation.changed', { conversation: makeConversation({ title: 'Older news' }) }, 3)
    expect(titles()).toEqual(['Tidy September invoices'])
  })

  it('have the last words of the page before a reload, which come while that page still holds its draft', async () => {
    const released = Promise.withResolvers<undefined>()
    const request = async (name: string, _how: LockOptions, held: (lock: Lock | null) => unknown): Promise<unknown> => {
      await released.promise
      return held({ name, mode: 'exclusive' })
    }
    Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } })
    start({ snapshot: { revision: 10 } })
    await settle()
    connection.tell('draft.changed', { text: 'half a thought' })
    released.resolve(undefined)
    await settle()
    Reflect.deleteProperty(navigator, 'locks')
    sessionStorage.clear()
    expect(stores.drafts.read('')).toBe('half a thought')
  })

  it('keep events that come before the snapshot and apply the newer ones after it', async () => {
    start({ snapshot: { servers: [makeServer()], revision: 10 } })
    connection.tell('server.removed', { name: 'files' }, 9)
    connection.tell('server.changed', { server: makeServer({ name: 'github' }) }, 11)
    await settle()
    expect(stores.servers.getState().list.map((server) => server.name)).toEqual(['files', 'github'])
  })

  it('are told together of steps of servers that come thick, before whatever else comes, and at once of another definition', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `s${n}`)
    start({ snapshot: { servers: names.map((name) => makeServer({ name })), revision: 10 } })
    await settle()
    const shown: string[] = []
    const off = stores.servers.subscribe(
      ({ list }) => void shown.push(list.flatMap(({ name, state }) => (state.kind === 'disabled' ? [name] : [])).join()),
    )
    const step = (name: string): void => connection.tell('server.changed', { server: makeServer({ name, state: { kind: 'disabled' } }) })
    for (const name of names) step(name)
    expect([shown.length, shown.at(-1)]).toEqual([10, names.slice(0, 10).join()])
    connection.tell('consent.opened', { request: makeToolRequest() })
    expect([shown.length, shown.at(-1)]).toEqual([11, names.join()])
    step('s1')
    connection.tell('server.changed', { server: makeServer({ name: 'new' }) })
    expect([shown.length, stores.servers.getState().list.at(-1)?.name]).toEqual([12, 'new'])
    step('s2')
    expect(shown.length).toBe(12)
    vi.advanceTimersByTime(125)
    expect(shown.length).toBe(13)
    off()
  })

  it('take a new snapshot at each connection, of another epoch too', async () => {
    start({ snapshot: { revision: 500 } })
    await settle()
    connection.setStatus('closed')
    connection.answer({
      'app.snapshot': () => ({ ...createSnapshot(), epoch: 'e2', revision: 1, conversations: [makeConversation({ title: 'After' })] }),
    })
    connection.setStatus('open')
    await settle()
    connection.tell('conversation.changed', { conversation: makeConversation({ title: 'Later' }) }, 2)
    expect([titles(), stores.connection.getState().about?.epoch]).toEqual([['Later'], 'e2'])
  })

  it('say why the host could not start', async () => {
    start({
      answers: {
        'app.snapshot': () => {
          throw new HostError('profile.newer', 'The profile is of a newer version.')
        },
      },
    })
    await settle()
    expect(stores.connection.getState().startError?.code).toBe('profile.newer')
  })

  it('add and remove requests', async () => {
    start({ snapshot: { consentRequests: [makeToolRequest()] } })
    await settle()
    connection.tell('consent.opened', { request: makeToolRequest({ id: 'r2' }) })
    connection.tell('consent.closed', { id: 'r1', outcome: 'allowed' })
    expect(stores.consent.getState().requests.map((request) => request.id)).toEqual(['r2'])
  })

  it('leave no listener behind', async () => {
    start()
    await settle()
    stores.dispose()
    expect(connection.listeners).toBe(0)
  })
})

const createSnapshot = () => ({
  epoch: 'e1',
  version: '0',
  dataDir: '',
  shell: { kind: 'web', os: 'linux', canChooseFolder: false, secrets: 'memory' } as const,
  servers: [],
  sections: {},
  chatFolders: [],
  personal: { prompts: [], assistants: [], facts: [] },
  consentRequests: [],
  overdueCalls: [],
  rules: [],
  models: [],
  providers: [],
  pulls: [],
  settings: stores.settings.getState().settings,
  notices: [],
  drafts: {},
})

const answerText = (): string | undefined => {
  const transcript = stores.transcripts.store.getState().byConversation['c1']
  const message = transcript?.kind === 'ready' ? transcript.messages['m2'] : undefined
  const part = message?.role === 'assistant' ? message.parts[0] : undefined
  return part?.kind === 'text' ? part.text : undefined
}

const streaming = (text: string): Message => makeAnswer({ state: 'streaming', parts: [{ kind: 'text', text }] })
const delta = (offset: number, text: string) => ({ conversationId: 'c1', messageId: 'm2', part: 0, offset, text })

describe('transcripts', () => {
  const held = (messages: readonly Message[], revision = 20) => ({
    'conversation.get': () => ({ revision, conversation: makeConversation(), messages: [...messages] }),
  })

  it('open a long chat by its end, and fetch its beginning once, when it is wanted', async () => {
    const all = Array.from({ length: 250 }, (_, index) => makeUserMessage({ id: `u${index}` }))
    const get = ({ last = all.length }: { last?: number | undefined }) => ({
      revision: 20,
      conversation: makeConversation(),
      messages: all.slice(-last),
      earlier: Math.max(0, all.length - last),
    })
    start({ answers: { 'conversation.get': get } })
    await settle()
    const close = stores.transcripts.open('c1')
    const shown = () => {
      const transcript = stores.transcripts.store.getState().byConversation['c1']
      return transcript?.kind === 'ready' ? [transcript.ids[0], transcript.ids.length, transcript.earlier] : []
    }
    await settle()
    expect(shown()).toEqual(['u150', 100, 150])
    stores.transcripts.wantWhole('c1')
    stores.transcripts.wantWhole('c1')
    await settle()
    stores.transcripts.wantWhole('c1')
    await settle()
    expect([shown(), connection.paramsOf('conversation.get')]).toEqual([
      ['u0', 250, 0],
      [{ id: 'c1', last: 100 }, { id: 'c1' }],
    ])
    close()
  })

  it('gather streamed text and show it every 50 ms', async () => {
    start({ answers: held([makeUserMessage(), streaming('Hel')]) })
    await settle()
    stores.transcripts.open('c1')
    await settle()
    connection.tell('message.delta', delta(3, 'lo'), 21)
    connection.tell('message.delta', delta(5, ' there'), 22)
    expect(answerText()).toBe('Hel')
    vi.advanceTimersByTime(50)
    expect(answerText()).toBe('Hello there')
  })

  it('keep the identity of messages that did not change', async () => {
    start({ answers: held([makeUserMessage(), streaming('a')]) })
    await settle()
    stores.transcripts.open('c1')
    await settle()
    const first = stores.transcripts.store.getState().byConversation['c1']
    connection.tell('message.delta', delta(1, 'b'), 21)
    vi.advanceTimersByTime(50)
    const second = stores.transcripts.store.getState().byConversation['c1']
    if (first?.kind !== 'ready' || second?.kind !== 'ready') throw new Error('not there')
    expect([second.messages['m1'] === first.messages['m1'], second.ids === first.ids]).toEqual([true, true])
  })

  it('fetch again when text does not begin where theirs ends', async () => {
    start({ answers: held([streaming('Hel')]) })
    await settle()
    stores.transcripts.open('c1')
    await settle()
    connection.answer(held([streaming('Hello, world')], 25))
    connection.tell('message.delta', delta(7, 'world'), 25)
    await settle()
    expect([answerText(), connection.paramsOf('conversation.get').length]).toEqual(['Hello, world', 2])
  })

  it('drop what their fetch already held', async () => {
    start({ answers: held([streaming('Hello')], 25) })
    await settle()
    stores.transcripts.open('c1')
    connection.tell('message.delta', delta(3, 'lo'), 24)
    connection.tell('message.delta', delta(5, '!'), 26)
    await settle()
    vi.advanceTimersByTime(50)
    expect(answerText()).toBe('Hello!')
  })

  it('show gathered text before any other change of the conversation', async () => {
    start({ answers: held([streaming('a')]) })
    await settle()
    stores.transcripts.open('c1')
    await settle()
    connection.tell('message.delta', delta(1, 'b'), 21)
    connection.tell('message.changed', { message: makeUserMessage({ id: 'm3' }) }, 22)
    expect(answerText()).toBe('ab')
  })

  const shownIds = (): readonly string[] | undefined => {
    const transcript = stores.transcripts.store.getState().byConversation['c1']
    return transcript?.kind === 'ready' ? transcript.ids : undefined
  }

  it('fetch the path anew when it is another, and take the answer to the latest fetch alone', async () => {
    start({ answers: held([makeUserMessage()]) })
    await settle()
    stores.transcripts.open('c1')
    await settle()
    const late = Promise.withResolvers<void>()
    const old = { revision: 21, conversation: makeConversation(), messages: [makeUserMessage({ id: 'old' })] }
    connection.answer({ 'conversation.get': () => late.promise.then(() => old) })
    connection.tell('conversation.pathChanged', { conversationId: 'c1' }, 21)
    // The second window's change comes while the first is being fetched.
    connection.answer(held([makeUserMessage({ id: 'new' })], 23))
    stores.transcripts.resync()
    await settle()
    late.resolve()
    await settle()
    expect(shownIds()).toEqual(['new'])
  })

  it('fetch once more when the path changes while it is being fetched', async () => {
    start({ answers: held([makeUserMessage()]) })
    await settle()
    stores.transcripts.open('c1')
    await settle()
    connection.tell('conversation.pathChanged', { conversationId: 'c1' }, 21)
    connection.tell('conversation.pathChanged', { conversationId: 'c1' }, 22)
    connection.answer(held([makeUserMessage({ id: 'new' })], 22))
    await settle()
    expect([shownIds(), connection.paramsOf('conversation.get').length]).toEqual([['new'], 3])
  })

  it('count a new message among the versions of what stood in its place', async () => {
    const branches = { m1: ['a1'] }
    start({
      answers: { 'conversation.get': () => ({ revision: 20, conversation: makeConversation(), messages: [makeUserMessage()], branches }) },
    })
    await settle()
    stores.transcripts.open('c1')
    await settle()
    connection.tell('message.changed', { message: makeAnswer({ id: 'a2' }) }, 21)
    connection.tell('message.changed', { message: makeAnswer({ id: 'a2', parts: [{ kind: 'text', text: 'x' }] }) }, 22)
    const transcript = stores.transcripts.store.getState().byConversation['c1']
    expect([shownIds(), transcript?.kind === 'ready' && transcript.branches]).toEqual([['m1', 'a2'], { m1: ['a1', 'a2'] }])
  })

  it('change the state and the arguments of one call', async () => {
    start({ answers: held([makeAnswer({ parts: [{ kind: 'tool-call', call: makeCall() }] })]) })
    await settle()
    stores.transcripts.open('c1')
    await settle()
    connection.tell(
      'toolCall.changed',
      { conversationId: 'c1', messageId: 'm2', callId: 'call1', state: { kind: 'waiting', requestId: 'r1' }, arguments: { a: 1 } },
      21,
    )
    const transcript = stores.transcripts.store.getState().byConversation['c1']
    const message = transcript?.kind === 'ready' ? transcript.messages['m2'] : undefined
    expect(message?.role === 'assistant' && message.parts[0]).toEqual({
      kind: 'tool-call',
      call: makeCall({ state: { kind: 'waiting', requestId: 'r1' }, arguments: { a: 1 } }),
    })
  })

  it('fetch what is open again after a reconnection, and keep showing it meanwhile', async () => {
    start({ answers: held([streaming('before')]) })
    await settle()
    stores.transcripts.open('c1')
    await settle()
    connection.setStatus('closed')
    expect(answerText()).toBe('before')
    connection.answer(held([streaming('after')], 30))
    connection.setStatus('open')
    await settle()
    expect(answerText()).toBe('after')
  })

  it('say why a conversation cannot be read, and read it when asked again', async () => {
    start({
      answers: {
        'conversation.get': () => {
          throw new HostError('chat.unknown-conversation', 'There is no such chat.')
        },
      },
    })
    await settle()
    stores.transcripts.open('c1')
    await settle()
    expect(stores.transcripts.store.getState().byConversation['c1']?.kind).toBe('failed')
    connection.answer(held([streaming('x')]))
    stores.transcripts.retry('c1')
    await settle()
    expect(answerText()).toBe('x')
  })

  it('forget a conversation that was removed', async () => {
    start({ answers: held([streaming('x')]) })
    await settle()
    stores.transcripts.open('c1')
    await settle()
    connection.tell('conversation.removed', { id: 'c1' })
    expect(stores.transcripts.store.getState().byConversation).toEqual({})
  })
})

describe('actions', () => {
  it('say in a passing message why they failed', async () => {
    start({
      answers: {
        'chat.stop': () => {
          throw new HostError('chat.unknown-conversation', 'There is no such chat.')
        },
      },
    })
    await settle()
    stores.actions.stop('c1')
    await settle()
    expect(stores.view.getState().toasts.map((toast) => toast.tone)).toEqual(['bad'])
  })
})
