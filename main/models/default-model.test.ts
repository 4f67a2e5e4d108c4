import { afterEach, describe, expect, test } from 'vitest'
import type { ModelInfo } from '#app/models/models.ts'
import { makeProfile } from '#main/store/store.testing.ts'
import { adoptDefault, fittingAmong, fittingDefault, markModelChosen } from './default-model.ts'

const practice: ModelInfo = { id: 'practice/practice', provider: 'practice', name: 'Practice model', ai: false }
const claude = (name: string): ModelInfo => ({ id: `anthropic/claude-${name}`, provider: 'anthropic', name, ai: true })

const profiles: { dispose(): void }[] = []
afterEach(() => {
  for (const profile of profiles.splice(0)) profile.dispose()
})

describe('the model of new chats', () => {
  test.each<[string, ModelInfo[], string | undefined]>([
    ['the practice model while there is no other', [practice], 'practice/practice'],
    ['the first Sonnet', [claude('opus-5'), claude('sonnet-5'), claude('sonnet-4'), practice], 'anthropic/claude-sonnet-5'],
    ['else the first AI', [claude('large-1'), claude('small-1'), practice], 'anthropic/claude-large-1'],
    ['none of an endpoint, which may be any', [{ ...claude('x'), id: 'lab/sonnet', provider: 'lab' }, practice], 'practice/practice'],
    ['nothing, where there is nothing', [], undefined],
  ])('is %s', (_, models, id) => expect(fittingDefault(models)).toBe(id))

  test('follows what is there until the person chooses', () => {
    const profile = makeProfile()
    profiles.push(profile)
    const { settings } = profile.store()
    expect(adoptDefault(settings, [practice])).toBeUndefined()
    expect(adoptDefault(settings, [claude('large-1'), practice])?.defaultModel).toBe('anthropic/claude-large-1')
    expect(adoptDefault(settings, [practice])?.defaultModel).toBe('practice/practice')
    markModelChosen(settings)
    expect(adoptDefault(settings, [claude('large-1'), practice])).toBeUndefined()
  })
})

describe('of an endpoint’s models new chats begin with', () => {
  const of = (...names: readonly (string | Partial<ModelInfo>)[]): ModelInfo[] =>
    names.map((one) => {
      const part = typeof one === 'string' ? { name: one } : one
      return { id: `lab/${part.name}`, provider: 'lab', name: '', ai: true, ...part }
    })
  test.each<[string, ModelInfo[], string | undefined]>([
    // The order is the one in which OpenAI lists them: none.
    ['the newest plain GPT', of('gpt-4-0613', 'gpt-3.5-turbo', 'gpt-5.5', 'gpt-5.6-pro', 'gpt-5.6', 'gpt-4o'), 'lab/gpt-5.6'],
    [
      'a Sonnet where there is one',
      of('openai/gpt-5.6', 'anthropic/claude-opus-5', 'anthropic/claude-sonnet-5'),
      'lab/anthropic/claude-sonnet-5',
    ],
    [
      'the newest Sonnet of a region, whatever its address',
      of(
        'us.anthropic.claude-sonnet-4-20250514-v1:0',
        'global.anthropic.claude-sonnet-4-6',
        'eu.anthropic.claude-3-5-sonnet-20240620-v1:0',
      ),
      'lab/global.anthropic.claude-sonnet-4-6',
    ],
    [
      'the newest Gemini Flash, not a Claude that has to be enabled',
      of('claude-sonnet-5@default', 'gemini-2.5-flash', 'gemini-3.5-flash'),
      'lab/gemini-3.5-flash',
    ],
    ['the first where no family is known', of('house-2', 'house-1'), 'lab/house-2'],
    ['one that takes tools', of({ name: 'base', tools: false }, 'chat'), 'lab/chat'],
    ['one without tools where all are', of({ name: 'base', tools: false }), 'lab/base'],
    ['none where there is none', [], undefined],
  ])('%s', (_, models, id) => expect(fittingAmong(models)?.id).toBe(id))
})
