// A chat that an endpoint refuses for its length, in the vendor's own words and with no size known: it is made shorter and answered.
import { afterEach, expect, it } from 'vitest'
import { type Reply, say } from '../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../e2e/model-server/server.ts'
import { makeTestHost, type TestHost } from './host.testing.ts'

let server: ModelServer
let test: TestHost
afterEach(async () => {
  await test.remove()
  await server.close()
})

const MOST = 90_000
const refuse = (body: object): Reply => ({
  kind: 'raw',
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

// crmne/ruby_llm, cassette chat_real_error_scenarios_deepseek_deepseek-chat_handles_context_length_exceeded_errors; jupyterlite/ai#291.
it.each([
  [
    'DeepSeek',
    {
      error: {
        message:
          "This model's maximum context length is 1048565 tokens. However, you requested 1250025 tokens (1250025 in the messages, 0 in the completion).",
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_request_error',
      },
    },
  ],
  [
    'Mistral',
    {
      object: 'error',
      message: 'Prompt contains 160907 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
      type: 'invalid_request_invalid_args',
      param: null,
      code: '3051',
    },
  ],
])('%s: the older part is summed up, and the turn goes on', async (_who, body) => {
  server = await startModelServer({
    script: (request) => (JSON.stringify(request.body['messages']).length > MOST ? refuse(body) : say('Fine.')),
    models: [{ id: 'plain-1', display_name: 'Plain' }],
  })
  test = makeTestHost()
  const { host } = test
  await host.request('endpoint.save', { name: 'Lab', baseUrl: `${server.url}/v1` })
  let id: string | undefined
  for (const word of ['one ', 'two ', 'three ', 'four ']) {
    const { conversationId } = await host.request('chat.send', {
      text: word.repeat(6000),
      ...(id === undefined ? {} : { conversationId: id }),
    })
    id = conversationId
    await host.context.chat.idle(id)
  }
  const messages = host.context.store.conversations.messages(id ?? '')
  // A first summary may have to leave out what was too long to be summed up at once; a second one takes it.
  const summaries = messages.filter((message) => message.role === 'summary')
  expect(new Set(summaries.map(({ by, state }) => `${by} ${state}`))).toEqual(new Set(['refused done']))
  expect(messages.findLast(({ role }) => role === 'assistant')).toMatchObject({ state: 'done', parts: [{ kind: 'text', text: 'Fine.' }] })
})
