// What single vendors want of a request over several turns, through the real SDK against a server that refuses as they do. Each
// refusal is worded as it was recorded; the source stands beside it.
import { afterEach, describe, expect, test } from 'vitest'
import { HostError } from '#app/errors.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { systemClock } from '#main/base/clock.ts'
import type { ModelContent, ModelProvider } from '#main/models/provider.ts'
import { call, type Reply, type ScriptBlock, say } from '../../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../../e2e/model-server/server.ts'
import { chatWith, user, words } from '../vendor-tests/chat-with.testing.ts'
import { createOpenAiCompatible } from './openai-provider.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const refuse = (status: number, body: object): Reply => ({
  kind: 'raw',
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const messagesOf = (body: JsonObject): readonly JsonObject[] =>
  Array.isArray(body['messages']) ? (body['messages'] as readonly unknown[]).filter(isJsonObject) : []

/** `refusal`: why the vendor does not take this; undefined: it answers with the next of `replies`. */
async function serve(refusal: (body: JsonObject) => Reply | undefined, ...replies: readonly Reply[]): Promise<ModelServer> {
  let next = 0
  const server = await startModelServer({ script: ({ body }) => refusal(body) ?? replies[next++] ?? say('Fine.') })
  servers.push(server)
  return server
}
const providerOf = (server: ModelServer): ModelProvider =>
  createOpenAiCompatible({
    id: 'lab',
    name: 'Lab',
    baseUrl: `${server.url}/v1`,
    key: '',
    clock: systemClock,
    find: (id) => ({ id, provider: 'lab', name: id, ai: true }),
  })

const thinkingAnd = (thinking: string, ...blocks: readonly ScriptBlock[]): Reply => ({
  kind: 'message',
  blocks: [{ type: 'thinking', thinking }, ...blocks],
})
const read: ScriptBlock = { type: 'tool_use', name: 'read', input: { path: 'a' } }

