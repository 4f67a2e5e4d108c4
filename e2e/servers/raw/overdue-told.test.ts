// A call that gives no word, in a whole host: it is among what waits for the person, and they are notified as of a question.
import { resolve } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'
import { scriptOf } from '../../model-server/rules.ts'
import { type ModelServer, startModelServer } from '../../model-server/server.ts'

let model: ModelServer | undefined
let test: TestHost | undefined
afterEach(async () => {
  await test?.remove()
  await model?.close()
})

it('is told to the person until they wait for it or end it', async () => {
  const rules = [{ when: 'fetch', steps: [{ call: [{ tool: 'post__hold', input: {} }] }, { say: 'Well.' }] }]
  model = await startModelServer({
    script: scriptOf(
      () => rules,
      () => Promise.resolve(),
    ),
  })
  const post = { command: process.execPath, args: [resolve(import.meta.dirname, 'holds.ts')], timeout: 1000 }
  test = makeTestHost({
    servers: JSON.stringify({ mcpServers: { post } }),
    env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-test-0000000000000000q7Rw' },
    policy: () => ({ kind: 'allow', scope: 'once' }),
  })
  const { host, platform } = test
  await host.context.models.load()
  await host.request('server.start', { name: 'post' })
  const { conversationId } = await host.request('chat.send', { text: 'fetch', model: 'anthropic/claude-large-1' })
  const callId = await eventually(() => {
    const [call] = host.snapshot().overdueCalls
    expect(call).toMatchObject({ conversationId, server: 'post', tool: 'hold' })
    return call?.callId ?? ''
  })
  const title = platform.notified.at(-1) ?? ''
  expect([title.includes('post'), title.includes('hold')]).toEqual([true, false])
  await host.request('chat.waitForCall', { conversationId, callId })
  expect(host.snapshot().overdueCalls).toEqual([])
  await eventually(() => expect(host.snapshot().overdueCalls.length).toBe(1))
  await host.request('chat.cancelCall', { conversationId, callId })
  await host.context.chat.idle(conversationId)
  expect([host.snapshot().overdueCalls, platform.notified.filter((one) => one === title).length]).toEqual([[], 2])
})
