import { describe, expect, test } from 'vitest'
import type { AssistantMessage, AssistantPart, Decision, Message, ToolCall, ToolCallState } from '#app/chat/message.ts'
import type { ModelMessage } from '#main/models/provider.ts'
import type { Reader } from '../results/result-text.ts'
import { toolResultBlock } from '../results/result-text.ts'
import { toModelMessages } from './model-history.ts'

const reader: Reader = {
  images: true,
  blobs: {
    put: () => expect.unreachable(),
    get: (sha256) => (sha256 === 'known' ? { bytes: Buffer.from('png'), mimeType: 'image/png' } : undefined),
  },
}
const decision: Decision = { allowed: true, by: 'person', scope: 'once' }
const base = { conversationId: 'c', turnId: 't', createdAt: 0 } as const
const user = (text: string): Message => ({ ...base, role: 'user', id: 'u', text })
const assistant = (...parts: AssistantPart[]): AssistantMessage => ({
  ...base,
  role: 'assistant',
  id: 'a',
  model: 'anthropic/m',
  parts,
  state: 'done',
})
const said = (text: string): AssistantPart => ({ kind: 'text', text })
const makeCall = (state: ToolCallState, more: Partial<ToolCall> = {}): ToolCall => ({
  id: 'x',
  providerId: 'p',
  modelName: 'files__read',
  server: 'files',
  tool: 'read',
  arguments: { a: 1 },
  state,
  ...more,
})
const done = (content: (ToolCallState & { kind: 'done' })['result']['content'], structuredContent?: object): ToolCallState => ({
  kind: 'done',
  decision,
  startedAt: 0,
  durationMs: 1,
  result: { content, isError: false, bytes: 1, ...(structuredContent ? { structuredContent: structuredContent as never } : {}) },
})
const shape = (messages: readonly ModelMessage[]): unknown =>
  messages.map(({ role, content }) => [role, content.map((block) => block.type)])
const history = (...messages: Message[]): ModelMessage[] => toModelMessages(messages, reader)

describe('the history that a model reads', () => {
  test('answers each call right after the message that made it', () => {
    const call: AssistantPart = { kind: 'tool-call', call: makeCall(done([{ type: 'text', text: 'ok' }])) }
    expect(shape(history(user('Go'), assistant(said('I look'), call, call), assistant(said('There'))))).toEqual([
      ['user', ['text']],
      ['assistant', ['text', 'tool-call', 'tool-call']],
      ['user', ['tool-result', 'tool-result']],
      ['assistant', ['text']],
      ['user', ['text']],
    ])
  })

  test('ends with a word of the person or of the host, never with the model', () => {
    expect(history(user('Go'), assistant(said('Half'))).at(-1)).toMatchObject({ role: 'user', content: [{ type: 'text', byHost: true }] })
    expect(history(user('Go'), assistant(said('Whole')), user('More')).at(-1)?.content).toEqual([{ type: 'text', text: 'More' }])
  })

  test('alternates, also over answers that were cut off or empty', () => {
    const roles = history(user('Go'), assistant(), assistant(said('a')), assistant(said(' ')), assistant(said('b')), user('c')).map(
      ({ role }) => role,
    )
    expect(roles).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
  })

  test('leaves out a call that was cut off while it was written, and thinking that leads to nothing', () => {
    const { arguments: _, ...unwritten } = makeCall({ kind: 'cancelled' })
    const messages = history(user('Go'), assistant({ kind: 'thinking', text: 'hm' }, { kind: 'tool-call', call: unwritten }), user('Well'))
    expect(shape(messages)).toEqual([['user', ['text', 'text']]])
  })

  test('is the same to the byte each time, whatever comes after', () => {
    const begun = [user('Go'), assistant(said('a')), user('b')]
    const longer = toModelMessages([...begun, assistant(said('c')), user('d')], reader)
    expect(JSON.stringify(longer.slice(0, 3))).toBe(JSON.stringify(toModelMessages(begun, reader)))
  })
})

describe('a call, as the model reads it,', () => {
  const read = (call: ToolCall, images = true): { text: string; isError: boolean } => {
    const block = toolResultBlock(call, { ...reader, images })
    return {
      text: block.content.map((part) => (part.type === 'text' ? part.text : `<${part.mimeType}>`)).join('\n'),
      isError: block.isError,
    }
  }
  const blob = (mimeType: string, sha256 = 'known') => ({ sha256, bytes: 3, mimeType })

  test('carries text without what a person cannot see', () => {
    expect(read(makeCall(done([{ type: 'text', text: 'a\u{e0041}\u200bb' }])))).toEqual({ text: 'ab', isError: false })
  })

  test('carries an image where the model takes it, and a word about it where not', () => {
    const image = makeCall(done([{ type: 'image', blob: blob('image/png') }]))
    expect(read(image).text).toBe('<image/png>')
    expect(read(image, false).text).toContain('3 B')
    expect(read(makeCall(done([{ type: 'image', blob: blob('image/png', 'gone') }]))).text).toContain('cannot')
  })

  test('carries structured content only when there is no text', () => {
    expect(read(makeCall(done([], { total: 3 }))).text).toBe('{"total":3}')
    expect(read(makeCall(done([{ type: 'text', text: 'three' }], { total: 3 }))).text).toBe('three')
  })

  test('says of a long text that it is only the beginning', () => {
    const whole = { sha256: 'known', bytes: 5_000_000, mimeType: 'text/plain' }
    expect(read(makeCall(done([{ type: 'text', text: 'begin', whole }]))).text).toMatch(/^begin\n.*5\.0 MB/)
  })

  test.each<[string, ToolCallState, RegExp]>([
    ['denied with a word', { kind: 'denied', decision: { ...decision, allowed: false, word: 'no "x"' } }, /"no \\"x\\""/],
    ['denied by a rule', { kind: 'denied', decision: { ...decision, allowed: false, by: 'rule' } }, /rule/],
    ['failed', { kind: 'failed', error: { code: 'server.exited', message: 'Gone.' } }, /server\.exited.*Gone\./],
    ['timed out', { kind: 'failed', error: { code: 'tool.timeout', message: 'Slow.' } }, /may still/],
    ['cancelled before it ran', { kind: 'cancelled' }, /before it ran/],
    ['cancelled while it ran', { kind: 'cancelled', decision, startedAt: 1 }, /may have had effects/],
    ['lost', { kind: 'unknown', decision, startedAt: 1 }, /nobody knows/],
  ])('that was %s is an error that says so', (_, state, expected) => {
    expect(read(makeCall(state))).toEqual({ text: expect.stringMatching(expected), isError: true })
  })

  test('whose arguments were broken shows the model what it wrote', () => {
    const { arguments: _, ...broken } = makeCall({ kind: 'failed', error: { code: 'tool.arguments-invalid', message: 'Broken.' } })
    expect(read({ ...broken, rawArguments: '{"a": ' }).text).toContain('{"a": ')
  })
})
