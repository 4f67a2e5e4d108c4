// For tests: the host's models with one endpoint, `lab`, at a local server that answers as a vendor does, in pieces and cut off if need be.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { describeError, HostError } from '#app/errors.ts'
import type { Json, JsonObject } from '#app/json.ts'
import type { ModelInfo } from '#app/models/models.ts'
import type { EndpointFormat } from '#app/models/presets.ts'
import { defaultSettings } from '#app/settings.ts'
import { systemClock } from '#main/base/clock.ts'
import { converseStream } from '../ai-sdk/cloud-server.testing.ts'
import { createModels } from '../host-models.ts'
import type { ModelEvent, ModelMessage, ModelRequest } from '../provider.ts'

export interface VendorAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer | readonly (string | Buffer)[]
  /** Whether the connection breaks after the body. */
  readonly cut?: boolean
}

export type LabFormat = Exclude<EndpointFormat, 'vertex'>

/** What came of a request, in the terms of the seam. */
interface Outcome {
  readonly text: string
  readonly thinking: string
  readonly calls: readonly (readonly [name: string, input: Json])[]
  readonly reason: string | undefined
  readonly code: string | undefined
  /** The vendor's words, as they are shown. */
  readonly quote: string | undefined
  readonly contextTokens: Json | undefined
  /** Milliseconds of each wait. */
  readonly waits: readonly number[]
  readonly tokens: readonly number[] | undefined
}

const addresses: Readonly<Record<LabFormat, (url: string) => string>> = {
  openai: (url) => `${url}/v1`,
  'openai-responses': (url) => `${url}/v1`,
  anthropic: (url) => url,
  gemini: () => 'https://generativelanguage.googleapis.com/v1beta',
  bedrock: () => 'https://bedrock-runtime.us-east-1.amazonaws.com',
}
/** Waits take no time. */
const quick = { now: () => Date.now(), after: (_: number, run: () => void) => systemClock.after(0, run) }

export const said = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })

/** `answer`: of the request with that index. `facts`: of the model, as its list has them. */
export async function openLab(
  format: LabFormat,
  answer: (body: JsonObject, index: number) => VendorAnswer,
  facts: Partial<ModelInfo> = {},
) {
  const model = 'm'
  const requests: JsonObject[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject
    const { status = 200, headers = {}, body: reply, cut = false } = answer(body, requests.push(body) - 1)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    for (const piece of Array.isArray(reply) ? reply : [reply]) {
      response.write(piece)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    if (cut) response.destroy()
    else response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const info = { id: `lab/${model}`, provider: 'lab', name: model, ai: true, maxOutputTokens: 4096, ...facts }
  const baseUrl = addresses[format](url)
  const endpoint = {
    id: 'lab',
    name: 'Lab',
    baseUrl,
    kind: 'added',
    keyed: true,
    format,
    models: [info],
    checkedAt: Date.now(),
    filled: true,
  }
  const stored = new Map<string, Json>([['models/endpoints', [JSON.parse(JSON.stringify(endpoint)) as Json]]])
  const secrets = new Map([['key/lab', 'sk-lab-0123456789-q7Rw']])
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
      fact: (name) => stored.get(name),
      setFact: (name, value) => void stored.set(name, value),
    },
    emit: silent,
    clock: quick,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    env: { ASSENT_LOCAL_MODEL_PORTS: '' },
    fetch: (input, init) => fetch(String(input).replace(/^https:\/\/[^/]+/, url), init),
  })
  onTestFinished(() => {
    models.dispose()
    server.close()
    server.closeAllConnections()
  })
  await models.load()
  return {
    requests,
    async ask(change: Partial<ModelRequest> = {}): Promise<Outcome> {
      const events: ModelEvent[] = []
      let error: HostError | undefined
      try {
        const request = { system: '', messages: [said('Hello.')], tools: [], ...change }
        for await (const event of models.stream(`lab/${model}`, request, new AbortController().signal)) events.push(event)
      } catch (failure) {
        if (!(failure instanceof HostError)) throw failure
        error = failure
      }
      return outcomeOf(events, error)
    },
  }
}

