// The best model of a provider that was just added becomes the model of new chats in place of the practice model, in every format.
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { type EndpointFormat, endpointFormats } from '#app/models/presets.ts'
import { systemClock } from '#main/base/clock.ts'
import { createModels } from '#main/models/host-models.ts'
import { makeProfile } from '#main/store/store.testing.ts'
import { startCloud } from '../ai-sdk/cloud-server.testing.ts'
import { adoptAdded, adoptDefault } from '../default-model.ts'

const named = (...ids: readonly string[]) => ({ data: ids.map((id) => ({ id, display_name: id, type: 'model' })), has_more: false })
const gemini = (name: string) => ({ name: `models/${name}`, displayName: name, supportedGenerationMethods: ['generateContent'] })
const summary = (modelId: string) => ({ modelId, modelName: modelId, inferenceTypesSupported: ['ON_DEMAND'], outputModalities: ['TEXT'] })

/** Address, what it lists, and the model to begin with. */
const formats: Readonly<Record<EndpointFormat, readonly [url: string, list: object, best: string]>> = {
  openai: ['https://lab.example/v1', named('house-1', 'mistral-medium-latest'), 'mistral-medium-latest'],
  'openai-responses': ['https://lab.example/v1', named('gpt-5.5', 'gpt-4o', 'gpt-5.6'), 'gpt-5.6'],
  anthropic: ['https://lab.example', named('claude-opus-5', 'claude-sonnet-5'), 'claude-sonnet-5'],
  gemini: [
    'https://lab.example/v1beta',
    { models: [gemini('gemini-2.5-pro'), gemini('gemini-2.5-flash'), gemini('gemini-3.5-flash')] },
    'gemini-3.5-flash',
  ],
  bedrock: [
    'https://bedrock-runtime.eu-west-1.amazonaws.com',
    { modelSummaries: ['amazon.nova-lite-v1:0', 'anthropic.claude-sonnet-4-6'].map(summary) },
    'anthropic.claude-sonnet-4-6',
  ],
  vertex: ['https://aiplatform.googleapis.com/v1beta1/projects/lab-1/locations/global', { totalTokens: 1 }, 'gemini-3.5-flash'],
}

const profiles: { dispose(): void }[] = []
afterEach(() => {
  for (const profile of profiles.splice(0)) profile.dispose()
})

test.each(endpointFormats)('%s', async (format) => {
  const [baseUrl, list, best] = formats[format]
  const { fetch } = await startCloud(() => ({ body: JSON.stringify(list) }))
  const profile = makeProfile()
  profiles.push(profile)
  const { settings } = profile.store()
  const silent = (): void => {}
  const secrets = { kind: 'memory' as const, get: async () => undefined, set: async () => {}, delete: async () => {} }
  const log = { debug: silent, info: silent, warn: silent, error: silent }
  const models = createModels({ secrets, settings, emit: silent, clock: systemClock, log, env: { ASSENT_LOCAL_MODEL_PORTS: '' }, fetch })
  onTestFinished(() => models.dispose())
  await models.load()
  adoptDefault(settings, models.list())
  expect(settings.get().defaultModel).toBe('practice/practice')
  const { id } = await models.saveEndpoint({ name: 'Lab', baseUrl, format, key: 'key-1' })
  const added = models.list().filter(({ provider }) => provider === id)
  expect(adoptAdded(settings, models.list(), added)?.defaultModel).toBe(`lab/${best}`)
  expect(settings.get().defaultModel).toBe(`lab/${best}`)
})
