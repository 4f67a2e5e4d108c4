import { describe, expect, test } from 'vitest'
import type { AssistantMessage, Message, ToolCall, UserMessage } from '#app/chat/message.ts'
import { FIND_TOOLS } from '#app/chat/tools/tool-names.ts'
import { nextSent, nothingSent, type SendingFacts, type SentTools } from './sent-tools.ts'

const said = (id: string, text: string): UserMessage => ({ role: 'user', id, conversationId: 'c', turnId: id, createdAt: 0, text })
const answered = (id: string, ...calls: ToolCall[]): AssistantMessage => ({
  role: 'assistant',
  id,
  conversationId: 'c',
  turnId: id,
  createdAt: 0,
  model: 'm',
  parts: calls.map((call) => ({ kind: 'tool-call', call })),
  state: 'done',
})
const decision = { allowed: true, by: 'host', scope: 'once' } as const
const result = { content: [], isError: false, bytes: 0 }
const done = { kind: 'done', decision, startedAt: 0, durationMs: 0 } as const
const used = (modelName: string): ToolCall => ({ id: modelName, providerId: 'p', modelName, state: { ...done, result } })
const searched = (...found: string[]): ToolCall => ({
  id: 's',
  providerId: 'p',
  modelName: FIND_TOOLS,
  own: true,
  state: { ...done, result: { ...result, structuredContent: { found } } },
})

/** A message names its tools; each costs ten tokens. */
const step = (before: SentTools, messages: readonly Message[], change: Partial<SendingFacts> = {}): SentTools =>
  nextSent(before, { messages, pick: (text) => text.split(' '), tokens: () => 10, budget: 1000, ...change })
const names = ({ reasons }: SentTools): string[] => [...reasons.keys()]

describe('what is sent', () => {
  test('only grows at its end, in the order in which things came up', () => {
    const messages: Message[] = [said('1', 'b a')]
    const first = step(nothingSent, messages)
    messages.push(answered('2', searched('d', 'a')), answered('3', used('d'), used('x')))
    const second = step(first, messages)
    messages.push(said('4', 'a e'))
    expect([names(first), names(second), names(step(second, messages))]).toEqual([
      ['b', 'a'],
      ['b', 'a', 'd', 'x'],
      ['b', 'a', 'd', 'x', 'e'],
    ])
  })

  test('says which a search brought first', () => {
    const messages = [said('1', 'a'), answered('2', searched('a', 'd', 'e')), answered('3', used('d'), used('x')), said('4', 'e f')]
    const whole = step(nothingSent, messages)
    expect([...whole.deferred]).toEqual(['d', 'e'])
    expect([...step(whole, [...messages, said('5', 'g')], { budget: 50 }).deferred]).toEqual(['d'])
  })

  test('is the same when it is made anew from the messages', () => {
    const messages = [said('1', 'b a'), answered('2', searched('d')), said('3', 'c')]
    const whole = step(nothingSent, messages)
    expect(names(step(step(nothingSent, messages.slice(0, 2)), messages))).toEqual(names(whole))
  })

  test('asks about each message of the person once', () => {
    const asked: string[] = []
    const pick = (text: string): string[] => {
      asked.push(text)
      return []
    }
    const messages = [said('1', 'one'), answered('2'), said('3', 'two')]
    step(step(nothingSent, messages.slice(0, 2), { pick }), messages, { pick })
    expect(asked).toEqual(['one', 'two'])
  })

  test('takes what a call found once that has ended', () => {
    const running: ToolCall = { ...searched(), state: { kind: 'running', decision, startedAt: 0 } }
    const before = step(nothingSent, [answered('1', running)])
    expect(names(step(before, [answered('1', searched('a'))]))).toEqual(['a'])
  })
})

describe('when it outgrows the budget', () => {
  const messages = [said('1', 'a b c'), answered('2', searched('d', 'e')), answered('3', used('d'))]
  const before = step(nothingSent, messages)

  test('what only a message named goes before what was found, and that before what was used', () => {
    expect(names(step(before, [...messages, said('4', 'f')], { budget: 50 }))).toEqual(['d', 'e', 'f'])
    expect(names(step(before, [...messages, said('4', 'f g')], { budget: 50 }))).toEqual(['d', 'f', 'g'])
  })

  test('what has only just come stays, however little there is', () => {
    expect(names(step(before, [...messages, answered('4', searched('f', 'g'))], { budget: 10 }))).toEqual(['f', 'g'])
  })

  test('a tool that is gone costs nothing', () => {
    expect(names(step(before, messages, { budget: 20, tokens: (name) => (name === 'a' || name === 'b' ? 10 : undefined) }))).toHaveLength(5)
  })
})
