// The list of models and the key, with the scripted server as Anthropic.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventPayload } from '#app/contract/events.ts'
import { HostError } from '#app/errors.ts'
import type { Json } from '#app/json.ts'
import { defaultSettings } from '#app/settings.ts'
import { systemClock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { SecretStore } from '#main/base/secret-store.ts'
import type { SettingsStore } from '#main/store/store-api.ts'
import { fail, say } from '../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../e2e/model-server/server.ts'
import { requireModel } from './default-model.ts'
import { createModels } from './host-models.ts'
import type { Models } from './models-api.ts'

const KEY = 'sk-ant-api03-abcdefghijklmnop-q7Rw'
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
  readonly events: EventPayload<'models.changed'>[]
  readonly secrets: Map<string, string>
  readonly facts: Map<string, Json>
  readonly logged: string[]
}
/** `before`: an earlier run over the same profile. */
function make(env: Record<string, string> = {}, before?: Kit, readKey?: SecretStore['get']): Kit {
  const secrets = before?.secrets ?? new Map<string, string>()
  const facts = before?.facts ?? new Map<string, Json>()
  const events: EventPayload<'models.changed'>[] = []
  const logged: string[] = []
  const write = (message: string): void => void logged.push(message)
  const log: Log = { debug: write, info: write, warn: write, error: write }
  const keyStore: SecretStore = {
    kind: 'keyring',
    get: readKey ?? (async (name) => secrets.get(name)),
    set: async (name, value) => void secrets.set(name, value),
    delete: async (name) => void secrets.delete(name),
  }
  const settings: SettingsStore = {
    get: () => defaultSettings,
    set: () => defaultSettings,
    fact: (name) => facts.get(name),
    setFact: (name, value) => void facts.set(name, value),
  }
  const models = createModels({
    secrets: keyStore,
    settings,
    emit: (_, payload) => void events.push(payload as EventPayload<'models.changed'>),
    clock: systemClock,
    log,
    env: { ANTHROPIC_BASE_URL: server.url, ...env },
  })
  made.push(models)
  return { models, events, secrets, facts, logged }
}
const ids = (models: Models): string[] => models.list().map(({ id }) => id)
const anthropic = (models: Models) => models.providers().find(({ id }) => id === 'anthropic')

const first = async (models: Models, id: string): Promise<unknown> => {
  for await (const event of models.stream(
    id,
    { system: '', messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }], tools: [] },
    new AbortController().signal,
  ))
    return event.type
  return undefined
}

test('without a key there is the practice model alone, and nothing goes over the network', async () => {
  const { models } = make()
  await models.load()
  await models.refresh()
  expect([ids(models), anthropic(models)?.key, server.listings.length]).toEqual([['practice/practice'], { kind: 'missing' }, 0])
  await expect(async () => first(models, 'anthropic/claude-large-1')).rejects.toMatchObject({ code: 'model.key-missing' })
  await expect(async () => first(models, 'nonsense')).rejects.toMatchObject({ code: 'model.unknown' })
  expect(await first(models, 'practice/practice')).toBe('text')
})

test('a key that works is kept, shown by its ends only, and brings the models', async () => {
  const kit = make()
  await kit.models.load()
  expect(await kit.models.setKey('anthropic', ` ${KEY}\n`)).toBe(2)
  expect(ids(kit.models)).toEqual(['anthropic/claude-large-1', 'anthropic/claude-small-1', 'practice/practice'])
  expect(anthropic(kit.models)).toMatchObject({
    key: { kind: 'set', hint: 'sk-ant-…q7Rw', source: 'keyring' },
    baseUrl: server.url,
    modelCount: 2,
  })
  expect(kit.secrets.get('key/anthropic')).toBe(KEY)
  expect(JSON.stringify([kit.events, [...kit.facts], kit.logged])).not.toContain('abcdefgh')
  expect(await first(kit.models, 'anthropic/claude-large-1')).toBe('usage')
})

test('a key that is set while the one before is still being read stays, with its models', async () => {
  const { promise: read, resolve } = Promise.withResolvers<undefined>()
  const kit = make({}, undefined, () => read)
  const loading = kit.models.load()
  const setting = kit.models.setKey('anthropic', KEY)
  await Promise.race([setting, new Promise((done) => setTimeout(done, 500))])
  resolve(undefined)
  await Promise.all([loading, setting])
  expect([ids(kit.models).length, anthropic(kit.models)?.modelCount]).toEqual([3, 2])
})

test('a key that is refused is not kept, and the one before stays', async () => {
  const kit = make()
  await kit.models.load()
  await kit.models.setKey('anthropic', KEY)
  await expect(kit.models.setKey('anthropic', 'sk-ant-wrong-abcdefgh')).rejects.toMatchObject({ code: 'model.key-refused' })
  expect([kit.secrets.get('key/anthropic'), anthropic(kit.models)?.modelCount]).toEqual([KEY, 2])
})

