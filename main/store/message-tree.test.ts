import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AssistantMessage, Message } from '#app/chat/message.ts'
import { makeProfile, type TestProfile } from './store.testing.ts'
import type { ConversationStore } from './store-api.ts'

const DAY = 24 * 60 * 60 * 1000
let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const ask = (id: string, conversationId = 'c1'): Message => ({ role: 'user', id, conversationId, turnId: 't', createdAt: 1, text: id })
const put = (conversations: ConversationStore, ...ids: string[]): void => {
  for (const id of ids) conversations.putMessage(ask(id))
}
const begin = (...ids: string[]): ConversationStore => {
  const { conversations } = profile.store()
  conversations.put({ id: 'c1', title: 'c', model: 'm', createdAt: 1, updatedAt: 1, activity: { kind: 'idle' } })
  put(conversations, ...ids)
  return conversations
}
const path = (conversations: ConversationStore): string =>
  conversations
    .messages('c1')
    .map(({ id }) => id)
    .join('')

test('a message put anew branches off where the path was made to end, and the other branch stays', () => {
  const conversations = begin('a', 'b', 'c')
  conversations.setLeaf('c1', 'a')
  put(conversations, 'x', 'y')
  expect(path(conversations)).toBe('axy')
  conversations.putMessage({ ...ask('c'), text: 'late' } as Message)
  expect(path(conversations)).toBe('axy')
  conversations.setLeaf('c1', 'c')
  expect(path(profile.reopen().conversations)).toBe('abc')
})

test('a second beginning is a branch too', () => {
  const conversations = begin('a', 'b')
  conversations.setLeaf('c1', null)
  expect(path(conversations)).toBe('')
  put(conversations, 'x')
  expect([path(conversations), conversations.tree('c1').nodes.map(({ parent }) => parent)]).toEqual(['x', [null, 'a', null]])
})

test('the branch that was shown last is remembered until a newer one is made', () => {
  const conversations = begin('a', 'b')
  conversations.setLeaf('c1', 'a')
  put(conversations, 'x')
  expect(conversations.tree('c1').shown).toEqual({})
  conversations.setLeaf('c1', 'b')
  expect(profile.reopen().conversations.tree('c1')).toMatchObject({ leaf: 'b', shown: { a: 'b' } })
  const later = profile.store().conversations
  later.setLeaf('c1', 'a')
  put(later, 'z')
  expect(later.tree('c1')).toMatchObject({ leaf: 'z', shown: {} })
})

test('deleted messages leave the path and come back where they were, also around ones written meanwhile', () => {
  const conversations = begin('a', 'b', 'c', 'd')
  conversations.deleteMessages(['b', 'c'])
  expect([path(conversations), conversations.lastDeleted('c1')]).toEqual(['ad', ['b', 'c']])
  profile.clock.time += 1
  conversations.deleteMessages(['d'])
  put(conversations, 'e')
  expect([path(conversations), profile.reopen().conversations.lastDeleted('c1')]).toEqual(['ae', ['d']])
  const later = profile.store().conversations
  later.restoreMessages(['d'])
  later.restoreMessages(['b', 'c'])
  expect([path(later), later.lastDeleted('c1')]).toEqual(['abcde', []])
})

test('messages are given by their ids, in the order asked for', () => {
  const conversations = begin('a', 'b', 'c')
  expect(conversations.messagesOf(['c', 'a', 'none']).map(({ id }) => id)).toEqual(['c', 'a'])
})

test('what was taken back before the model read it is none of what was deleted last', () => {
  const conversations = begin('a', 'b')
  conversations.deleteMessages(['a'])
  profile.clock.time += 1
  conversations.putMessage({ ...ask('b'), steered: 'waiting' } as Message)
  conversations.deleteMessages(['b'])
  expect(conversations.lastDeleted('c1')).toEqual(['a'])
})

test('after 30 days a deleted message goes for good, with what only it showed, and what hung below it stays', () => {
  const conversations = begin('a')
  const own = profile.store().blobs.put(new Uint8Array([1]), 'image/png')
  const answer: AssistantMessage = {
    role: 'assistant',
    id: 'b',
    conversationId: 'c1',
    turnId: 't',
    createdAt: 1,
    model: 'm',
    state: 'done',
    parts: [
      {
        kind: 'tool-call',
        call: {
          id: 'call',
          providerId: 'p',
          modelName: 's__t',
          state: {
            kind: 'done',
            decision: { allowed: true, by: 'person', scope: 'once' },
            startedAt: 1,
            durationMs: 1,
            result: { content: [{ type: 'image', blob: own }], isError: false, bytes: 1 },
          },
        },
      },
    ],
  }
  conversations.putMessage(answer)
  put(conversations, 'c')
  conversations.setLeaf('c1', 'b')
  put(conversations, 'd')
  conversations.setLeaf('c1', 'c')
  conversations.deleteMessages(['b'])
  profile.clock.time += 30 * DAY + 1
  const later = profile.reopen()
  expect({
    path: path(later.conversations),
    gone: later.conversations.message('b'),
    blob: later.blobs.get(own.sha256),
    tree: later.conversations.tree('c1').nodes.map(({ id, parent }) => [id, parent]),
  }).toEqual({
    path: 'ac',
    gone: undefined,
    blob: undefined,
    tree: [
      ['a', null],
      ['c', 'a'],
      ['d', 'a'],
    ],
  })
})

test('a deleted end of the path goes for good, and the path ends before it', () => {
  const conversations = begin('a', 'b')
  conversations.deleteMessages(['b'])
  profile.clock.time += 30 * DAY + 1
  expect(profile.reopen().conversations.tree('c1')).toMatchObject({ nodes: [{ id: 'a' }], leaf: 'a' })
})

test('a path is found without reading what the messages say', () => {
  begin('a')
  profile.store().close()
  const raw = new DatabaseSync(profile.path)
  const plan = raw.prepare('EXPLAIN QUERY PLAN SELECT id, parent, deleted_at FROM messages WHERE conversation_id = ? ORDER BY place').all()
  raw.close()
  expect(plan.map((row) => String(row['detail']).includes('COVERING INDEX'))).toEqual([true])
})
