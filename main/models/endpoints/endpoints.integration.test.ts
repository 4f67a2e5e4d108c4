// Endpoints that are added, and those found on this computer, over real HTTP on loopback.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventPayload } from '#app/contract/events.ts'
import type { Json } from '#app/json.ts'
import { defaultSettings } from '#app/settings.ts'
import { systemClock } from '#main/base/clock.ts'
import { createModels } from '#main/models/host-models.ts'
import type { Models } from '#main/models/models-api.ts'
import { type Reply, say } from '../../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../../e2e/model-server/server.ts'
import { endpointId } from './endpoints.ts'

const KEY = 'sk-or-abcdefghijklmnop-81fd'
let server: ModelServer
let made: Models[]
beforeEach(async () => {
  server = await startModelServer({ script: () => say('hi'), key: KEY })
  made = []
})
afterEach(async () => {
  for (const models of made) models.dispose()
  await server.close()
})

interface Kit {
  readonly models: Models
  readonly secrets: Map<string, string>
  readonly facts: Map<string, Json>
  readonly events: EventPayload<'models.changed'>[]
}
async function make(ports = '', before?: Kit): Promise<Kit> {
  const secrets = before?.secrets ?? new Map<string, string>()
  const facts = before?.facts ?? new Map<string, Json>()
  const events: EventPayload<'models.changed'>[] = []
  const silent = (): void => {}
  const models = createModels({
    secrets: {
      kind: 'keyring',
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
    emit: (_, payload) => void events.push(payload as EventPayload<'models.changed'>),
    clock: systemClock,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    env: { ASSENT_LOCAL_MODEL_PORTS: ports },
  })
  made.push(models)
  await models.load()
  return { models, secrets, facts, events }
}
const portOf = (url: string): string => new URL(url).port
const ids = (models: Models): string[] => models.list().map(({ id }) => id)
const view = (models: Models, id: string) => models.providers().find((one) => one.id === id)
const firstOf = async (models: Models, id: string): Promise<string | undefined> => {
  const request = { system: '', messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'a' }] }], tools: [] }
  for await (const event of models.stream(id, request, new AbortController().signal)) return event.type
  return undefined
}
const draft = (change: object = {}) => ({ name: 'My Router', baseUrl: server.url, key: KEY, ...change })

test('one that answers is kept, with its key in the secret store alone, and its models chat', async () => {
  const { models, secrets, facts, events } = await make()
  expect(await models.saveEndpoint(draft())).toEqual({ id: 'my-router', models: 2 })
  expect(ids(models)).toEqual(['my-router/claude-large-1', 'my-router/claude-small-1', 'practice/practice'])
  expect(view(models, 'my-router')).toMatchObject({
    name: 'My Router',
    baseUrl: `${server.url}/v1`,
    endpoint: 'added',
    key: { kind: 'set', hint: 'sk-or-…81fd' },
    modelCount: 2,
  })
  expect(secrets.get('key/my-router')).toBe(KEY)
  expect(JSON.stringify([[...facts], events])).not.toContain('abcdefgh')
  expect(await firstOf(models, 'my-router/claude-large-1')).toBe('text')
})

test('one that does not is refused and nothing is kept, unless the person says so', async () => {
  const { models, secrets, facts } = await make()
  await expect(models.saveEndpoint(draft({ key: 'sk-wrong' }))).rejects.toMatchObject({ code: 'model.key-refused' })
  await expect(models.saveEndpoint(draft({ key: null }))).rejects.toMatchObject({ code: 'model.key-missing' })
  await expect(models.saveEndpoint(draft({ baseUrl: `${server.url}/other` }))).rejects.toMatchObject({ code: 'model.endpoint-wrong' })
  await expect(models.saveEndpoint(draft({ baseUrl: 'ftp://a' }))).rejects.toMatchObject({ code: 'model.endpoint-wrong' })
  await expect(models.saveEndpoint(draft({ baseUrl: 'http://127.0.0.1:1' }))).rejects.toMatchObject({ code: 'model.offline' })
  expect([secrets.size, facts.size, ids(models)]).toEqual([0, 0, ['practice/practice']])
  expect(await models.saveEndpoint(draft({ baseUrl: 'http://127.0.0.1:1', unchecked: true }))).toEqual({ id: 'my-router', models: 0 })
})

test('the next run has it without asking', async () => {
  const before = await make()
  await before.models.saveEndpoint(draft())
  const asked = server.listings.length
  const { models } = await make('', before)
  expect([ids(models).length, server.listings.length - asked, await firstOf(models, 'my-router/claude-small-1')]).toEqual([3, 0, 'text'])
})

