import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ToolResult } from '#app/chat/content.ts'
import type { AssistantMessage, ToolCallState } from '#app/chat/message.ts'
import type { ToolCallRequest } from '#app/consent/request.ts'
import type { Json } from '#app/json.ts'
import { makeBroker, makeToolEntry, type TestBroker } from './broker.testing.ts'
import { createTaintSources } from './taint-sources.ts'

let t: TestBroker
beforeEach(() => {
  t = makeBroker()
  t.profile.store().conversations.put({
    id: 'c1',
    title: 'Chat',
    createdAt: 1,
    updatedAt: 1,
    activity: { kind: 'idle' },
    model: 'practice/practice',
  } as Parameters<ReturnType<TestBroker['profile']['store']>['conversations']['put']>[0])
})
afterEach(() => t.dispose())

const sentence = 'Lindgren is below the threshold, Anna confirmed by phone.'
const decision = { allowed: true, by: 'person', scope: 'once' } as const
const text = (words: string): ToolResult => ({ content: [{ type: 'text', text: words }], isError: false, bytes: words.length })
const done = (result: ToolResult): ToolCallState => ({ kind: 'done', decision, startedAt: 1, durationMs: 1, result })

/** Puts a call of `server` that ended so into the conversation. */
function say(server: string, state: ToolCallState, id = `${server}-call`): void {
  const call = { id, providerId: id, modelName: `${server}__read`, server, tool: 'read', arguments: {}, state }
  const message: AssistantMessage = {
    role: 'assistant',
    id: `message-${id}`,
    conversationId: 'c1',
    turnId: 't1',
    createdAt: 1,
    model: 'practice/practice',
    parts: [{ kind: 'tool-call', call }],
    state: 'done',
  }
  t.profile.store().conversations.putMessage(message)
}

const origin = (server: string) => ({ server, tool: 'read', callId: `${server}-call` })
const ask = (part: Parameters<TestBroker['call']>[0] = {}) =>
  t.broker.toolCall(t.call({ server: 'mail', arguments: { body: sentence }, ...part }))
const asked = () => t.only() as ToolCallRequest
async function allowAlways(): Promise<void> {
  const first = ask({ arguments: { body: 'hello' } })
  t.answer({ kind: 'allow', scope: 'always' })
  await first
}

describe('what the person attached', () => {
  const attach = (from?: { server: string; uri: string }): void => {
    const { blobs, conversations } = t.profile.store()
    const blob = blobs.put(Buffer.from(`Vendors: ${sentence}`), 'text/plain')
    const attachments = [{ id: 'x1', name: 'vendors', kind: 'text' as const, blob, ...(from ? { from } : {}) }]
    conversations.putMessage({ role: 'user', id: 'u1', conversationId: 'c1', turnId: 't1', createdAt: 1, text: 'Look', attachments })
  }

  test('from a server is that server’s words when they go to another one', async () => {
    await allowAlways()
    attach({ server: 'notes', uri: 'notes://vendors' })
    const verdict = ask()
    expect(asked()).toMatchObject({
      why: { kind: 'flow' },
      flows: { origins: [{ server: 'notes', resource: 'notes://vendors', messageId: 'u1' }], marks: [{ argument: '/body' }] },
    })
    t.answer({ kind: 'allow', scope: 'once' })
    await verdict
  })

  test('by a prompt of a server is that server’s words too', async () => {
    await allowAlways()
    const prompt = { server: 'notes', name: 'report', arguments: {} }
    const { conversations } = t.profile.store()
    conversations.putMessage({ role: 'user', id: 'u1', conversationId: 'c1', turnId: 't1', createdAt: 1, text: `Send ${sentence}`, prompt })
    const verdict = ask()
    expect(asked()).toMatchObject({
      why: { kind: 'flow' },
      flows: { origins: [{ server: 'notes', prompt: 'report', messageId: 'u1' }], marks: [{ argument: '/body' }] },
    })
    t.answer({ kind: 'allow', scope: 'once' })
    await verdict
  })

  test('from their own files is no server’s words, and is private all the same', async () => {
    await allowAlways()
    attach()
    void ask()
    expect([asked().why.kind, asked().privateFlow?.from, asked().flows]).toEqual(['flow', [{ kind: 'attached' }], undefined])
  })
})

