// Format, extra headers and query, and keys from the environment, over real HTTP on loopback.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Json } from '#app/json.ts'
import { defaultSettings } from '#app/settings.ts'
import { systemClock } from '#main/base/clock.ts'
import { createModels } from '#main/models/host-models.ts'
import type { Models } from '#main/models/models-api.ts'
import { say } from '../../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../../e2e/model-server/server.ts'
import { keptKey, keyInEnvironment } from '../ai-sdk/cloud-keys.ts'
import { endpointFetch } from './endpoint-provider.ts'

const KEY = 'sk-lab-abcdefghijklmnop-81fd'
let server: ModelServer
let asked: string[]
let made: Models[]
beforeEach(async () => {
  asked = []
  made = []
  const control = async ({ url = '' }: { readonly url?: string | undefined }): Promise<boolean> => {
    asked.push(url)
    return false
  }
  server = await startModelServer({ script: () => say('hi'), key: KEY, control })
})
afterEach(async () => {
  for (const models of made) models.dispose()
  await server.close()
})

const newKept = () => ({ secrets: new Map<string, string>(), facts: new Map<string, Json>() })
async function make(env: Readonly<Record<string, string>>, { secrets, facts } = newKept()): Promise<Models> {
  const silent = (): void => {}
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
    env: { ...env, ASSENT_LOCAL_MODEL_PORTS: '' },
  })
  made.push(models)
  await models.load()
  return models
}
const view = (models: Models, id: string) => models.providers().find((one) => one.id === id)
async function answer(models: Models, id: string): Promise<string> {
  const request = { system: '', messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'a' }] }], tools: [] }
  let text = ''
  for await (const event of models.stream(id, request, new AbortController().signal)) if (event.type === 'text') text += event.text
  return text
}
const draft = (change: object = {}) => ({ name: 'Lab', baseUrl: server.url, key: KEY, ...change })

test('an endpoint in the format of Anthropic lists and chats under its own id, with its own name in errors', async () => {
  const models = await make({})
  expect(await models.saveEndpoint(draft({ format: 'anthropic', baseUrl: `${server.url}/v1/messages` }))).toEqual({ id: 'lab', models: 2 })
  expect(view(models, 'lab')).toMatchObject({ format: 'anthropic', baseUrl: server.url })
  expect(await answer(models, 'lab/claude-large-1')).toBe('hi')
  expect(server.requests.map(({ path, body }) => [path, body['model']])).toEqual([['/v1/messages', 'claude-large-1']])
  expect(models.find('lab/claude-small-1')).toMatchObject({ provider: 'lab', maxOutputTokens: 8192 })
  server.setKey('another')
  await expect(answer(models, 'lab/claude-large-1')).rejects.toMatchObject({ code: 'model.key-refused', message: 'Lab refused the key.' })
})

test('what was stored without a format is chat completions', async () => {
  const kept = newKept()
  const stored = { id: 'old', name: 'Old', baseUrl: `${server.url}/v1`, kind: 'added', keyed: true, models: [] }
  kept.facts.set('models/endpoints', [stored])
  kept.secrets.set('key/old', KEY)
  const models = await make({}, kept)
  await models.refresh()
  expect([view(models, 'old')?.format, await answer(models, 'old/claude-large-1')]).toEqual(['openai', 'hi'])
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions'])
})

test.each(['openai', 'anthropic'] as const)('extra headers and query go with each request in the format %s', async (format) => {
  const models = await make({})
  const extras = { headers: { 'X-Team': 'blue' }, query: { 'api-version': 'preview' } }
  await models.saveEndpoint(draft({ format, ...extras }))
  await answer(models, 'lab/claude-large-1')
  expect([...server.listings, ...server.requests].map(({ headers }) => headers['x-team'])).toEqual(['blue', 'blue'])
  expect(new Set(asked.map((url) => new URL(url, server.url).searchParams.get('api-version')))).toEqual(new Set(['preview']))
})

test('a header that looks secret is kept as a key is: not in the settings, not in the page, not at another origin', async () => {
  const kept = newKept()
  const models = await make({}, kept)
  await models.saveEndpoint(draft({ headers: { 'X-Team': 'blue', 'X-Api-Token': 'hush-hush' } }))
  expect(JSON.stringify([[...kept.facts], models.providers()])).not.toContain('hush-hush')
  expect(view(models, 'lab')?.headers).toEqual({ 'X-Team': 'blue', 'X-Api-Token': '' })
  const next = await make({}, kept)
  await answer(next, 'lab/claude-large-1')
  expect(server.requests.at(-1)?.headers['x-api-token']).toBe('hush-hush')
  const elsewhere = await startModelServer({ script: () => say('') })
  try {
    await next.saveEndpoint({ id: 'lab', name: 'Lab', baseUrl: elsewhere.url })
    expect(elsewhere.listings.map(({ headers }) => [headers['x-team'], headers['x-api-token'] ?? '', headers['authorization']])).toEqual([
      ['blue', '', undefined],
    ])
    expect([...kept.secrets.keys()]).toEqual([])
  } finally {
    await elsewhere.close()
  }
})

