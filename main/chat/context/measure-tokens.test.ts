import { describe, expect, test } from 'vitest'
import type { AssistantMessage, Message, ToolCall, UserMessage } from '#app/chat/message.ts'
import { FIND_TOOLS } from '#app/chat/tools/tool-names.ts'
import { memoryBlobs } from '../fake-tools.testing.ts'
import type { Reader } from '../results/result-text.ts'
import { calibrationOf, IMAGE_TOKENS, measureContext } from './measure-tokens.ts'

const base = { conversationId: 'c', turnId: 't', createdAt: 0 } as const
const reader: Reader = { blobs: memoryBlobs(), images: true, sliceBytes: 4000 }
const user = (id: string, text: string): UserMessage => ({ ...base, role: 'user', id, text })
const answer = (id: string, change: Partial<AssistantMessage> = {}): AssistantMessage => ({
  ...base,
  role: 'assistant',
  id,
  model: 'anthropic/m',
  parts: [{ kind: 'text', text: 'Yes' }],
  state: 'done',
  ...change,
})
const blob = { sha256: 'a'.repeat(64), bytes: 10, mimeType: 'image/png' }
const call = (change: Partial<ToolCall> = {}): ToolCall => ({
  id: 'call',
  providerId: 'p',
  modelName: 'files__read',
  server: 'files',
  tool: 'read',
  arguments: {},
  state: {
    kind: 'done',
    decision: { allowed: true, by: 'person', scope: 'once' },
    startedAt: 0,
    durationMs: 1,
    result: { content: [{ type: 'text', text: 'x'.repeat(40_000) }], isError: false, bytes: 40_000 },
  },
  ...change,
})
const withCall = (one: ToolCall): Message => answer('a', { parts: [{ kind: 'tool-call', call: one }] })
const measured = (...messages: Message[]) => measureContext({ system: 'x'.repeat(400), tools: [], messages, reader })

describe('what is measured of a context', () => {
  test('counts what is attached: a text by its length, a picture as one, a PDF by its pages', () => {
    const attached = (kind: 'text' | 'image' | 'pdf', more: object) => ({ id: kind, name: kind, kind, blob, ...more })
    const attachments = [attached('text', { length: 8000 }), attached('image', {}), attached('pdf', { pages: 3 })]
    const [message] = measured({ ...user('u', 'Look'), attachments }).messages
    const [words, picture, pages] = (message?.attachments ?? []).map(({ tokens }) => tokens)
    expect([words, picture, pages].map((tokens) => Math.floor((tokens ?? 0) / 100))).toEqual([20, 16, 60])
  })

  test('adds up, part by part', () => {
    const { system, tools, summary, messages, total } = measured(user('u', 'y'.repeat(400)), withCall(call()))
    expect(system).toBe(100)
    expect(total).toBe(system + tools + summary + messages.reduce((sum, { tokens }) => sum + tokens, 0))
    expect(
      messages.every(
        ({ words, attachments, results, tokens }) => tokens === [...attachments, ...results].reduce((sum, one) => sum + one.tokens, words),
      ),
    ).toBe(true)
  })

  test('is, of a result, the slice that the model gets; a note where it is left out; a picture by what pictures count', () => {
    const tokens = (one: ToolCall): number => measured(withCall(one)).messages[0]?.results[0]?.tokens ?? 0
    expect(tokens(call())).toBeGreaterThan(1000)
    expect(tokens(call())).toBeLessThan(1100)
    expect(tokens(call({ leftOut: 'person' }))).toBeLessThan(60)
    const { state } = call()
    if (state.kind !== 'done') throw new Error('it is done')
    const picture = call({ state: { ...state, result: { ...state.result, content: [{ type: 'image', blob }] } } })
    expect(tokens(picture)).toBeGreaterThanOrEqual(IMAGE_TOKENS)
  })

  test('is, of a search whose finds the provider reads by their names, the names; else its words', () => {
    const structuredContent = { found: ['files__read', 'files__write'] }
    const { state } = call()
    if (state.kind !== 'done') throw new Error('it is done')
    const search = call({ own: true, modelName: FIND_TOOLS, state: { ...state, result: { ...state.result, structuredContent } } })
    const tokens = (...names: string[]): number =>
      measureContext({ system: '', tools: [], messages: [withCall(search)], reader: { ...reader, byReference: new Set(names) } }).total
    expect([tokens('files__read', 'files__write') < 60, tokens('files__read') > 1000]).toEqual([true, true])
  })

  test('is, of what a summary covers, the summary alone', () => {
    const summary: Message = {
      ...base,
      role: 'summary',
      id: 's',
      model: 'anthropic/m',
      by: 'person',
      covers: { until: 'u1', messages: 1 },
      text: 'Short',
      state: 'done',
    }
    const long = [user('u1', 'y'.repeat(40_000)), answer('a1')]
    expect(measured(...long, summary).total).toBeLessThan(measured(...long).total / 2)
    expect(measured(...long, { ...summary, undone: true })).toEqual(measured(...long))
  })
})

describe('how far the count is off', () => {
  const counted = (input: number, estimate: number, model = 'anthropic/m'): Message =>
    answer('a', { model, estimate, usage: { inputTokens: input / 2, cacheReadTokens: input / 2, outputTokens: 9 } })

  test('is what the provider counted, from its cache or not, to what was estimated, in the latest request', () => {
    expect(calibrationOf([counted(900, 100), user('u', ''), counted(120, 100)], 'anthropic/m')).toBe(1.2)
  })

  test('is unknown for a model that has not counted yet, and never beyond reason', () => {
    expect(calibrationOf([user('u', ''), answer('a')], 'anthropic/m')).toBeUndefined()
    expect(calibrationOf([counted(120, 100)], 'openai/other')).toBeUndefined()
    expect(calibrationOf([counted(100_000, 1)], 'anthropic/m')).toBe(3)
    expect(calibrationOf([counted(2, 1000)], 'anthropic/m')).toBe(0.4)
  })
})
