import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Conversation } from '#app/chat/conversation.ts'
import { editKey } from '#app/chat/drafts.ts'
import type { AssistantMessage, Message, UserMessage } from '#app/chat/message.ts'
import { makeProfile, type TestProfile } from './store.testing.ts'

const DAY = 24 * 60 * 60 * 1000
let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const makeConversation = (id: string, part: Partial<Conversation> = {}): Conversation => ({
  id,
  title: `Chat ${id}`,
  model: 'practice/practice',
  createdAt: 1,
  updatedAt: 1,
  activity: { kind: 'idle' },
  ...part,
})
const ask = (id: string, conversationId = 'c1'): UserMessage => ({
  role: 'user',
  id,
  conversationId,
  turnId: 't',
  createdAt: 1,
  text: `question ${id} \ud83d\ude00 \0`,
})
const reply = (id: string, part: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: 'assistant',
  id,
  conversationId: 'c1',
  turnId: 't',
  createdAt: 1,
  model: 'm',
  parts: [],
  state: 'done',
  ...part,
})

test('conversations come back as they were put, the latest changed first', () => {
  const { conversations } = profile.store()
  const one = makeConversation('c1', { updatedAt: 5, contextTokens: 3 })
  const two = makeConversation('c2', { updatedAt: 9 })
  conversations.put(one)
  conversations.put(two)
  expect(conversations.list()).toEqual([two, one])
  conversations.put({ ...one, updatedAt: 10 })
  expect(conversations.list().map((item) => item.id)).toEqual(['c1', 'c2'])
  expect(conversations.get('c2')).toEqual(two)
})

test('messages keep their order and place across a restart', () => {
  const { conversations } = profile.store()
  conversations.put(makeConversation('c1'))
  conversations.put(makeConversation('c2'))
  const messages: Message[] = [ask('b'), reply('a', { state: 'streaming' }), ask('z', 'c2'), ask('c')]
  for (const message of messages) conversations.putMessage(message)
  const done = reply('a', { parts: [{ kind: 'text', text: 'done' }] })
  conversations.putMessage(done)
  const again = profile.reopen().conversations
  expect(again.messages('c1')).toEqual([ask('b'), done, ask('c')])
  expect(again.message('z')).toEqual(ask('z', 'c2'))
  expect(again.message('none')).toBeUndefined()
})

test('a deleted conversation is hidden until it is restored', () => {
  const { conversations, history } = profile.store()
  const one = makeConversation('c1')
  conversations.put(one)
  history.set(['c1'], { deletedAt: 1 })
  expect([conversations.list(), conversations.get('c1')]).toEqual([[], undefined])
  conversations.put({ ...one, title: 'a turn that ended late' })
  expect(conversations.list()).toEqual([])
  history.set(['c1'], { deletedAt: null })
  expect(conversations.list().map(({ title }) => title)).toEqual(['a turn that ended late'])
})

test('after 30 days a deleted conversation goes for good, with what only it showed', () => {
  const { conversations, history, blobs } = profile.store()
  const own = blobs.put(new Uint8Array([1]), 'image/png')
  const shared = blobs.put(new Uint8Array([2]), 'image/png')
  const withBlobs = (id: string, conversationId: string, refs: (typeof own)[]): AssistantMessage =>
    reply(id, {
      conversationId,
      parts: [
        {
          kind: 'tool-call',
          call: {
            id: `call-${id}`,
            providerId: 'p',
            modelName: 's__t',
            state: {
              kind: 'done',
              decision: { allowed: true, by: 'person', scope: 'once' },
              startedAt: 1,
              durationMs: 1,
              result: { content: refs.map((blob) => ({ type: 'image', blob })), isError: false, bytes: 1 },
            },
          },
        },
      ],
    })
  for (const id of ['c1', 'c2']) conversations.put(makeConversation(id))
  conversations.putMessage(withBlobs('m1', 'c1', [own, shared]))
  conversations.putMessage(withBlobs('m2', 'c2', [shared]))
  conversations.setDraft('c1', 'half a thought')
  conversations.setDraft(editKey('m1'), 'other words')
  history.set(['c1'], { deletedAt: profile.clock.time })

  profile.clock.time += 30 * DAY
  expect(profile.reopen().conversations.message('m1')).toBeDefined()
  profile.clock.time += 1
  const later = profile.reopen()
  expect({
    kept: later.history.standings(['c1']).size,
    messages: later.conversations.messages('c1'),
    drafts: later.conversations.drafts(),
    own: later.blobs.get(own.sha256),
    shared: later.blobs.get(shared.sha256)?.bytes.length,
    other: later.conversations.messages('c2').length,
  }).toEqual({ kept: 0, messages: [], drafts: {}, own: undefined, shared: 1, other: 1 })
})

test('what a crash cut off is found', () => {
  const { conversations } = profile.store()
  const working = makeConversation('c1', { activity: { kind: 'working', turnId: 't', since: 1 } })
  const waiting = makeConversation('c2', { activity: { kind: 'waiting', turnId: 't', requests: 1 } })
  conversations.put(working)
  conversations.put(waiting)
  conversations.put(makeConversation('c3'))
  const cut = reply('m1', { state: 'streaming' })
  conversations.putMessage(cut)
  conversations.putMessage(reply('m2'))
  expect(conversations.unfinished()).toEqual({ conversations: [working, waiting], messages: [cut] })
})

test('drafts are kept by conversation, and an empty one is none', () => {
  const { conversations } = profile.store()
  conversations.setDraft('', 'new')
  conversations.setDraft('c1', 'a')
  conversations.setDraft('c1', 'ab')
  expect(conversations.drafts()).toEqual({ '': 'new', c1: 'ab' })
  conversations.setDraft('', '')
  expect([conversations.draft(''), conversations.draft('c1')]).toEqual(['', 'ab'])
})

test('a row that does not fit is skipped and named without its content', () => {
  const { conversations } = profile.store()
  conversations.put(makeConversation('c1'))
  for (const id of ['m1', 'm2', 'm3']) conversations.putMessage(ask(id))
  profile.store().close()
  const raw = new DatabaseSync(profile.path)
  raw.exec(`UPDATE messages SET body = '{"secret":1' WHERE id = 'm1'; UPDATE messages SET body = '{"role":"user"}' WHERE id = 'm2'`)
  raw.close()
  expect(
    profile
      .reopen()
      .conversations.messages('c1')
      .map((message) => message.id),
  ).toEqual(['m3'])
  expect(profile.logged.map((line) => [/m[12]/.exec(line)?.[0], line.includes('secret')])).toEqual([
    ['m1', false],
    ['m2', false],
  ])
})

test('what stands beside a draft is kept by conversation, and nothing of it is none', () => {
  const { conversations } = profile.store()
  const blob = { sha256: 'a'.repeat(64), bytes: 1, mimeType: 'text/plain' }
  const extras = { attachments: [{ id: 'a1', name: 'a.txt', kind: 'text' as const, blob }] }
  conversations.setDraftExtras('c1', extras)
  expect(conversations.draftExtras()).toEqual({ c1: extras })
  conversations.setDraftExtras('c1', { attachments: [] })
  expect(conversations.draftExtras()).toEqual({})
})
