// A message sent while a server of the chat waits for its first start. What others learnt: in VS Code the first request has
// the tools of new servers, and dismissing the trust question lets it go on without them (microsoft/vscode, issue 258363 and
// pull request 270392, which has a Skip button); in Claude Code a snapshot of the tools taken before a server was there left
// the whole session without them (anthropics/claude-code, issue 74926).
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ConversationActivity } from '#app/chat/conversation.ts'
import type { Message } from '#app/chat/message.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { makeTestHost, type TestHost } from './host.testing.ts'

const lists = join(import.meta.dirname, '../../e2e/servers/raw/lists.ts')
const entry = { command: process.execPath, args: [lists, 'mixed'] }
let test: TestHost
beforeEach(() => {
  test = makeTestHost({ servers: JSON.stringify({ mcpServers: { notes: entry } }), startServers: false })
})
afterEach(() => test.remove())

const send = async (text = 'use notes apple', more: object = {}): Promise<string> =>
  (await test.host.request('chat.send', { text, ...more })).conversationId
const activity = (id: string): ConversationActivity | undefined => test.host.context.store.conversations.get(id)?.activity
const answers = (id: string): Message[] => test.host.context.store.conversations.messages(id).filter(({ role }) => role === 'assistant')
const open = (): ConsentRequest[] => test.host.context.broker.open()
const held = (id: string) => expect.poll(() => activity(id)).toMatchObject({ kind: 'waiting', servers: [{ name: 'notes', asked: true }] })
const answer = (kind: 'allow' | 'deny') =>
  test.host.request('consent.answer', { id: open()[0]?.id ?? '', answer: kind === 'allow' ? { kind, scope: 'always' } : { kind } })

it('the turn waits for the answer, names the server, and then has its tools', async () => {
  const id = await send()
  await held(id)
  expect([answers(id), open().map(({ kind, server, conversationId }) => [kind, server, conversationId])]).toEqual([
    [],
    [['launch', 'notes', id]],
  ])
  await answer('allow')
  await expect.poll(() => open()).toMatchObject([{ kind: 'tool-call', server: 'notes', tool: 'apple' }])
  expect(activity(id)).not.toHaveProperty('servers')
})

it('a start that is denied is an answer: the turn goes on, and the next one is not held', async () => {
  const id = await send()
  await held(id)
  await answer('deny')
  await test.host.context.chat.idle(id)
  expect([activity(id)?.kind, answers(id).length]).toEqual(['idle', 1])
  await send('Hello', { conversationId: id })
  await test.host.context.chat.idle(id)
  expect([answers(id).length, open()]).toEqual([2, []])
})

it('“Answer without them” answers at once; the question stays open, and no later turn of the chat waits for it', async () => {
  const id = await send()
  await held(id)
  await test.host.request('chat.answerWithout', { conversationId: id })
  await test.host.context.chat.idle(id)
  await send('Hello', { conversationId: id })
  await test.host.context.chat.idle(id)
  expect([answers(id).length, open().map(({ kind }) => kind)]).toEqual([2, ['launch']])
  // Another chat is asked for itself.
  const other = await send()
  await held(other)
})

it('a turn that is stopped waits no longer, and sent nothing', async () => {
  const id = await send()
  await held(id)
  await test.host.request('chat.stop', { conversationId: id })
  await test.host.context.chat.idle(id)
  expect([activity(id)?.kind, answers(id)]).toEqual(['idle', []])
})

it('a start that fails is an answer', async () => {
  await test.host.request('config.save', { text: JSON.stringify({ mcpServers: { notes: { command: 'no-such-program-here' } } }) })
  const id = await send()
  await held(id)
  await answer('allow')
  await test.host.context.chat.idle(id)
  expect([activity(id)?.kind, answers(id).length]).toEqual(['idle', 1])
})

it('a server that is off in the chat is neither waited for nor started', async () => {
  const id = await send('Hello', { tools: { servers: ['notes'], tools: {} } })
  await test.host.context.chat.idle(id)
  expect([answers(id).length, open(), test.host.context.servers.view('notes')?.state.kind]).toEqual([1, [], 'stopped'])
})
