// The model of new chats after one was added: by an endpoint, a key, or the choice of one that was found on this computer.
import { afterEach, describe, expect, it } from 'vitest'
import { say } from '../../e2e/model-server/reply.ts'
import { type ModelServer, type ScriptedModel, startModelServer } from '../../e2e/model-server/server.ts'
import { makeTestHost, type TestHost } from './host.testing.ts'

const servers: ModelServer[] = []
const open: TestHost[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((test) => test.remove()))
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const PRACTICE = 'practice/practice'
const KEY = 'sk-ant-test-0123456789-q7Rw'

async function begin(models: readonly string[] = ['plain-1', 'plain-2']) {
  const list = models.map((id) => ({ id, display_name: id }) satisfies ScriptedModel)
  const server = await startModelServer({ script: () => say('Hello'), models: list })
  servers.push(server)
  const env = { ANTHROPIC_BASE_URL: server.url, ASSENT_LOCAL_MODEL_PORTS: new URL(server.url).port }
  const test = makeTestHost({ env })
  open.push(test)
  const { host } = test
  await host.context.models.load()
  const localId = `local-${new URL(server.url).port}`
  return {
    host,
    server,
    localId,
    standard: () => host.snapshot().settings.defaultModel,
    addEndpoint: (name = 'Lab') => host.request('endpoint.save', { name, baseUrl: `${server.url}/v1` }),
    addKey: () => host.request('key.set', { provider: 'anthropic', key: KEY }),
    choose: (model: string) => host.request('settings.set', { defaultModel: model }),
    findLocal: () => host.request('models.look', { again: true }),
  }
}

describe('the model of new chats', () => {
  it('is that of an endpoint that was just added, and answers the next chat', async () => {
    const { host, standard, addEndpoint } = await begin()
    await addEndpoint()
    expect(standard()).toBe('lab/plain-1')
    const { conversationId } = await host.request('chat.send', { text: 'Hi' })
    await host.context.chat.idle(conversationId)
    expect(host.context.store.conversations.get(conversationId)?.model).toBe('lab/plain-1')
  })

  it('is that of a key that was just added, also where the practice model was chosen before', async () => {
    const { standard, addKey, choose } = await begin(['claude-opus-9', 'claude-sonnet-9'])
    await choose(PRACTICE)
    await addKey()
    expect(standard()).toBe('anthropic/claude-sonnet-9')
  })

  it('is none that was only found on this computer, and is it once it was chosen for a chat', async () => {
    const { host, localId, standard, findLocal } = await begin()
    await findLocal()
    expect(standard()).toBe(PRACTICE)
    const { conversationId } = await host.request('chat.send', { text: 'echo hi' })
    await host.context.chat.idle(conversationId)
    await host.request('conversation.setModel', { id: conversationId, model: `${localId}/plain-2` })
    expect(standard()).toBe(`${localId}/plain-2`)
  })

  it('is that of whatever was added last, also where another was chosen before', async () => {
    const { standard, addEndpoint, addKey, choose } = await begin()
    await addEndpoint()
    await choose('lab/plain-2')
    await addKey()
    expect(standard()).toBe('anthropic/plain-1')
    await addEndpoint('Other lab')
    expect(standard()).toBe('other-lab/plain-1')
  })

  it('stays the person’s choice where a provider is changed, a key replaced, or a model chosen for one chat', async () => {
    const { host, server, standard, addEndpoint, addKey, choose } = await begin()
    const { id } = await addEndpoint()
    await addKey()
    await choose('lab/plain-2')
    await addKey()
    await host.request('endpoint.save', { id, name: 'Lab', baseUrl: `${server.url}/v1` })
    const { conversationId } = await host.request('chat.send', { text: 'Hi' })
    await host.context.chat.idle(conversationId)
    await host.request('conversation.setModel', { id: conversationId, model: 'anthropic/plain-1' })
    expect(standard()).toBe('lab/plain-2')
  })

  it('stays that of the endpoint after its list was fetched again, and is the practice model once it is removed', async () => {
    const { host, standard, addEndpoint } = await begin()
    const { id } = await addEndpoint()
    await host.request('models.refresh', {})
    expect(standard()).toBe('lab/plain-1')
    await host.request('endpoint.remove', { id })
    expect(standard()).toBe(PRACTICE)
  })

  it('stays the practice model where the endpoint has none, or none was asked for', async () => {
    const { host, server, standard } = await begin([])
    await host.request('endpoint.save', { name: 'Empty', baseUrl: `${server.url}/v1` })
    await host.request('endpoint.save', { name: 'Elsewhere', baseUrl: 'http://127.0.0.1:1/v1', unchecked: true })
    expect(standard()).toBe(PRACTICE)
  })
})