test('of a key in a variable only the name is kept, and its value is read at each start', async () => {
  const kept = newKept()
  const models = await make({ LAB_KEY: KEY }, kept)
  await models.saveEndpoint(draft({ key: undefined, keyEnv: 'LAB_KEY' }))
  expect(view(models, 'lab')).toMatchObject({ keyEnv: 'LAB_KEY', key: { kind: 'set', source: 'environment' } })
  expect([kept.secrets.size, JSON.stringify([...kept.facts]).includes('abcdefgh')]).toEqual([0, false])
  expect(await answer(await make({ LAB_KEY: KEY }, kept), 'lab/claude-large-1')).toBe('hi')
  expect(view(await make({}, kept), 'lab')?.key).toEqual({ kind: 'missing' })
  await expect(models.saveEndpoint(draft({ key: undefined, keyEnv: 'OTHER_KEY' }))).rejects.toMatchObject({
    code: 'model.key-missing',
    data: { variable: 'OTHER_KEY' },
  })
})

test('the key of a variable does not go to another origin', async () => {
  const models = await make({ LAB_KEY: KEY })
  await models.saveEndpoint(draft({ key: undefined, keyEnv: 'LAB_KEY' }))
  const elsewhere = await startModelServer({ script: () => say('') })
  try {
    await models.saveEndpoint({ id: 'lab', name: 'Lab', baseUrl: elsewhere.url })
    expect([elsewhere.listings[0]?.headers['authorization'], view(models, 'lab')?.keyEnv]).toEqual([undefined, undefined])
  } finally {
    await elsewhere.close()
  }
})

test('names of usual variables that are set are told, and nothing of others', async () => {
  const models = await make({ MISTRAL_API_KEY: 'a', OPENAI_API_KEY: ' ', AWS_SECRET_ACCESS_KEY: 'b' })
  expect(models.keyVariables()).toEqual(['MISTRAL_API_KEY'])
})

test('the key of a cloud comes from its variables, or a file that one names, and is kept in parts', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'assent-key-')), 'account.json')
  writeFileSync(file, ' {"type":"service_account"} ')
  onTestFinished(() => rmSync(dirname(file), { recursive: true }))
  const [accessKeyId, secretAccessKey] = ['AKIAIOSFODNN7EXAMPLE', 'wJalrXUtnFEMI/K7MDENG']
  const env = { AWS_ACCESS_KEY_ID: ` ${accessKeyId} `, AWS_SECRET_ACCESS_KEY: secretAccessKey, GOOGLE_APPLICATION_CREDENTIALS: file }
  expect(JSON.parse(await keyInEnvironment(env, 'AWS_ACCESS_KEY_ID'))).toEqual({ accessKeyId, secretAccessKey })
  expect(await keyInEnvironment({ ...env, AWS_SECRET_ACCESS_KEY: '' }, 'AWS_ACCESS_KEY_ID')).toBe('')
  expect(await keyInEnvironment(env, 'GOOGLE_APPLICATION_CREDENTIALS')).toBe('{"type":"service_account"}')
  expect(await keyInEnvironment({ GOOGLE_APPLICATION_CREDENTIALS: '/no/such.json' }, 'GOOGLE_APPLICATION_CREDENTIALS')).toBe('')
  const kept = JSON.stringify({ accessKeyId, secretAccessKey, sessionToken: 'token-1' })
  const forms = [
    `${accessKeyId}:${secretAccessKey}:token-1`,
    `export AWS_ACCESS_KEY_ID="${accessKeyId}"export AWS_SECRET_ACCESS_KEY="${secretAccessKey}"export AWS_SESSION_TOKEN="token-1"`,
    `{"Version":1,"AccessKeyId":"${accessKeyId}","SecretAccessKey":"${secretAccessKey}","SessionToken":"token-1"}`,
  ]
  expect(forms.map((form) => keptKey('bedrock', form))).toEqual([kept, kept, kept])
  expect([keptKey('bedrock', 'ABSKQmVkcm9jazpx'), keptKey('openai', forms[0] ?? '')]).toEqual(['ABSKQmVkcm9jazpx', forms[0]])
  const models = await make({})
  const save = models.saveEndpoint({
    name: 'AWS',
    baseUrl: 'https://bedrock-runtime.eu-west-1.amazonaws.com',
    format: 'bedrock',
    key: forms[0],
    unchecked: true,
  })
  expect([await save, view(models, 'aws')]).toMatchObject([
    { id: 'aws' },
    { format: 'bedrock', key: { kind: 'set' }, baseUrl: 'https://bedrock-runtime.eu-west-1.amazonaws.com' },
  ])
})

test('Perplexity is asked where it answers', async () => {
  const urls: string[] = []
  const base = async (input: unknown): Promise<Response> => {
    urls.push(String(input))
    return new Response('{}')
  }
  const fetch = endpointFetch(base as typeof globalThis.fetch, { headers: {}, query: {} })
  for (const path of ['models', 'chat/completions']) await fetch(`https://api.perplexity.ai/v1/${path}`)
  expect(urls).toEqual(['https://api.perplexity.ai/v1/models', 'https://api.perplexity.ai/chat/completions'])
})
