import { expect, it } from 'vitest'
import type { AssistantMessage, Message, ToolCallState } from '#app/chat/message.ts'
import { isKept } from './acknowledged.ts'

const base = { id: 'm', conversationId: 'c', turnId: 't', createdAt: 1 }
const user = (text: string): Message => ({ ...base, role: 'user', text })
const answer = (state: AssistantMessage['state'], ...parts: AssistantMessage['parts']): Message => ({
  ...base,
  role: 'assistant',
  model: 'm',
  state,
  parts,
})
const text = (words: string) => ({ kind: 'text', text: words }) as const
const call = (state: ToolCallState) => ({ kind: 'tool-call', call: { id: 'k', providerId: 'p', modelName: 's__t', state } }) as const
const decision = { allowed: true, by: 'person', scope: 'once' } as const
const running = call({ kind: 'running', decision, startedAt: 1 })
const unknown = call({ kind: 'unknown', decision, startedAt: 1 })
const cancelled = call({ kind: 'cancelled', decision })

it.each<[string, Message, Message | undefined]>([
  ['a message as it was', user('a'), user('a')],
  [
    'a message that was added to a turn and read',
    { ...user('a'), steered: 'waiting' } as Message,
    { ...user('a'), steered: 'given' } as Message,
  ],
  ['an answer that went on', answer('streaming', text('One')), answer('interrupted', text('One two'))],
  ['a part more', answer('streaming'), answer('done', text('One'))],
  ['a call with an unknown end', answer('done', running), answer('done', unknown)],
  ['a failure without a word, tried again', answer('failed'), answer('done', text('One'))],
])('kept is %s', (_, told, found) => {
  expect(isKept(told, found)).toBe(true)
})

it.each<[string, Message, Message | undefined]>([
  ['a message that is not there', user('a'), undefined],
  ['other words', user('a'), user('b')],
  ['other words in place of what was added', { ...user('a'), steered: 'waiting' } as Message, user('b')],
  ['a shorter answer', answer('streaming', text('One two')), answer('interrupted', text('One'))],
  ['a finished answer that goes on', answer('done', text('One')), answer('done', text('One two'))],
  ['a finished answer that was cut off', answer('done', text('One')), answer('interrupted', text('One'))],
  ['a part less', answer('streaming', text('One')), answer('interrupted')],
  ['a call that ran and is said not to have', answer('done', running), answer('done', cancelled)],
  ['a call whose end was known', answer('done', cancelled), answer('done', unknown)],
])('lost is %s', (_, told, found) => {
  expect(isKept(told, found)).toBe(false)
})