test('a new name keeps its id and key; a new origin does not get the key', async () => {
  const { models, secrets } = await make()
  await models.saveEndpoint(draft())
  expect(await models.saveEndpoint({ id: 'my-router', name: 'Router', baseUrl: `${server.url}/v1` })).toEqual({
    id: 'my-router',
    models: 2,
  })
  expect([view(models, 'my-router')?.name, [...secrets.keys()]]).toEqual(['Router', ['key/my-router', 'key/my-router/origin']])
  const heard: string[] = []
  const elsewhere = await startModelServer({
    script: () => say(''),
    control: async (request) => {
      heard.push(String(request.headers['authorization']))
      return false
    },
  })
  try {
    await models.saveEndpoint({ id: 'my-router', name: 'Router', baseUrl: elsewhere.url })
    expect([[...new Set(heard)], secrets.size, view(models, 'my-router')?.key]).toEqual([['undefined'], 0, { kind: 'not-needed' }])
  } finally {
    await elsewhere.close()
  }
})

test('removed, it is gone from everywhere', async () => {
  const { models, secrets, facts } = await make()
  await models.saveEndpoint(draft())
  await models.removeEndpoint('my-router')
  expect([ids(models), secrets.size, JSON.stringify([...facts])]).toEqual([['practice/practice'], 0, '[["models/endpoints",[]]]'])
  await expect(async () => firstOf(models, 'my-router/claude-large-1')).rejects.toMatchObject({ code: 'model.unknown' })
})

test('a list that cannot be fetched leaves the one that is there, and says why', async () => {
  const { models } = await make()
  await models.saveEndpoint(draft())
  server.setKey('another')
  await models.refresh()
  expect([ids(models).length, view(models, 'my-router')?.error?.code]).toEqual([3, 'model.key-refused'])
  server.setKey(KEY)
  await models.refresh()
  expect(view(models, 'my-router')).not.toHaveProperty('error')
})

test('what serves models on this computer is found, without a key, only when asked for, and not again at once', async () => {
  server.setKey(undefined)
  const kit = await make(`${portOf(server.url)},1`)
  const id = `local-${portOf(server.url)}`
  expect([ids(kit.models), server.listings.length]).toEqual([['practice/practice'], 0])
  await Promise.all([kit.models.lookHere(false), kit.models.lookHere(false)])
  await kit.models.lookHere(false)
  expect([ids(kit.models).length, server.listings.length, server.listings[0]?.headers['authorization']]).toEqual([3, 1, undefined])
  expect(view(kit.models, id)).toMatchObject({ endpoint: 'local', modelCount: 2, key: { kind: 'not-needed' } })
  expect(kit.models.providers().filter(({ endpoint }) => endpoint === 'local')).toHaveLength(1)
  expect(await firstOf(kit.models, `${id}/claude-small-1`)).toBe('text')
  await kit.models.lookHere(true)
  expect(server.listings).toHaveLength(2)
})

test('one that was found and is gone stays with its models, and says that nothing answers', async () => {
  server.setKey(undefined)
  const port = portOf(server.url)
  const before = await make(port)
  await before.models.lookHere(true)
  await server.close()
  const { models } = await make(port, before)
  await models.lookHere(true)
  expect([ids(models).length, view(models, `local-${port}`)?.error?.code]).toEqual([3, 'model.offline'])
})

test('an address that was added is not shown a second time', async () => {
  const { models } = await make(portOf(server.url))
  await models.saveEndpoint(draft({ name: 'Mine' }))
  await models.lookHere(true)
  expect(models.providers().map(({ id }) => id)).toEqual(['anthropic', 'mine', 'practice'])
})

test('ids are made of the name, and are nobody else’s', () => {
  const taken = new Set(['ollama'])
  const names = ['OpenAI', 'Anthropic', 'Öl & Gas!', 'ollama', '日本', 'practice']
  expect(names.map((name) => endpointId(name, (id) => taken.has(id)))).toEqual([
    'openai',
    'anthropic-2',
    'o-l-gas',
    'ollama-2',
    'endpoint',
    'practice-2',
  ])
})

test('what an endpoint refused it is not told of again, by no message after the first, until its address or key is another', async () => {
  const refused: Reply = {
    kind: 'raw',
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { message: 'No.', param: 'stream_options' } }),
  }
  await server.close()
  server = await startModelServer({ script: ({ body }) => ('stream_options' in body ? refused : say('hi')) })
  const { models } = await make()
  const { id } = await models.saveEndpoint(draft({ baseUrl: server.url, key: null }))
  const [model = ''] = ids(models)
  const told = (): boolean[] => server.requests.map(({ body }) => 'stream_options' in body)
  await firstOf(models, model)
  await firstOf(models, model)
  expect(told()).toEqual([true, false, false])
  await models.saveEndpoint(draft({ id, baseUrl: server.url, key: 'another' }))
  await firstOf(models, model)
  expect(told()).toEqual([true, false, false, true, false])
})