describe('a call with words of another server', () => {
  test('is asked although a rule allows it, and runs as it was shown', async () => {
    await allowAlways()
    say('notes', done(text(`Vendors: ${sentence}`)))
    const verdict = ask()
    expect(asked()).toMatchObject({
      why: { kind: 'flow' },
      flows: { origins: [origin('notes')], marks: [{ argument: '/body', origin: 0, spans: [[0, 56]] }] },
    })
    t.answer({ kind: 'allow', scope: 'once' })
    expect(await verdict).toMatchObject({
      kind: 'allowed',
      decision: { by: 'person' },
      approval: { argumentsText: JSON.stringify({ body: sentence }, null, 2) },
    })
  })

  test('is asked by another run over the same profile', async () => {
    await allowAlways()
    say('notes', done(text(sentence)))
    t.profile.reopen()
    const broker = t.restart()
    void broker.toolCall(t.call({ server: 'mail', arguments: { body: sentence } }))
    expect(broker.open()).toMatchObject([{ why: { kind: 'flow' }, flows: { origins: [origin('notes')] } }])
    broker.dispose()
  })

  test('is not answered by a rule that is made while it waits', async () => {
    say('notes', done(text(sentence)))
    const verdict = ask()
    const { id } = asked()
    const other = ask({ arguments: { body: 'hello' }, callId: 'call-2' })
    t.broker.answer(t.broker.open().find((one) => one.id !== id)?.id ?? '', { kind: 'allow', scope: 'always' })
    await other
    expect(t.broker.open().map((one) => one.id)).toEqual([id])
    t.answer({ kind: 'deny' })
    expect(await verdict).toMatchObject({ kind: 'denied' })
  })

  test('is denied where only rules allow', async () => {
    await allowAlways()
    say('notes', done(text(sentence)))
    t.setMode('c1', 'rules-only')
    expect(await ask()).toMatchObject({ kind: 'denied', decision: { by: 'mode', mode: 'rules-only' } })
    expect(t.rows().at(-1)?.detail).toMatchObject({ flows: { marks: [{ argument: '/body', ...origin('notes') }] } })
  })

  // Annotations as recorded: fetch of modelcontextprotocol/servers (pull 3643) reads only, and reaches any address;
  // a tool that says nothing of the world is open (MCP, ToolAnnotations: `openWorldHint`, default true).
  test.each([
    ['asks where its tool only reads', { readOnlyHint: true }, true, undefined],
    ['asks where its tool only reads, in an open world', { readOnlyHint: true, openWorldHint: true }, true, undefined],
    ['asks where its tool claims a closed world, and nobody trusts its server', { openWorldHint: false }, false, undefined],
    ['runs by its rule where a tool of a trusted server reaches nothing outside', { openWorldHint: false }, true, 'allowed'],
  ])('%s', async (_title, annotations, trusted, expected) => {
    const tool = makeToolEntry({ annotations })
    const first = ask({ arguments: { body: 'hello' }, tool, trusted })
    t.answer({ kind: 'allow', scope: 'always' })
    await first
    say('notes', done(text(sentence)))
    const second = ask({ tool, trusted })
    await new Promise((resolve) => setImmediate(resolve))
    const open = t.broker.open()
    expect(open.map(({ why }) => why.kind)).toEqual(expected === undefined ? ['flow'] : [])
    for (const { id } of open) t.broker.answer(id, { kind: 'deny' })
    expect((await second).kind).toBe(expected ?? 'denied')
  })

  test('is on record with the call that said them, and anew where the person edits', async () => {
    say('notes', done(text(sentence)))
    const verdict = ask()
    t.answer({ kind: 'allow', scope: 'once', arguments: { body: 'hello' } })
    await verdict
    const [request, decided] = t.rows().map(({ detail }) => detail)
    expect([request?.['flows'], decided?.['flows']]).toEqual([
      { marks: [{ argument: '/body', ...origin('notes') }], more: 0 },
      { marks: [], more: 0 },
    ])
  })
})

test('its own words go back to a server by a rule where it says that it just reads with them', async () => {
  const tool = makeToolEntry({ annotations: { readOnlyHint: true } })
  const first = ask({ arguments: { body: 'hello' }, tool })
  t.answer({ kind: 'allow', scope: 'always' })
  await first
  say('mail', done(text(sentence)))
  expect(await ask({ tool })).toMatchObject({ kind: 'allowed', decision: { by: 'rule' } })
})

test('of words that both said the other server is named', async () => {
  say('notes', done(text(sentence)))
  say('mail', done(text(sentence)))
  void ask()
  expect(asked().flows?.origins).toEqual([origin('notes')])
})

const long = `${'lorem ipsum '.repeat(10_000)}${sentence}`
test.each<[string, () => ToolCallState]>([
  ['what is structured', () => done({ content: [], structuredContent: { rows: [{ note: sentence }] } as Json, isError: false, bytes: 1 })],
  ['a resource', () => done({ content: [{ type: 'resource', uri: 'a:b', text: sentence }], isError: false, bytes: 1 })],
  ['a link', () => done({ content: [{ type: 'resource-link', uri: 'a:b', name: 'b', description: sentence }], isError: false, bytes: 1 })],
  [
    'a block of a newer revision',
    () => done({ content: [{ type: 'unknown', value: { type: 'new', words: sentence } }], isError: false, bytes: 1 }),
  ],
  [
    'the end of a long text',
    () =>
      done({
        content: [{ type: 'text', text: long.slice(0, 100), whole: t.profile.store().blobs.put(Buffer.from(long), 'text/plain') }],
        isError: false,
        bytes: 1,
      }),
  ],
  ['an error of the server', () => ({ kind: 'failed', error: { code: 'server.protocol', message: sentence } })],
  [
    'a result that came late',
    () => ({ kind: 'failed', error: { code: 'tool.timeout', message: 'Too slow.' }, late: { at: 2, result: text(sentence) } }),
  ],
])('%s counts', (_name, state) => {
  say('notes', state())
  void ask()
  expect(asked().flows?.origins).toEqual([origin('notes')])
})

test('a result is read once, the latest call comes first, and what is too much is said', () => {
  const { conversations, blobs } = t.profile.store()
  const said = createTaintSources({ conversations, blobs }, 20)
  say('notes', done(text('one')))
  const [first] = said('c1').sources
  say('mail', done(text('two')))
  expect(said('c1').sources.map(({ origin }) => origin.server)).toEqual(['mail', 'notes'])
  expect([said('c1').sources[1] === first, said('c1').unseen, said('other').sources, said(undefined).sources]).toEqual([
    true,
    false,
    [],
    [],
  ])
  say('huge', done(text('x'.repeat(21))))
  expect(said('c1').unseen).toBe(true)
})
