// Models behind a real proxy: what `HTTP_PROXY` and its like name counts for them as for servers.
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '#main/base/clock.ts'
import { createAnthropic } from '#main/models/anthropic/anthropic-provider.ts'
import { createOpenAiCompatible } from '#main/models/openai-chat/openai-provider.ts'
import type { ModelProvider } from '#main/models/provider.ts'
import { say } from '../../e2e/model-server/reply.ts'
import { startModelServer } from '../../e2e/model-server/server.ts'
import { proxy, type RawProxy } from '../../e2e/servers/http/proxy.ts'
import { rawHttp } from '../../e2e/servers/http/raw-http.ts'
import { selfSigned } from '../../e2e/servers/http/self-signed.ts'
import { createModelFetch } from './model-fetch.ts'

const never = new AbortController().signal
const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

async function startModel(): Promise<string> {
  const server = await startModelServer({ script: () => say('Hello') })
  undo.push(() => server.close())
  return server.url.replace('127.0.0.1', 'model.example.test')
}
async function startProxy(status?: number): Promise<RawProxy> {
  const between = await proxy(status)
  undo.push(() => between.close())
  return between
}
function fetchWith(variables: Readonly<Record<string, string>>): typeof fetch {
  const { fetch, close } = createModelFetch({ variables: async () => variables })
  onTestFinished(close)
  return fetch
}
const endpoint = (url: string, fetch: typeof globalThis.fetch): ModelProvider =>
  createOpenAiCompatible({
    id: 'own',
    name: 'Own',
    baseUrl: `${url}/v1`,
    key: '',
    clock: systemClock,
    find: () => undefined,
    fetch,
    chance: () => 0,
  })
const anthropic = (url: string, fetch: typeof globalThis.fetch): ModelProvider =>
  createAnthropic({ key: 'sk-ant-test-key-0123456789', baseUrl: url, clock: systemClock, find: () => undefined, fetch, chance: () => 0 })

async function said(provider: ModelProvider): Promise<string> {
  let text = ''
  const request = {
    model: 'claude-opus-5',
    system: '',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    tools: [],
  } as const
  for await (const event of provider.stream(request, never)) if (event.type === 'text') text += event.text
  return text
}

it.each([
  ['an endpoint of OpenAI’s format', endpoint],
  ['Anthropic', anthropic],
])('%s is asked through the proxy that the environment names, for its list and for answers', async (_, make) => {
  const [url, between] = [await startModel(), await startProxy()]
  const provider = make(url, fetchWith({ HTTP_PROXY: `http://ada:secret@${between.host}` }))
  expect(await said(provider)).toBe('Hello')
  const asked = between.seen.length
  expect((await provider.listModels(never)).length).toBeGreaterThan(0)
  expect([asked > 0, new Set(between.seen.map(({ target }) => target))]).toEqual([true, new Set([new URL(url).host])])
  // Its password goes to the proxy, and the proxy's alone.
  expect(between.seen[0]?.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('ada:secret').toString('base64')}`)
})

it.each([
  ['an endpoint of OpenAI’s format', endpoint],
  ['Anthropic', anthropic],
])('%s: a proxy that refuses is named, without its password', async (_, make) => {
  const [url, between] = [await startModel(), await startProxy(407)]
  const provider = make(url, fetchWith({ HTTP_PROXY: `http://ada:secret@${between.host}` }))
  const error = await thrownBy(provider)
  expect(error).toMatchObject({
    code: 'model.offline',
    message: `${new URL(url).host} could not be reached through the proxy ${between.host}.`,
  })
  expect(JSON.stringify(error)).not.toContain('secret')
})

const thrownBy = (provider: ModelProvider): Promise<unknown> =>
  provider.listModels(never).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )

it.each([
  ['an endpoint of OpenAI’s format', endpoint],
  ['Anthropic', anthropic],
])('%s: whom nothing vouches for behind a proxy is told of, and not the proxy', async (_, make) => {
  const between = await startProxy()
  const server = await rawHttp(() => false, selfSigned)
  undo.push(() => server.close())
  const { port } = new URL(server.url)
  const provider = make(`https://raw.example.test:${port}`, fetchWith({ HTTPS_PROXY: `http://${between.host}` }))
  expect(await thrownBy(provider)).toMatchObject({
    code: 'model.endpoint-wrong',
    message: `The connection to raw.example.test:${port} is not secure: its certificate was not accepted (DEPTH_ZERO_SELF_SIGNED_CERT).`,
  })
  expect(between.seen.length).toBeGreaterThan(0)
})

it.each([
  ['an endpoint of OpenAI’s format', endpoint],
  ['Anthropic', anthropic],
])('%s: a proxy that cannot be used is told as what stands between the model and us', async (_, make) => {
  const provider = make(await startModel(), fetchWith({ HTTP_PROXY: 'ftp://127.0.0.1:1' }))
  expect(await thrownBy(provider)).toMatchObject({
    code: 'model.offline',
    message: 'Only http:// and https:// proxies can be used.',
  })
})

it.each([
  ['an endpoint of OpenAI’s format', endpoint],
  ['Anthropic', anthropic],
])('%s: a SOCKS proxy, which we do not use, is told of where nothing is reached without it', async (_, make) => {
  const provider = make('https://model.example.test', fetchWith({ ALL_PROXY: 'socks5://ada:secret@127.0.0.1:1' }))
  expect(await thrownBy(provider)).toMatchObject({
    code: 'model.offline',
    message: 'model.example.test could not be reached. The SOCKS proxy 127.0.0.1:1 is set, which Assent does not use.',
  })
})

it('a model on this computer is never asked through one, nor waits for the person’s shell to name it', async () => {
  const url = (await startModel()).replace('model.example.test', '127.0.0.1')
  const { fetch, close } = createModelFetch({ variables: () => Promise.reject(new Error('was asked')) })
  onTestFinished(close)
  const provider = endpoint(url, fetch)
  expect([await said(provider), (await provider.listModels(never)).length > 0]).toEqual(['Hello', true])
})
