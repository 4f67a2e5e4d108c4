// Bedrock and Vertex over the AI SDK, against a local server in the form of the recorded streams.
import { generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import type { ModelMessage } from '../provider.ts'
import {
  ask,
  type CloudReply,
  codeOf,
  converseStream,
  geminiPart,
  geminiStream,
  result,
  setUpCloud,
  tool,
  user,
} from './cloud-server.testing.ts'
import { createBedrock, createVertex } from './sdk-provider.ts'

const BEDROCK = 'https://bedrock-runtime.eu-central-1.amazonaws.com'
const VERTEX = 'https://aiplatform.googleapis.com/v1beta1/projects/lab-1/locations/global'

describe('Bedrock', () => {
  const at = (contentBlockIndex: number, delta: JsonObject): JsonObject => ({ contentBlockDelta: { contentBlockIndex, delta } })
  const end = (stopReason: string): JsonObject[] => [
    { messageStop: { stopReason } },
    {
      metadata: {
        usage: { inputTokens: 12, outputTokens: 7, totalTokens: 69, cacheReadInputTokens: 50, cacheWriteInputTokens: 0 },
        metrics: { latencyMs: 1 },
      },
    },
  ]
  const called = converseStream(
    { messageStart: { role: 'assistant' } },
    at(0, { reasoningContent: { text: 'Hm.' } }),
    at(0, { reasoningContent: { signature: 'sig-1' } }),
    { contentBlockStop: { contentBlockIndex: 0 } },
    { contentBlockStart: { contentBlockIndex: 1, start: { toolUse: { toolUseId: 'tooluse_1', name: 'weather' } } } },
    at(1, { toolUse: { input: '{"place":' } }),
    at(1, { toolUse: { input: '"Rome"}' } }),
    { contentBlockStop: { contentBlockIndex: 1 } },
    ...end('tool_use'),
  )
  const told = converseStream(
    { messageStart: { role: 'assistant' } },
    at(0, { text: 'Rain.' }),
    { contentBlockStop: { contentBlockIndex: 0 } },
    ...end('end_turn'),
  )
  const model = 'eu.anthropic.claude-sonnet-4-6'
  const info = { reasoning: true, efforts: ['low', 'medium', 'high', 'max'] } as const

  test('a call with a signed thought, its result, a second turn; cache points; signed with Signature Version 4', async () => {
    const key = 'AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENG+EXAMPLEKEY:token-1'
    const { provider, requests } = await setUpCloud(createBedrock, BEDROCK, (_, index) => (index === 0 ? called : told), {
      key,
      info: { ...info, efforts: [...info.efforts] },
    })
    const first = await ask(provider, { model, system: 'Be kind.', messages: [user('Weather?')], tools: [tool], effort: 'low' })
    expect(first).toEqual([
      { type: 'thinking', index: 0, text: 'Hm.' },
      { type: 'thinking-end', index: 0, details: [{ bedrock: { signature: 'sig-1' } }] },
      { type: 'tool-call-start', index: 1, providerId: 'tooluse_1', name: 'weather' },
      { type: 'tool-call', index: 1, providerId: 'tooluse_1', name: 'weather', inputText: '{"place":"Rome"}' },
      { type: 'usage', usage: { inputTokens: 12, outputTokens: 7, cacheReadTokens: 50 } },
      { type: 'done', reason: 'tool-calls' },
    ])
    const answer: ModelMessage = {
      role: 'assistant',
      model: `lab/${model}`,
      content: [
        { type: 'thinking', text: 'Hm.', details: [{ bedrock: { signature: 'sig-1' } }] },
        { type: 'tool-call', providerId: 'tooluse_1', name: 'weather', input: { place: 'Rome' } },
      ],
    }
    const done: ModelMessage = { role: 'assistant', model: `lab/${model}`, content: [{ type: 'text', text: 'Rain.' }] }
    expect(
      (await ask(provider, { model, messages: [user('Weather?'), answer, result('tooluse_1'), done, user('Thanks.')], tools: [tool] })).at(
        -1,
      ),
    ).toEqual({ type: 'done', reason: 'end' })
    const [begin, second] = requests
    const cachePoint = { cachePoint: { type: 'default' } }
    expect(begin?.body).toMatchObject({
      system: [{ text: 'Be kind.' }, cachePoint],
      messages: [{ role: 'user', content: [{ text: 'Weather?' }, cachePoint] }],
      additionalModelRequestFields: { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
    })
    expect(second?.body['messages']).toEqual([
      { role: 'user', content: [{ text: 'Weather?' }] },
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'sig-1' } } },
          { toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: { place: 'Rome' } } },
        ],
      },
      { role: 'user', content: [{ toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'Rain' }] } }, cachePoint] },
      { role: 'assistant', content: [{ text: 'Rain.' }] },
      { role: 'user', content: [{ text: 'Thanks.' }, cachePoint] },
    ])
    expect(begin?.path).toBe('/model/eu.anthropic.claude-sonnet-4-6/converse-stream')
    expect(begin?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request, /,
    )
    expect(begin?.headers['x-amz-security-token']).toBe('token-1')
  })

  // opentelemetry-python-contrib, opentelemetry-instrumentation-botocore, test_converse_stream_tool_call; opencode, bedrock-converse/drives-a-tool-loop.
  test('Nova’s thinking in its text is thinking, and does not go back', async () => {
    const nova = converseStream(
      { messageStart: { p: 'abcd', role: 'assistant' } },
      ...['<think', 'ing> I look', ' it up.</thinking>\n'].map((text) => ({
        contentBlockDelta: { contentBlockIndex: 0, delta: { text }, p: 'abc' },
      })),
      { contentBlockStop: { contentBlockIndex: 0, p: 'ab' } },
      { contentBlockStart: { contentBlockIndex: 1, p: 'abc', start: { toolUse: { name: 'weather', toolUseId: 'tooluse_1' } } } },
      { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input: '{"place":"Rome"}' } }, p: 'ab' } },
      { contentBlockStop: { contentBlockIndex: 1, p: 'abcd' } },
      { messageStop: { p: 'abc', stopReason: 'tool_use' } },
      {
        metadata: {
          metrics: { latencyMs: 499 },
          p: 'ab',
          usage: { inputTokens: 42, outputTokens: 9, serverToolUsage: {}, totalTokens: 51 },
        },
      },
    )
    const { provider, requests } = await setUpCloud(createBedrock, BEDROCK, () => nova)
    const first = await ask(provider, { model: 'amazon.nova-micro-v1:0', messages: [user('Weather?')], tools: [tool] })
    expect(first.slice(0, -4)).toEqual([
      { type: 'thinking', index: 0, text: 'I look' },
      { type: 'thinking', index: 0, text: ' it up.' },
      { type: 'thinking-end', index: 0, signature: 'in-text' },
    ])
    const answer: ModelMessage = {
      role: 'assistant',
      model: 'lab/amazon.nova-micro-v1:0',
      content: [
        { type: 'thinking', text: 'I look it up.', signature: 'in-text' },
        { type: 'tool-call', providerId: 'tooluse_1', name: 'weather', input: { place: 'Rome' } },
      ],
    }
    await ask(provider, { model: 'amazon.nova-micro-v1:0', messages: [user('Weather?'), answer, result('tooluse_1')], tools: [tool] })
    const content = [{ toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: { place: 'Rome' } } }]
    expect(requests[1]?.body).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant', content }, { role: 'user' }] })
  })

  test('a model that refuses parameters of thinking is asked without them from then on', async () => {
    const refusal = { status: 400, body: JSON.stringify({ message: 'thinking: adaptive thinking is not supported by this model.' }) }
    const { provider, requests } = await setUpCloud(
      createBedrock,
      BEDROCK,
      ({ body }) => (body['additionalModelRequestFields'] ? refusal : told),
      { info: { ...info, efforts: [...info.efforts] } },
    )
    await ask(provider, { model, messages: [user('Hi')], effort: 'auto' })
    await ask(provider, { model, messages: [user('Hi')], effort: 'auto' })
    expect(requests.map(({ body }) => 'additionalModelRequestFields' in body)).toEqual([true, false, false])
    expect(requests[0]?.headers.authorization).toBe('Bearer key-1')
  })

  test('exceptions of the stream and errors of the request', async () => {
    const replies: CloudReply[] = [
      converseStream({ validationException: { message: 'Input is too long for requested model.' } }),
      {
        status: 403,
        headers: { 'x-amzn-errortype': 'UnrecognizedClientException' },
        body: '{"message":"The security token included in the request is invalid."}',
      },
      { status: 400, body: '{"message":"The provided model identifier is invalid."}' },
      converseStream({ messageStart: { role: 'assistant' } }, at(0, { text: 'Ra' }), {
        throttlingException: { message: 'Too many requests, please wait before trying again.' },
      }),
    ]
    const { provider } = await setUpCloud(createBedrock, BEDROCK, (_, index) => replies[index] ?? told)
    const asked = () => codeOf(ask(provider, { model, messages: [user('Hi')] }))
    expect([await asked(), await asked(), await asked(), await asked()]).toEqual([
      ['model.too-long', undefined],
      ['model.key-refused', undefined],
      ['model.unknown', undefined],
      ['model.rate-limited', undefined],
    ])
  })

  test('lists inference profiles and models without provisioning; the catalogue where the key may not list', async () => {
    const summary = (modelId: string, types: string[], more: JsonObject = {}): JsonObject => ({
      ...{ modelId, modelName: modelId, inputModalities: ['TEXT', 'IMAGE'], outputModalities: ['TEXT'], responseStreamingSupported: true },
      ...{ inferenceTypesSupported: types, modelLifecycle: { status: 'ACTIVE' }, ...more },
    })
    const modelSummaries = [
      summary('amazon.nova-lite-v1:0', ['ON_DEMAND']),
      summary('anthropic.claude-sonnet-4-6', ['INFERENCE_PROFILE']),
      summary('meta.old-v1', ['ON_DEMAND'], { modelLifecycle: { status: 'LEGACY' } }),
      summary('cohere.own', ['PROVISIONED']),
    ]
    const inferenceProfileSummaries = [
      { inferenceProfileId: model, inferenceProfileName: 'EU Claude Sonnet 4.6', status: 'ACTIVE', type: 'SYSTEM_DEFINED' },
      { inferenceProfileId: 'eu.stability.image-1', inferenceProfileName: 'An image', status: 'ACTIVE', type: 'SYSTEM_DEFINED' },
    ]
    const { provider, requests } = await setUpCloud(createBedrock, BEDROCK, ({ path }) => ({
      body: JSON.stringify(path.startsWith('/found') ? { modelSummaries } : { inferenceProfileSummaries }),
    }))
    const models = await provider.listModels(new AbortController().signal)
    expect(models.map(({ id, status }) => [id, status])).toEqual([
      [`lab/${model}`, undefined],
      ['lab/amazon.nova-lite-v1:0', undefined],
      ['lab/meta.old-v1', 'deprecated'],
    ])
    expect(requests[0]?.headers.host).toMatch(/^127/)
    const mayNot = {
      status: 403,
      body: '{"Message":"User: arn:aws:iam::1:user/a is not authorized to perform: bedrock:ListFoundationModels"}',
    }
    const { provider: limited } = await setUpCloud(createBedrock, BEDROCK, () => mayNot)
    const ids = (await limited.listModels(new AbortController().signal)).map(({ id }) => id)
    expect([ids.some((id) => id.startsWith('lab/eu.anthropic.')), ids.some((id) => id.startsWith('lab/us.'))]).toEqual([true, false])
    const { provider: wrong } = await setUpCloud(createBedrock, BEDROCK, () => ({
      status: 403,
      body: '{"message":"The security token included in the request is invalid."}',
    }))
    expect(await codeOf(wrong.listModels(new AbortController().signal))).toEqual(['model.key-refused', undefined])
  })
})

