import { describe, expect, test } from 'vitest'
import type { ModelInfo } from '#app/models/models.ts'
import { chooseModel, type ModelWishes } from './sampling.ts'

const model = (id: string, name: string, part: Partial<ModelInfo> = {}): ModelInfo => ({
  id,
  provider: 'anthropic',
  name,
  ai: true,
  ...part,
})
const large = model('anthropic/claude-opus-9', 'Claude Opus 9')
const middle = model('anthropic/claude-sonnet-9', 'Claude Sonnet 9')
const small = model('anthropic/claude-haiku-9', 'Claude Haiku 9', { images: false })
const smaller = model('anthropic/claude-haiku-8', 'Claude Haiku 8')
const practice = model('practice/practice', 'Practice', { provider: 'practice', ai: false })
const all = [large, middle, small, smaller, practice]

describe('the model that answers a server', () => {
  test.each<[string, Partial<ModelWishes>, ModelInfo, string]>([
    ['the first hint that fits', { hints: ['gpt', 'haiku', 'opus'] }, small, 'hint'],
    ['a hint in the name, whatever its case', { hints: ['claude opus'] }, large, 'hint'],
    ['of those that fit a hint, what the priorities say', { hints: ['claude'], priorities: { intelligence: 1 } }, large, 'hint'],
    ['of those that fit a hint equally, that of new chats', { hints: ['claude'] }, middle, 'hint'],
    ['never one that is no AI, by a hint', { hints: ['practice'] }, middle, 'default'],
    ['the most able where that counts most', { priorities: { intelligence: 0.9, speed: 0.2 } }, large, 'priorities'],
    ['the cheapest where that counts most', { priorities: { cost: 0.8, intelligence: 0.3 } }, small, 'priorities'],
    ['the fastest where that counts most', { priorities: { speed: 1, intelligence: 0.5 } }, small, 'priorities'],
    ['that of new chats where all counts the same', { priorities: { speed: 0.5, intelligence: 1, cost: 0.5 } }, middle, 'priorities'],
    ['that of new chats where nothing counts', { priorities: { speed: 0, cost: 0 } }, middle, 'default'],
    ['that of new chats without a wish', {}, middle, 'default'],
    ['one that sees, for pictures', { hints: ['haiku'], images: true }, smaller, 'hint'],
    ['the priorities, where no hint fits', { hints: ['gemini'], priorities: { cost: 1 } }, small, 'priorities'],
  ])('is %s', (_, wishes, expected, chosenBy) => {
    expect(chooseModel({ hints: [], images: false, ...wishes }, all, middle.id)).toEqual({ model: expected.id, chosenBy })
  })

  test('is that of new chats where there is no other, whatever the server wishes', () => {
    const wishes: ModelWishes = { hints: ['opus'], priorities: { cost: 1 }, images: true }
    expect(chooseModel(wishes, [practice], practice.id)).toEqual({ model: practice.id, chosenBy: 'default' })
  })
})
