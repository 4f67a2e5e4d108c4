import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type ModelInfo, modelInfo } from '#app/models/models.ts'
import { costOf } from '#app/models/usage.ts'
import { filled, fillModels, readCatalogue } from './catalogue.ts'
import { fromModelsDev } from './models-dev.ts'

const openai = 'https://api.openai.com/v1'
const model = (name: string, said: Partial<ModelInfo> = {}): ModelInfo => ({
  id: `mine/${name}`,
  provider: 'mine',
  name,
  ai: true,
  ...said,
})

test('a list that names nothing has limits, abilities and prices from the package', async () => {
  const [found] = await fillModels([model('gpt-5.5')], openai)
  expect(found).toEqual({
    ...model('gpt-5.5'),
    contextTokens: 1_050_000,
    maxInputTokens: 922_000,
    maxOutputTokens: 128_000,
    images: true,
    documents: true,
    tools: true,
    reasoning: true,
    structuredOutput: true,
    temperature: false,
    efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
    price: { input: 5, output: 30, cacheRead: 0.5, above: [{ tokens: 272_000, input: 10, output: 45, cacheRead: 1 }] },
  })
})

test('the word of the endpoint wins', async () => {
  const said = { contextTokens: 64_000, tools: false, images: false, efforts: [], price: { input: 1, output: 2 } }
  const [found] = await fillModels([model('gpt-5.5', said)], openai)
  expect(found).toMatchObject(said)
  expect(found?.maxInputTokens).toBeUndefined()
})

test('models of this computer stay as they say they are', async () => {
  expect(await fillModels([model('gpt-5.5')], 'http://127.0.0.1:11434/v1')).toEqual([model('gpt-5.5')])
})

test('every entry of the package makes a valid model', async () => {
  const { vendors } = await readCatalogue()
  const made = Object.values(vendors).flatMap((models) => Object.entries(models).map(([name, entry]) => filled(model(name), entry)))
  expect(made.length).toBeGreaterThan(1000)
  expect(made.filter((one) => !modelInfo.safeParse(one).success)).toEqual([])
  expect(Object.keys(vendors).length).toBeGreaterThan(25)
})

test('the file is small', () => {
  expect(statSync(resolve('resources/models/catalogue.json')).size).toBeLessThan(300_000)
})

test('a long request costs what its step costs', async () => {
  const [found] = await fillModels([model('gpt-5.5')], openai)
  const cost = (inputTokens: number) => costOf({ inputTokens, outputTokens: 0 }, found?.price)
  expect([cost(200_000), cost(300_000)]).toEqual([1, 3])
})

test('what does not chat is marked', async () => {
  const names = ['text-embedding-3-large', 'gpt-image-1', 'gpt-5.5', 'unknown']
  expect(
    (
      await fillModels(
        names.map((name) => model(name)),
        openai,
      )
    ).map(({ chat }) => chat),
  ).toEqual([false, false, undefined, undefined])
})

test('of the open data only models that fit are taken', () => {
  const whole = {
    reasoning: false,
    tool_call: true,
    open_weights: false,
    modalities: { input: ['text'], output: ['text'] },
    limit: { context: 1000, output: 1000 },
    cost: { input: 1, output: 2, cache_write: 3 },
  }
  const models = { whole, broken: { ...whole, limit: 'none' }, trial: { ...whole, status: 'beta' } }
  const entry = { context: 1000, does: 'tools', efforts: '', price: [1, 2, 1, 3] }
  expect(fromModelsDev({ openai: { models }, unheard: { models } })).toEqual({
    openai: { trial: { ...entry, status: 'preview' }, whole: entry },
  })
  expect(() => fromModelsDev([])).toThrow()
})