describe('a current GPT over chat completions', () => {
  // BerriAI/litellm#34569 and GoogleChromeLabs/webmcp-tools#417: tools alone → 400, tools and any effort but "none" → 400.
  const refusal = (body: JsonObject): Reply | undefined =>
    body['tools'] === undefined || body['reasoning_effort'] === 'none'
      ? undefined
      : refuse(400, {
          error: {
            message: `Function tools with reasoning_effort are not supported for ${String(body['model'])} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
            type: 'invalid_request_error',
            param: 'reasoning_effort',
            code: null,
          },
        })
  const efforts = (server: ModelServer): unknown[] => server.requests.map(({ body }) => body['reasoning_effort'])

  test.each([
    ['that says nothing of effort', 'auto', [undefined, 'none', 'none', 'none']],
    ['that asks for much', 'high', ['high', 'none', 'none', 'none']],
  ] as const)('answers a request with a tool %s after one corrected resend, and later ones at once', async (_title, effort, expected) => {
    const server = await serve(refusal, call({ name: 'read' }), say('It is 42.'), say('Still 42.'))
    const chat = chatWith(providerOf(server), 'gpt-5.6', { effort })
    expect([await chat.turn('Read a'), await chat.turn('And now?')]).toEqual(['It is 42.', 'Still 42.'])
    expect(efforts(server)).toEqual(expected)
  })

  test('keeps its effort where no tool is sent', async () => {
    const server = await serve(refusal)
    const provider = providerOf(server)
    await chatWith(provider, 'gpt-5.6', { effort: 'high' }).turn('Read a')
    await chatWith(provider, 'gpt-5.6', { effort: 'high', tools: [] }).turn('Title?')
    expect(efforts(server)).toEqual(['high', 'none', 'high'])
  })

  test('is asked without effort where "none" is not offered', async () => {
    // pipecat-ai/pipecat#4043: gpt-5.4 with an effort; without one it answers.
    const server = await serve((body) =>
      body['reasoning_effort'] === undefined
        ? undefined
        : refuse(400, {
            error: {
              message:
                'Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.',
              type: 'invalid_request_error',
              param: 'reasoning_effort',
              code: null,
            },
          }),
    )
    expect(await chatWith(providerOf(server), 'gpt-5.4', { effort: 'low' }).turn('Hello')).toBe('Fine.')
    expect(efforts(server)).toEqual(['low', undefined])
  })

  test('that refuses all the same is told of, and nothing is remembered', async () => {
    const always = refuse(400, { error: { message: 'reasoning_effort is not supported', param: 'reasoning_effort' } })
    const server = await serve(({ reasoning_effort }) => (server.requests.length < 3 || reasoning_effort === 'none' ? always : undefined))
    const chat = chatWith(providerOf(server), 'm')
    const error = await chat.turn('Hello').catch((thrown: unknown) => thrown)
    expect(error instanceof HostError && error.code).toBe('model.request-refused')
    expect(await chat.turn('Again')).toBe('Fine.')
    expect(efforts(server)).toEqual([undefined, 'none', undefined])
  })
})

describe('reasoning of turns that called tools', () => {
  const assistants = (body: JsonObject): readonly JsonObject[] => messagesOf(body).filter(({ role }) => role === 'assistant')
  const reasoning = (server: ModelServer, at: number): unknown[] =>
    assistants(server.requests.at(at)?.body ?? {}).map((message) => message['reasoning_content'])

  /** JohnnyZ93/oai-compatible-copilot#215 and DeepSeek's guide "Thinking mode": for good, once a turn called a tool. */
  const deepSeek = (body: JsonObject): Reply | undefined =>
    assistants(body).some((message) => message['tool_calls'] !== undefined && message['reasoning_content'] === undefined)
      ? refuse(400, {
          error: {
            message: 'The reasoning_content in the thinking mode must be passed back to the API.',
            type: 'invalid_request_error',
            param: null,
            code: 'invalid_request_error',
          },
        })
      : undefined
  /** sipeed/picoclaw#588, FastGPT#6357: the field may be empty, but must be there (Lapis0x0/obsidian-yolo#243). */
  const kimi = (body: JsonObject): Reply | undefined => {
    const index = messagesOf(body).findIndex(
      (message) => message['tool_calls'] !== undefined && typeof message['reasoning_content'] !== 'string',
    )
    return index === -1
      ? undefined
      : refuse(400, {
          error: {
            message: `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`,
            type: 'invalid_request_error',
          },
        })
  }

  test.each([
    ['deepseek-v4-pro', deepSeek],
    ['kimi-k2.5', kimi],
    ['kimi-k2.6', kimi],
  ])('goes back to %s in all later turns, unasked', async (model, refusal) => {
    const server = await serve(refusal, thinkingAnd('I read.', read), thinkingAnd('I know.', { type: 'text', text: '42.' }))
    const chat = chatWith(providerOf(server), model)
    expect([await chat.turn('Read a'), await chat.turn('And now?'), await chat.turn('And then?')]).toEqual(['42.', 'Fine.', 'Fine.'])
    expect(server.requests).toHaveLength(4)
    expect(reasoning(server, -1)).toEqual(['I read.', 'I know.', undefined])
  })

  test('goes back to a model of another name once it has been refused for it', async () => {
    const server = await serve(deepSeek, thinkingAnd('I read.', read), thinkingAnd('I know.', { type: 'text', text: '42.' }))
    const chat = chatWith(providerOf(server), 'house-model')
    expect([await chat.turn('Read a'), await chat.turn('And now?'), await chat.turn('And then?')]).toEqual(['42.', 'Fine.', 'Fine.'])
    // Two for the first turn, two for the second with its resend, one for the third.
    expect(server.requests).toHaveLength(5)
    expect(reasoning(server, -1)).toEqual(['I read.', 'I know.', ''])
  })

  test.each([
    ['deepseek-v4-flash', deepSeek],
    ['kimi-k2.6', kimi],
  ])('is added, empty, to calls that another model made before %s was chosen', async (model, refusal) => {
    const server = await serve(refusal)
    const chat = chatWith(providerOf(server), model)
    chat.messages.push(
      user(words('Read a')),
      { role: 'assistant', model: 'anthropic/claude', content: [{ type: 'tool-call', providerId: 'toolu_1', name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool-result', providerId: 'toolu_1', content: [words('42')], isError: false }] },
      { role: 'assistant', model: 'anthropic/claude', content: [{ type: 'text', text: '42.' }] },
    )
    expect([await chat.turn('And now?'), await chat.turn('And then?')]).toEqual(['Fine.', 'Fine.'])
    expect([server.requests.length, reasoning(server, 0), reasoning(server, 1)]).toEqual([3, [undefined, undefined], ['', '']])
  })

  test('is not sent to R1, which refuses it', async () => {
    // vercel/ai#14729: deepseek-reasoner must not be sent what it thought in earlier turns.
    const server = await serve(() => undefined, thinkingAnd('I read.', read), thinkingAnd('I know.', { type: 'text', text: '42.' }))
    const chat = chatWith(providerOf(server), 'deepseek-reasoner')
    await chat.turn('Read a')
    await chat.turn('And now?')
    expect(reasoning(server, -1)).toEqual([undefined, undefined])
  })
})

describe('Mistral', () => {
  const roles = (body: JsonObject | undefined): string =>
    messagesOf(body ?? {})
      .map(({ role }) => role)
      .join(' ')
  const orderWrong = (body: JsonObject): boolean => / ?tool user/.test(roles(body))
  // datapizza-labs/datapizza-ai#98, avante-corp/avante.nvim#2562; behind OpenRouter charmbracelet/crush#279; a local one
  // mistralai/mistral-vibe#578. What bridges the two is what pydantic-ai's cassette "test_image_as_binary_content_tool_response" sends.
  const body = {
    object: 'error',
    message: "Unexpected role 'user' after role 'tool'",
    type: 'invalid_request_message_order',
    param: null,
    code: '3230',
  }
  const refusals: readonly (readonly [string, object])[] = [
    ['itself', body],
    [
      'behind a router',
      { error: { message: 'Provider returned error', code: 400, metadata: { raw: JSON.stringify(body), provider_name: 'Mistral' } } },
    ],
    ['on this computer', { error: { message: body.message, type: 'BadRequestError', param: null, code: 400 } }],
  ]
  const picture: readonly ModelContent[] = [words('see'), { type: 'image', mimeType: 'image/png', data: 'AAAA' }]
  const bridged = 'user assistant tool assistant user'

  test('reads an image of a result without a refusal', async () => {
    const server = await serve((sent) => (orderWrong(sent) ? refuse(400, body) : undefined), call({ name: 'read' }), say('A kiwi.'))
    const chat = chatWith(providerOf(server), 'mistral-medium-latest', {}, picture)
    expect([await chat.turn('Look'), await chat.turn('And now?')]).toEqual(['A kiwi.', 'Fine.'])
    expect(server.requests.map((request) => roles(request.body))).toEqual(['user', bridged, `${bridged} assistant user`])
    expect(messagesOf(server.requests[1]?.body ?? {})[3]).toEqual({ role: 'assistant', content: 'OK' })
  })

  test.each(refusals)('%s, under another name, takes it after one corrected resend', async (_where, refused) => {
    const server = await serve((sent) => (orderWrong(sent) ? refuse(400, refused) : undefined), call({ name: 'read' }), say('A kiwi.'))
    const chat = chatWith(providerOf(server), 'house-model', {}, picture)
    expect([await chat.turn('Look'), await chat.turn('And now?')]).toEqual(['A kiwi.', 'Fine.'])
    expect(server.requests).toHaveLength(4)
  })

  test('goes on after a turn that ended on the result of a tool', async () => {
    const server = await serve((sent) => (orderWrong(sent) ? refuse(400, body) : undefined))
    const chat = chatWith(providerOf(server), 'codestral-latest')
    chat.messages.push(
      user(words('Read a')),
      {
        role: 'assistant',
        model: 'lab/codestral-latest',
        content: [{ type: 'tool-call', providerId: 'abcdefghi', name: 'read', input: {} }],
      },
      { role: 'user', content: [{ type: 'tool-result', providerId: 'abcdefghi', content: [words('42')], isError: false }] },
    )
    expect([await chat.turn('And now?'), await chat.turn('And then?')]).toEqual(['Fine.', 'Fine.'])
    expect(server.requests.map((request) => roles(request.body))).toEqual([bridged, `${bridged} assistant user`])
  })

  test('others read the image right after the result', async () => {
    const server = await serve(() => undefined, call({ name: 'read' }), say('A kiwi.'))
    await chatWith(providerOf(server), 'gpt-4o', {}, picture).turn('Look')
    expect(roles(server.requests[1]?.body)).toBe('user assistant tool user')
  })
})