describe('Vertex', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const account = JSON.stringify({
    ...{ type: 'service_account', client_email: 'a@lab-1.iam.gserviceaccount.com', token_uri: 'https://oauth2.googleapis.com/token' },
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  })
  const token = { body: JSON.stringify({ access_token: 'ya29.token', expires_in: 3599, token_type: 'Bearer' }) }

  test('a service account gets one token; Gemini and Claude are asked with it, each in its format', async () => {
    const claude = ['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta', 'message_stop']
    const data: Readonly<Record<string, JsonObject>> = {
      message_start: {
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          content: [],
          model: 'claude',
          usage: { input_tokens: 3, output_tokens: 1 },
        },
      },
      content_block_start: { index: 0, content_block: { type: 'text', text: '' } },
      content_block_delta: { index: 0, delta: { type: 'text_delta', text: 'Hello' } },
      content_block_stop: { index: 0 },
      message_delta: { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
    }
    const events = claude.map((type) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data[type] })}\n\n`).join('')
    const { provider, requests } = await setUpCloud(
      createVertex,
      VERTEX,
      ({ path }) => {
        if (path === '/token') return token
        if (path.includes('/anthropic/')) return { headers: { 'content-type': 'text/event-stream' }, body: events }
        return path.endsWith(':countTokens') ? { body: '{"totalTokens":1}' } : geminiStream(geminiPart({ text: 'Hi' }, 'STOP'))
      },
      { key: account },
    )
    const models = await provider.listModels(new AbortController().signal)
    expect(
      models
        .map(({ id }) => id.slice(4, 10))
        .toSorted()
        .filter((one, at, all) => all.indexOf(one) === at),
    ).toEqual(['claude', 'gemini'])
    expect((await ask(provider, { model: 'gemini-2.5-flash', messages: [user('Hi')] })).at(-1)).toEqual({ type: 'done', reason: 'end' })
    expect(
      (await ask(provider, { model: 'claude-sonnet-4-6@default', messages: [user('Hi')] })).find(({ type }) => type === 'text'),
    ).toMatchObject({ text: 'Hello' })
    const base = '/v1beta1/projects/lab-1/locations/global/publishers'
    expect(requests.map(({ path }) => path.replace(/gemini-[\d.]+-flash:count/, 'M:count'))).toEqual([
      '/token',
      `${base}/google/models/M:countTokens`,
      `${base}/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse`,
      `${base}/anthropic/models/claude-sonnet-4-6%40default:streamRawPredict`,
    ])
    expect(requests.slice(1).map(({ headers }) => [headers.authorization, headers['x-api-key'], headers['x-goog-api-key']])).toEqual(
      Array(3).fill(['Bearer ya29.token', undefined, undefined]),
    )
    expect([requests[3]?.body['anthropic_version'], requests[3]?.body['model']]).toEqual(['vertex-2023-10-16', undefined])
    const assertion = new URLSearchParams(requests[0]?.text).get('assertion') ?? ''
    const [head, claims = '', signature = ''] = assertion.split('.')
    expect(verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: 'a@lab-1.iam.gserviceaccount.com',
      aud: 'https://oauth2.googleapis.com/token',
    })
  })

  test('an account that gets no token, a broken file, and an express key', async () => {
    const refused = { status: 400, body: '{"error":"invalid_grant","error_description":"Invalid JWT Signature."}' }
    const list = async (key: string, base = VERTEX) => {
      const { provider, requests } = await setUpCloud(
        createVertex,
        base,
        ({ path }) => (path === '/token' ? refused : { body: '{"totalTokens":1}' }),
        { key },
      )
      return [await codeOf(provider.listModels(new AbortController().signal)), requests.at(-1)?.headers['x-goog-api-key']]
    }
    expect(await list(account)).toEqual([['model.key-refused', undefined], undefined])
    expect(await list('{"type":"service_account"}')).toEqual([['model.key-refused', undefined], undefined])
    expect(await list('AQ.express-1', 'https://aiplatform.googleapis.com/v1')).toEqual(['no error', 'AQ.express-1'])
  })
})
