// Gemini's own API over the AI SDK, against a local server in the form of the recorded streams.
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { systemClock } from '#main/base/clock.ts'
import type { ModelAssistantBlock, ModelMessage } from '../provider.ts'
import { ask, type CloudReply, codeOf, geminiPart, geminiStream, result, setUpCloud, tool, user } from './cloud-server.testing.ts'
import { createGemini } from './sdk-provider.ts'

const GEMINI = 'https://generativelanguage.googleapis.com/v1beta'

describe('Gemini', () => {
  const called = geminiStream(
    geminiPart({ text: 'Hm.', thought: true }),
    geminiPart({ functionCall: { name: 'weather', args: { place: 'Rome' } }, thoughtSignature: 'c2lnLTE=' }),
    geminiPart({ text: '' }, 'STOP'),
  )
  const told = geminiStream(
    geminiPart({ text: 'It ' }),
    geminiPart({ text: 'rains.' }),
    geminiPart({ text: '', thoughtSignature: 'c2lnLTI=' }, 'STOP'),
  )

  test('a call, its result and a second turn; signatures go back to their model alone', async () => {
    const { provider, requests } = await setUpCloud(createGemini, GEMINI, (_, index) => (index === 0 ? called : told), {
      info: { reasoning: true, efforts: ['low', 'high'] },
    })
    const model = 'gemini-3-pro'
    const first = await ask(provider, { model, system: 'Be kind.', messages: [user('Weather?')], tools: [tool], effort: 'high' })
    const call = first.find((event) => event.type === 'tool-call')
    if (!call) throw new Error('no call')
    expect(first.filter(({ type }) => type !== 'tool-call' && type !== 'tool-call-start')).toEqual([
      { type: 'thinking', index: 0, text: 'Hm.' },
      { type: 'usage', usage: { inputTokens: 20, outputTokens: 13, cacheReadTokens: 10 } },
      { type: 'done', reason: 'tool-calls' },
    ])
    expect([call.name, call.inputText]).toEqual(['weather', '{"place":"Rome"}'])
    const { providerId, name, providerData } = call
    const answer = (author: string): ModelMessage => ({
      role: 'assistant',
      model: author,
      content: [
        { type: 'thinking', text: 'Hm.' },
        { type: 'tool-call', providerId, name, input: { place: 'Rome' }, ...(providerData ? { providerData } : {}) },
      ],
    })
    const second = await ask(provider, {
      model,
      messages: [user('Weather?'), answer('lab/gemini-3-pro'), result(providerId)],
      tools: [tool],
    })
    const proof = second.find((event) => event.type === 'thinking-end')
    expect(proof).toEqual({ type: 'thinking-end', index: 1, details: [{ google: { thoughtSignature: 'c2lnLTI=' } }, { of: 'text' }] })
    const said: ModelAssistantBlock[] = [
      { type: 'text', text: 'It rains.' },
      { type: 'thinking', text: '', details: proof?.details ?? [] },
    ]
    const history = (author: string): ModelMessage[] => [
      ...[user('Weather?'), answer(author), result(providerId)],
      ...[{ role: 'assistant' as const, model: author, content: said }, user('Thanks.')],
    ]
    await ask(provider, { model, messages: history('lab/gemini-3-pro'), tools: [tool] })
    await ask(provider, { model, messages: history('other/model'), tools: [tool] })
    const [begin, , own, foreign] = requests.map(({ body }) => body)
    expect(begin).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be kind.' }] },
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' } },
    })
    expect(own?.['contents']).toMatchObject([
      { role: 'user', parts: [{ text: 'Weather?' }] },
      {
        role: 'model',
        parts: [
          { text: 'Hm.', thought: true },
          { functionCall: { name: 'weather', args: { place: 'Rome' } }, thoughtSignature: 'c2lnLTE=' },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'weather' } }] },
      { role: 'model', parts: [{ text: 'It rains.', thoughtSignature: 'c2lnLTI=' }] },
      { role: 'user', parts: [{ text: 'Thanks.' }] },
    ])
    expect(JSON.stringify(foreign)).not.toMatch(/c2lnL|"Hm\."/)
    expect(requests.map(({ headers }) => [headers['x-goog-api-key'], headers.authorization])).toEqual(Array(4).fill(['key-1', undefined]))
  })

  test('images, PDFs, choice of tools and stops; what the model refuses', async () => {
    const blocked = geminiStream({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 4, totalTokenCount: 4 } })
    const { provider, requests } = await setUpCloud(createGemini, GEMINI, () => blocked)
    const events = await ask(provider, {
      ...{ model: 'gemini-2.5-flash', tools: [tool], toolChoice: 'required', stopSequences: ['END', ' '], maxTokens: 50, temperature: 0.5 },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', mimeType: 'image/png', data: 'iVBO' },
            { type: 'document', mimeType: 'application/pdf', data: 'JVBE', name: 'a' },
          ],
        },
      ],
    })
    expect(events.at(-1)).toEqual({ type: 'done', reason: 'refusal', detail: 'SAFETY' })
    expect(requests[0]?.body).toMatchObject({
      contents: [
        { parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBO' } }, { inlineData: { mimeType: 'application/pdf', data: 'JVBE' } }] },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      generationConfig: { stopSequences: ['END'], maxOutputTokens: 50, temperature: 0.5 },
    })
  })

  test('an image of the answer is kept, one of its thinking not (pydantic-ai, test_google_image_and_text_output)', async () => {
    const inlineData = { data: 'iVBORw0KGgo=', mimeType: 'image/png' }
    const painted = geminiStream(
      geminiPart({ text: 'Here:' }),
      geminiPart({ inlineData, thought: true }),
      geminiPart({ inlineData }),
      geminiPart({ text: '' }, 'STOP'),
    )
    const { provider } = await setUpCloud(createGemini, GEMINI, () => painted)
    const events = await ask(provider, { model: 'gemini-2.5-flash-image', messages: [user('Paint.')] })
    expect(events.slice(0, -2)).toEqual([
      { type: 'text', index: 0, text: 'Here:' },
      { type: 'image', index: 1, data: 'iVBORw0KGgo=' },
    ])
  })

  test('what a search of its own read counts as input (chatlas, tests/_vcr/test_provider_google)', async () => {
    const usageMetadata = { promptTokenCount: 30, candidatesTokenCount: 8, toolUsePromptTokenCount: 70, totalTokenCount: 108 }
    const found = geminiStream({ ...geminiPart({ text: 'Rain.' }, 'STOP'), usageMetadata })
    const { provider } = await setUpCloud(createGemini, GEMINI, () => found)
    const events = await ask(provider, { model: 'gemini-3.5-flash', messages: [user('Weather?')] })
    expect(events.at(-2)).toEqual({ type: 'usage', usage: { inputTokens: 100, outputTokens: 8 } })
  })

  test('errors by their bodies: a key, a limit with its wait, a stream that breaks off, a request that is too long', async () => {
    const error = (status: number, state: string, message: string, details: JsonObject[] = []): CloudReply => ({
      status,
      body: JSON.stringify({ error: { code: status, message, status: state, details } }),
    })
    const replies: CloudReply[] = [
      error(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
      ]),
      error(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.', [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '93.5s' }]),
      error(400, 'INVALID_ARGUMENT', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'),
      error(404, 'NOT_FOUND', 'models/x is not found for API version v1beta.'),
    ]
    const { provider } = await setUpCloud(createGemini, GEMINI, (_, index) => replies[index] ?? geminiStream(geminiPart({ text: 'It ' })))
    const asked = () => codeOf(ask(provider, { model: 'gemini-2.5-flash', messages: [user('Hi')] }))
    expect([await asked(), await asked(), await asked(), await asked()]).toEqual([
      ['model.key-refused', undefined],
      ['model.rate-limited', 93_500],
      ['model.too-long', undefined],
      ['model.unknown', undefined],
    ])
    const events = await ask(provider, { model: 'gemini-2.5-flash', messages: [user('Hi')] })
    expect(events.map(({ type }) => type)).toEqual(['text', 'usage'])
  })

  test('an aborted answer ends as cancelled, and nothing answers at a closed port', async () => {
    const { provider } = await setUpCloud(createGemini, GEMINI, () => told)
    const abort = AbortSignal.abort()
    const stream = provider.stream({ model: 'gemini-2.5-flash', system: '', messages: [user('Hi')], tools: [] }, abort)
    expect(await codeOf(stream[Symbol.asyncIterator]().next())).toEqual(['cancelled', undefined])
    const offline = createGemini({
      id: 'lab',
      name: 'Lab',
      baseUrl: 'http://127.0.0.1:1',
      key: 'k',
      clock: systemClock,
      find: () => undefined,
      fetch,
    })
    expect(await codeOf(offline.listModels(new AbortController().signal))).toEqual(['model.offline', undefined])
  })

  test('lists what generates content', async () => {
    const models = [
      {
        name: 'models/gemini-2.5-flash',
        displayName: 'Gemini 2.5 Flash',
        inputTokenLimit: 1048576,
        outputTokenLimit: 65536,
        supportedGenerationMethods: ['generateContent', 'countTokens'],
      },
      { name: 'models/gemini-embedding-001', displayName: 'Embedding', supportedGenerationMethods: ['embedContent'] },
      { name: 'models/gemini-2.5-flash-preview-tts', displayName: 'TTS', supportedGenerationMethods: ['generateContent'] },
    ]
    const { provider } = await setUpCloud(createGemini, GEMINI, () => ({ body: JSON.stringify({ models }) }))
    expect(await provider.listModels(new AbortController().signal)).toEqual([
      { id: 'lab/gemini-2.5-flash', provider: 'lab', name: 'Gemini 2.5 Flash', contextTokens: 1048576, maxOutputTokens: 65536, ai: true },
    ])
  })
})
