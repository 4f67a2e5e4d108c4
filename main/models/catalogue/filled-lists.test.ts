// The lists of the host with the catalogue behind them: an endpoint that is added, one that an earlier version has saved, Anthropic.
import { expect, test } from 'vitest'
import type { Json } from '#app/json.ts'
import { defaultSettings } from '#app/settings.ts'
import { systemClock } from '#main/base/clock.ts'
import type { GatheredContext } from '#main/chat/context/build-context.ts'
import { roomLimit } from '#main/chat/context/compaction-plan.ts'
import { createModels } from '../host-models.ts'

const silent = (): void => {}
const answer = {
  object: 'list',
  data: [
    { id: 'gpt-5', object: 'model', owned_by: 'system' },
    { id: 'grok-imagine-image', object: 'model' },
  ],
}

async function open(facts: Map<string, Json>, body: Json = answer) {
  const secrets = new Map<string, string>()
  const models = createModels({
    secrets: {
      kind: 'memory',
      get: async (name) => secrets.get(name),
      set: async (name, value) => void secrets.set(name, value),
      delete: async (name) => void secrets.delete(name),
    },
    settings: {
      get: () => defaultSettings,
      set: () => defaultSettings,
      fact: (name) => facts.get(name),
      setFact: (name, value) => void facts.set(name, value),
    },
    emit: silent,
    clock: systemClock,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    env: { ASSENT_LOCAL_MODEL_PORTS: '' },
    fetch: async () => Response.json(body),
  })
  await models.load()
  return models
}
const added = { name: 'OpenAI', baseUrl: 'https://api.openai.com/v1', key: 'sk-1' }

test('a list of ids has its limits before the first message, and a request stays below the longest one', async () => {
  const models = await open(new Map())
  await models.saveEndpoint(added)
  const info = models.find('openai/gpt-5')
  expect(info).toMatchObject({ contextTokens: 400_000, maxInputTokens: 272_000, maxOutputTokens: 128_000, images: true, tools: true })
  const gathered = { info, messages: [], conversation: {} } as unknown as GatheredContext // Only these are read.
  expect(roomLimit(gathered, 80)).toBe(272_000)
  models.dispose()
})

test('what cannot chat is marked where its name does not say so', async () => {
  const models = await open(new Map())
  await models.saveEndpoint({ ...added, name: 'xAI', baseUrl: 'https://api.x.ai/v1' })
  expect(models.list().map(({ id, chat }) => [id, chat])).toEqual([
    ['xai/gpt-5', undefined],
    ['xai/grok-imagine-image', false],
    ['practice/practice', undefined],
  ])
  models.dispose()
})

test('a list that was saved before there was a catalogue is filled as it is read, without a request', async () => {
  const saved = { id: 'openai', name: 'OpenAI', baseUrl: added.baseUrl, kind: 'added', keyed: false, checkedAt: 1 }
  const mine = { id: 'openai/gpt-5', provider: 'openai', name: 'gpt-5', ai: true }
  const models = await open(new Map<string, Json>([['models/endpoints', [{ ...saved, models: [mine] }]]]))
  expect(models.find('openai/gpt-5')?.contextTokens).toBe(400_000)
  models.dispose()
})

test('Anthropic’s list has prices, and keeps what it says of thinking', async () => {
  const model = { type: 'model', id: 'claude-opus-4-8', display_name: 'Claude Opus 4.8', created_at: '2026-01-01T00:00:00Z' }
  const models = await open(new Map(), { data: [{ ...model, max_input_tokens: 500_000 }], has_more: false, first_id: null, last_id: null })
  await models.setKey('anthropic', 'sk-ant-1')
  expect(models.find('anthropic/claude-opus-4-8')).toMatchObject({
    name: 'Claude Opus 4.8',
    contextTokens: 500_000,
    maxOutputTokens: 128_000,
    price: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  })
  expect(models.find('anthropic/claude-opus-4-8')?.efforts).toBeUndefined()
  models.dispose()
})
