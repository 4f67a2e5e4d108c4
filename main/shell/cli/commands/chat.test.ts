import { expect, it } from 'vitest'
import type { AssistantMessage, AssistantPart, ToolCallState } from '#app/chat/message.ts'
import type { EventName, EventPayload, HostEvent } from '#app/contract/events.ts'
import { type ChatLine, createChatLines } from './chat.ts'

const message = (parts: AssistantPart[], other: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: 'assistant',
  id: 'm',
  conversationId: 'c',
  turnId: 't',
  createdAt: 0,
  model: 'practice/practice',
  parts,
  state: 'streaming',
  ...other,
})
const event = <N extends EventName>(name: N, payload: EventPayload<N>) => ({ name, revision: 1, payload }) as HostEvent
const delta = (part: number, offset: number, text: string) =>
  event('message.delta', { conversationId: 'c', messageId: 'm', part, offset, text })
const call = (state: ToolCallState): AssistantPart => ({
  kind: 'tool-call',
  call: { id: 'k', providerId: 'p', modelName: 's__t', server: 's', tool: 't', arguments: { a: 1 }, state },
})
const decision = { allowed: true, by: 'command-line', scope: 'once' } as const
const result = { content: [], isError: false, bytes: 2 }

function collect(events: readonly HostEvent[]): ChatLine[] {
  const lines: ChatLine[] = []
  const reader = createChatLines('c', (line) => lines.push(line))
  for (const one of events) reader.onEvent(one)
  return lines
}

it('tells each piece of text once, whether it came as a piece or with the whole message', () => {
  const lines = collect([
    event('message.changed', { message: message([{ kind: 'thinking', text: 'hm' }]) }),
    delta(0, 2, 'm'),
    event('message.changed', {
      message: message([
        { kind: 'thinking', text: 'hmm' },
        { kind: 'text', text: 'He' },
      ]),
    }),
    delta(1, 2, 'llo'),
    delta(1, 2, 'llo'),
    event('message.changed', {
      message: message(
        [
          { kind: 'thinking', text: 'hmm' },
          { kind: 'text', text: 'Hello' },
        ],
        { state: 'done', usage: { inputTokens: 3, outputTokens: 2 } },
      ),
    }),
  ])
  expect(lines).toEqual([
    { type: 'thinking', text: 'hm' },
    { type: 'thinking', text: 'm' },
    { type: 'text', text: 'He' },
    { type: 'text', text: 'llo' },
    { type: 'usage', inputTokens: 3, outputTokens: 2 },
  ])
})

it('tells of a call, what allowed it and how it ended, in that order and once', () => {
  const changed = (state: ToolCallState) => event('toolCall.changed', { conversationId: 'c', messageId: 'm', callId: 'k', state })
  const done: ToolCallState = { kind: 'done', decision, startedAt: 1, durationMs: 4, result }
  const lines = collect([
    event('message.changed', { message: message([call({ kind: 'writing' })]) }),
    event('message.changed', { message: message([call({ kind: 'queued' })]) }),
    changed({ kind: 'waiting', requestId: 'r' }),
    changed({ kind: 'running', decision, startedAt: 1 }),
    changed(done),
    event('message.changed', { message: message([call(done)], { state: 'done' }) }),
  ])
  expect(lines).toEqual([
    { type: 'tool-call', callId: 'k', server: 's', tool: 't', modelName: 's__t', arguments: { a: 1 } },
    { type: 'consent', callId: 'k', decision: 'allowed', by: 'command-line', scope: 'once' },
    { type: 'tool-result', callId: 'k', outcome: 'done', isError: false, result, durationMs: 4 },
  ])
})

it('is deaf to other conversations', () => {
  expect(collect([event('message.changed', { message: message([{ kind: 'text', text: 'x' }], { conversationId: 'other' }) })])).toEqual([])
})

it('tells what turns out to be text after all as that, whole', () => {
  const lines = collect([
    event('message.changed', { message: message([{ kind: 'thinking', text: 'He' }]) }),
    delta(0, 2, 'llo'),
    event('message.changed', { message: message([{ kind: 'text', text: 'Hello' }], { state: 'done' }) }),
  ])
  expect(lines).toEqual([
    { type: 'thinking', text: 'He' },
    { type: 'thinking', text: 'llo' },
    { type: 'text', text: 'Hello' },
  ])
})

it('tells of an image of the model once, by its bytes in the store', () => {
  const blob = { sha256: 'a'.repeat(64), bytes: 70, mimeType: 'image/png' }
  const parts: AssistantPart[] = [
    { kind: 'text', text: 'A dot' },
    { kind: 'image', blob },
  ]
  const changed = event('message.changed', { message: message(parts) })
  expect(collect([changed, changed])).toEqual([
    { type: 'text', text: 'A dot' },
    { type: 'image', ...blob },
  ])
})
