import { ProtocolError } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import type { ModelInfo } from '#app/chat/models.ts'
import { chooseModel, samplingTexts } from './sampling.ts'

const model = (id: string, name: string, ai = true): ModelInfo => ({ id, provider: ai ? 'anthropic' : 'practice', name, ai })
const models = [
  model('anthropic/claude-large-1', 'Claude Large 1'),
  model('anthropic/claude-small-2', 'Claude Small 2'),
  model('practice/practice', 'Practice', false),
]

describe('the model that answers a server', () => {
  test.each<[string, string[], string]>([
    ['the first hint that fits', ['gpt', 'small', 'large'], 'anthropic/claude-small-2'],
    ['a hint in the name', ['Claude Large'], 'anthropic/claude-large-1'],
    ['never one that is no AI, by a hint', ['practice'], 'fallback'],
    ['that of new chats without a hint', [], 'fallback'],
  ])('is %s', (_, hints, expected) => {
    expect(chooseModel(hints, models, 'fallback')).toBe(expected)
  })
})

describe('a sampling request', () => {
  const params = (content: object, more: object = {}) => ({ messages: [{ role: 'user', content }], maxTokens: 5, ...more }) as never

  test('is read as text, in one block or several', () => {
    expect(samplingTexts(params({ type: 'text', text: 'a' }))).toEqual([{ role: 'user', text: 'a' }])
    expect(
      samplingTexts(
        params([
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ]),
      ),
    ).toEqual([{ role: 'user', text: 'a\nb' }])
  })

  test.each<[string, object, object]>([
    ['an image', { type: 'image', data: '', mimeType: 'image/png' }, {}],
    ['tools', { type: 'text', text: 'a' }, { tools: [{ name: 'x', inputSchema: { type: 'object' } }] }],
  ])('with %s is refused by a protocol error', (_, content, more) => {
    expect(() => samplingTexts(params(content, more))).toThrow(ProtocolError)
  })
})
