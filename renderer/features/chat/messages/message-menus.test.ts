import { expect, it } from 'vitest'
import type { Message } from '#app/chat/message.ts'
import type { ReadyTranscript } from '#renderer/stores/transcript-steps.ts'
import { makeAnswer, makeUserMessage } from '#renderer/testing/builders.ts'
import { answerMessages, answerUsage, endsAnswer, versionShown, versionsOf } from './message-menus.tsx'

const usage = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 5 }
const summary: Message = {
  role: 'summary',
  id: 's',
  conversationId: 'c1',
  turnId: 't',
  createdAt: 1,
  model: 'm',
  by: 'length',
  covers: { until: 'u1', messages: 1 },
  text: 'So far.',
  state: 'done',
}
const messages: Message[] = [
  makeUserMessage({ id: 'u1' }),
  makeAnswer({ id: 'a1', usage }),
  summary,
  makeAnswer({ id: 'a2', usage }),
  makeUserMessage({ id: 'u2' }),
  { ...summary, id: 's2' },
  makeAnswer({ id: 'a3' }),
]
const transcript: ReadyTranscript = {
  kind: 'ready',
  earlier: 0,
  ids: messages.map(({ id }) => id),
  messages: Object.fromEntries(messages.map((message) => [message.id, message])),
  branches: { '': ['u0', 'u1'], u2: ['x', 's2'], a3: ['y'] },
  deleted: [],
  beside: [],
}

it('what stands in the place of the first message is not known before the chat is there from its beginning', () => {
  expect([versionsOf(transcript, 'u1'), versionsOf({ ...transcript, earlier: 5 }, 'u1')]).toEqual([['u0', 'u1'], undefined])
})

it('an answer reaches from question to question, over what was summed up in its midst', () => {
  expect(messages.filter(({ id }) => endsAnswer(transcript, id)).map(({ id }) => id)).toEqual(['a2', 'a3'])
  expect(answerMessages(transcript, 'a2').map(({ id }) => id)).toEqual(['a1', 'a2'])
})

it('what an answer took is what all its steps took; unknown is none', () => {
  expect([answerUsage(transcript, 'a2'), answerUsage(transcript, 'a3')]).toEqual([{ read: 30, written: 2, cost: undefined }, undefined])
})

it('its cost is known where that of each step is', () => {
  const withCosts = (costs: readonly (number | undefined)[]): ReadyTranscript => {
    const steps = costs.map((cost, index) => makeAnswer({ id: `a${index}`, usage: { ...usage, ...(cost === undefined ? {} : { cost }) } }))
    const messages = [makeUserMessage({ id: 'u' }), ...steps]
    return { ...transcript, ids: messages.map(({ id }) => id), messages: Object.fromEntries(messages.map((one) => [one.id, one])) }
  }
  expect(answerUsage(withCosts([0.25, 0.5]), 'a1')?.cost).toBe(0.75)
  expect(answerUsage(withCosts([0.25, undefined]), 'a1')?.cost).toBeUndefined()
})

it('a model that counts nothing that it read says nothing of what it took', () => {
  const practice = makeAnswer({ id: 'a1', usage: { inputTokens: 0, outputTokens: 40 } })
  expect(
    answerUsage({ ...transcript, ids: ['u1', 'a1'], messages: { u1: makeUserMessage({ id: 'u1' }), a1: practice } }, 'a1'),
  ).toBeUndefined()
})

it('versions are there where there is more than one, also where a summary begins the branch', () => {
  const shown = ['u1', 'a2', 'u2', 'a3'].map((id) => versionShown(transcript, id))
  expect([shown, versionsOf(transcript, 's2')]).toEqual([
    ['u1', undefined, undefined, 's2'],
    ['x', 's2'],
  ])
})