function outcomeOf(events: readonly ModelEvent[], error: HostError | undefined): Outcome {
  const texts = (type: 'text' | 'thinking') => events.flatMap((event) => (event.type === type ? [event.text] : [])).join('')
  const usage = events.findLast((event) => event.type === 'usage')?.usage
  return {
    text: texts('text'),
    thinking: texts('thinking'),
    calls: events.flatMap((event) =>
      event.type === 'tool-call' ? [[event.name, event.inputText === '' ? {} : (JSON.parse(event.inputText) as Json)] as const] : [],
    ),
    reason: events.find((event) => event.type === 'done')?.reason,
    code: error?.code,
    quote: error && describeError(error.toValue()).quote,
    contextTokens: error?.data['contextTokens'],
    waits: events.flatMap((event) => (event.type === 'retrying' ? [event.afterMs] : [])),
    tokens: usage && [usage.inputTokens, usage.outputTokens],
  }
}

export const json = (status: number, body: object | string): VendorAnswer => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const events = { 'content-type': 'text/event-stream' }
/** Events of a stream: objects in a `data` line each, strings as they are. */
export const sse = (...lines: readonly (object | string)[]): VendorAnswer => ({
  headers: events,
  body: lines.map((line) => (typeof line === 'string' ? `${line}\n\n` : `data: ${JSON.stringify(line)}\n\n`)).join(''),
})
export const rawStream = (...pieces: readonly (string | Buffer)[]): VendorAnswer => ({ headers: events, body: pieces })
export const chunk = (delta: object, finish_reason: string | null = null, more: object = {}): object => ({
  id: 'gen-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
})
/** An event of Anthropic's or of the Responses API. */
export const typed = (type: string, more: object = {}): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}`

const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'm', usage: { input_tokens: 7, output_tokens: 1 } }
export const messageStart = typed('message_start', { message })
export const messageEnd = (stop_reason: string): readonly string[] => [
  typed('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } }),
  typed('message_stop'),
]
const output = [{ type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Fine.', annotations: [] }] }]

/** An answer of one word in each format. */
export const fine: Readonly<Record<LabFormat, VendorAnswer>> = {
  openai: sse(chunk({ content: 'Fine.' }, 'stop'), 'data: [DONE]'),
  'openai-responses': sse(typed('response.completed', { response: { id: 'resp_1', status: 'completed', output } })),
  anthropic: sse(
    messageStart,
    typed('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    typed('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Fine.' } }),
    typed('content_block_stop', { index: 0 }),
    ...messageEnd('end_turn'),
  ),
  gemini: sse({ candidates: [{ content: { role: 'model', parts: [{ text: 'Fine.' }] }, finishReason: 'STOP', index: 0 }] }),
  bedrock: converseStream(
    { messageStart: { role: 'assistant' } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Fine.' } } },
    { contentBlockStop: { contentBlockIndex: 0 } },
    { messageStop: { stopReason: 'end_turn' } },
  ),
}

export type Expected = Partial<Outcome>
type Row = readonly [source: string, answer: VendorAnswer, expected: Expected]

const tools = [{ name: 'look', description: '', inputSchema: { type: 'object', properties: {} } }]
/** Asks once and returns the parts that are expected; every try gets the same answer. */
export async function check(format: LabFormat, [, answer, expected]: Row): Promise<void> {
  const lab = await openLab(format, () => answer)
  const outcome = await lab.ask({ tools })
  const { quote, ...rest } = expected
  const seen = Object.fromEntries(Object.keys(rest).map((key) => [key, outcome[key as keyof Expected]]))
  expect({ ...seen, ...(quote === undefined ? {} : { quote: outcome.quote?.includes(quote) ? quote : outcome.quote }) }).toEqual(expected)
}
export const named = (rows: readonly Row[]) => rows.map((row) => [row[0], row] as const)
