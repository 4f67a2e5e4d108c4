// A local server that answers as Gemini, Bedrock or Vertex: each path by a function of the test. It keeps every request.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import { onTestFinished } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { systemClock } from '#main/base/clock.ts'
import type { EndpointOptions } from '../openai-chat/openai-provider.ts'
import type { ModelEvent, ModelMessage, ModelProvider, ModelRequest } from '../provider.ts'

export interface CloudRequest {
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
  readonly text: string
}
export interface CloudReply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: string | Buffer
}

export async function startCloud(answer: (request: CloudRequest, index: number) => CloudReply) {
  const requests: CloudRequest[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const body = text.startsWith('{') ? (JSON.parse(text) as JsonObject) : {}
    const request = { path: incoming.url ?? '', method: incoming.method ?? '', headers: incoming.headers, body, text }
    const { status = 200, headers = {}, body: reply } = answer(request, requests.push(request) - 1)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** Sends requests to any host here. */
  const local: typeof fetch = (input, init) => fetch(String(input).replace(/^https:\/\/[^/]+/, url), init)
  return { url, requests, fetch: local }
}

/** Events as Gemini sends them (vercel/ai, `packages/google/src/__fixtures__`). */
export const geminiStream = (...chunks: readonly JsonObject[]): CloudReply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(''),
})

/** Frames of Amazon's event stream (pydantic-ai, `tests/models/cassettes/test_bedrock`); names of exceptions end in `Exception`. */
export const converseStream = (...events: readonly JsonObject[]): CloudReply => ({
  headers: { 'content-type': 'application/vnd.amazon.eventstream' },
  body: Buffer.concat(events.flatMap((event) => Object.entries(event).map(([name, payload]) => frame(name, payload)))),
})

function frame(name: string, payload: unknown): Buffer {
  const isException = name.endsWith('Exception')
  const pairs = [
    [isException ? ':exception-type' : ':event-type', name],
    [':content-type', 'application/json'],
    [':message-type', isException ? 'exception' : 'event'],
  ] as const
  const headers = Buffer.concat(
    pairs.map(([key, value]) => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(value.length)
      return Buffer.concat([Buffer.from([key.length]), Buffer.from(key), Buffer.from([7]), length, Buffer.from(value)])
    }),
  )
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(16 + headers.length + body.length)
  prelude.writeUInt32BE(headers.length, 4)
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
  const message = Buffer.concat([prelude, headers, body])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(message))
  return Buffer.concat([message, sum])
}

export const tool = {
  name: 'weather',
  description: 'Tells the weather',
  inputSchema: { type: 'object', properties: { place: { type: 'string' } } },
}
export const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
export const result = (providerId: string): ModelMessage => ({
  role: 'user',
  content: [{ type: 'tool-result', providerId, content: [{ type: 'text', text: 'Rain' }], isError: false }],
})

export async function setUpCloud(
  create: (options: EndpointOptions) => ModelProvider,
  baseUrl: string,
  answer: (request: CloudRequest, index: number) => CloudReply,
  rest: { readonly key?: string; readonly info?: Partial<ModelInfo> } = {},
) {
  const cloud = await startCloud(answer)
  const find = (id: string): ModelInfo | undefined => (rest.info ? { id, provider: 'lab', name: id, ai: true, ...rest.info } : undefined)
  const shared = { id: 'lab', name: 'Lab', baseUrl, clock: systemClock, find, chance: () => 0, fetch: cloud.fetch }
  return { ...cloud, provider: create({ ...shared, key: rest.key ?? 'key-1' }) }
}

export async function ask(
  provider: ModelProvider,
  request: Partial<ModelRequest> & Pick<ModelRequest, 'model' | 'messages'>,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of provider.stream({ system: '', tools: [], ...request }, new AbortController().signal)) events.push(event)
  return events
}
export const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: { code?: string; data?: JsonObject }) => [error.code, error.data?.['retryAfterMs']],
  )

/** A chunk of Gemini with one part. */
export const geminiPart = (value: JsonObject, finishReason?: string): JsonObject => ({
  candidates: [{ content: { parts: [value], role: 'model' }, ...(finishReason ? { finishReason } : {}), index: 0 }],
  usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 8, thoughtsTokenCount: 5, cachedContentTokenCount: 10, totalTokenCount: 43 },
})
