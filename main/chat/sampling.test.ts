import { describe, expect, test } from 'vitest'
import type { ModelInfo } from '#app/chat/models.ts'
import { chooseModel } from './sampling.ts'

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