test('the next run has the list without asking for it', async () => {
  const before = make()
  await before.models.load()
  await before.models.setKey('anthropic', KEY)
  const asked = server.listings.length
  const after = make({}, before)
  await after.models.load()
  expect([
    ids(after.models).length,
    server.listings.length - asked,
    typeof after.models.find('anthropic/claude-large-1')?.maxOutputTokens,
  ]).toEqual([3, 0, 'number'])
})

test('a list of a version that read less of a model shows at once, and is fetched again', async () => {
  const before = make()
  await before.models.load()
  await before.models.setKey('anthropic', KEY)
  const { read, ...older } = before.facts.get('models/anthropic') as Record<string, Json>
  expect(read).toBeDefined()
  before.facts.set('models/anthropic', older)
  const after = make({}, before)
  await after.models.load()
  expect(ids(after.models)).toHaveLength(3)
  await expect.poll(() => after.facts.get('models/anthropic')).toMatchObject({ read })
})

test('a list that was remembered from another address is not used', async () => {
  const before = make()
  await before.models.load()
  await before.models.setKey('anthropic', KEY)
  const after = make({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }, before)
  await after.models.load()
  expect(ids(after.models)).toEqual(['practice/practice'])
})

test('the key of the environment wins, is said to be from there, and its list is fetched behind the start', async () => {
  const kit = make({ ANTHROPIC_API_KEY: KEY })
  kit.secrets.set('key/anthropic', 'sk-ant-kept-abcdefghijk')
  await kit.models.load()
  expect(anthropic(kit.models)?.key).toMatchObject({ kind: 'set', source: 'environment', hint: 'sk-ant-…q7Rw' })
  await expect.poll(() => ids(kit.models).length).toBe(3)
  expect(kit.events.at(-1)?.models).toHaveLength(3)
})

test('loading and refreshing at once fetch the list once, and do not lose it', async () => {
  const { models } = make({ ANTHROPIC_API_KEY: KEY })
  await models.load()
  await Promise.all([models.refresh(), models.load()])
  expect([ids(models).length, server.listings.length]).toEqual([3, 1])
})

test('a list that cannot be fetched leaves the one that is there, and the view says why', async () => {
  const kit = make()
  await kit.models.load()
  await kit.models.setKey('anthropic', KEY)
  server.setKey('another')
  await kit.models.refresh()
  expect([ids(kit.models).length, anthropic(kit.models)?.error?.code]).toEqual([3, 'model.key-refused'])
  server.setKey(KEY)
  await kit.models.refresh()
  expect(anthropic(kit.models)).not.toHaveProperty('error')
})

test('a removed key is gone from everywhere', async () => {
  const kit = make()
  await kit.models.load()
  await kit.models.setKey('anthropic', KEY)
  await kit.models.removeKey('anthropic')
  expect([ids(kit.models), kit.secrets.size, anthropic(kit.models)?.key]).toEqual([['practice/practice'], 0, { kind: 'missing' }])
})

test('an error of the stream names its model and not the key', async () => {
  const kit = make()
  await kit.models.load()
  await kit.models.setKey('anthropic', KEY)
  server.setScript(() => fail(404, 'not_found_error'))
  await expect(first(kit.models, 'anthropic/gone')).rejects.toMatchObject({ code: 'model.unknown', data: { model: 'gone' } })
})

describe('a model that is not in the list is refused with the real reason', () => {
  const reason = (models: Models, id = 'anthropic/claude-large-1'): unknown => {
    try {
      return requireModel(models, id).id
    } catch (error) {
      return error instanceof HostError ? error.code : error
    }
  }

  test.each<[string, Record<string, string>, string]>([
    ['a key that is refused', { ANTHROPIC_API_KEY: 'sk-ant-wrong-abcdefgh' }, 'model.key-refused'],
    ['no network', { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }, 'model.offline'],
    ['no key', {}, 'model.key-missing'],
  ])('%s', async (_title, env, code) => {
    const { models } = make(env)
    await models.load()
    await models.refresh()
    expect(reason(models)).toBe(code)
  })

  test('a list that has others', async () => {
    const { models } = make({ ANTHROPIC_API_KEY: KEY })
    await models.load()
    await models.refresh()
    expect([reason(models, 'anthropic/gone'), reason(models, 'nonsense'), reason(models)]).toEqual([
      'model.unknown',
      'model.unknown',
      'anthropic/claude-large-1',
    ])
  })

  test('a keyring that cannot be read is not a missing key', async () => {
    const { models } = make({}, undefined, async () => {
      throw new HostError('secrets.unavailable', 'The keyring is locked.')
    })
    await models.load()
    expect(reason(models)).toBe('secrets.unavailable')
    await expect(async () => first(models, 'anthropic/claude-large-1')).rejects.toMatchObject({ code: 'secrets.unavailable' })
  })
})
