// Plays a recorded body through the real providers, with a follow-up over a second turn. A file may hold several answers, one after another.
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { Json, JsonObject } from '#app/json.ts'
import { systemClock } from '#main/base/clock.ts'
import { startCloud } from '#main/models/ai-sdk/cloud-server.testing.ts'
import { createBedrock, createGemini, createVertex } from '#main/models/ai-sdk/sdk-provider.ts'
import { createAnthropic } from '#main/models/anthropic/anthropic-provider.ts'
import { createOpenAiResponses } from '#main/models/endpoints/endpoint-provider.ts'
import { orOllama } from '#main/models/ollama/ollama-provider.ts'
import { createOpenAiCompatible } from '#main/models/openai-chat/openai-provider.ts'
import type { ModelAssistantBlock, ModelEvent, ModelMessage, ModelProvider } from '#main/models/provider.ts'
import { broken } from './follow-up.ts'

export interface Recording {
  readonly id: string
  readonly vendor: string
  /** `gemini`: of Vertex too. `ollama`: its own API. */
  readonly format: 'openai' | 'anthropic' | 'openai-responses' | 'gemini' | 'bedrock' | 'ollama'
  readonly model: string | null
  readonly status: number
  readonly expected: {
    readonly text: string
    readonly thinking: string | null
    readonly calls: readonly (readonly [name: string, sha256: string])[]
    readonly usage: JsonObject | null
    readonly stop: string
  }
}

export const sha = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')
const sorted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value) as [string, Json][]
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, sorted(one)]))
}
const hosts: Readonly<Record<string, string>> = {
  openai: 'api.openai.com',
  mistral: 'api.mistral.ai',
  deepseek: 'api.deepseek.com',
  openrouter: 'openrouter.ai',
}

function providerOf({ format, vendor, model, expected }: Recording, local: typeof fetch): ModelProvider {
  const shared = {
    id: 'lab',
    name: 'Lab',
    key: 'sk-test-0123456789',
    clock: systemClock,
    find: () => undefined,
    chance: () => 0,
    fetch: local,
  }
  if (format === 'anthropic') return createAnthropic({ ...shared, id: 'anthropic', baseUrl: 'https://api.anthropic.com' })
  if (format === 'gemini')
    return vendor === 'google-vertex'
      ? createVertex({ ...shared, baseUrl: 'https://aiplatform.googleapis.com/v1/projects/p/locations/global' })
      : createGemini({ ...shared, baseUrl: 'https://generativelanguage.googleapis.com/v1beta' })
  if (format === 'bedrock') return createBedrock({ ...shared, baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com' })
  const compatible = { ...shared, baseUrl: `https://${hosts[vendor] ?? `${vendor}.example`}/v1` }
  if (format === 'openai-responses') return createOpenAiResponses(compatible)
  if (format === 'openai') return createOpenAiCompatible(compatible)
  const info = { id: `lab/${model}`, provider: 'lab', name: String(model), ai: true, reasoning: expected.thinking !== null }
  return orOllama(createOpenAiCompatible(compatible), { ...compatible, find: () => ({ ...info, ollama: { digest: 'd', bytes: 1 } }) })
}

/** Puts an answer together from its events. */
function answerOf(events: readonly ModelEvent[]): ModelAssistantBlock[] {
  const parts = new Map<number, ModelAssistantBlock>()
  for (const event of events) {
    const index = 'index' in event ? event.index : -1
    const part = parts.get(index)
    const before = part && 'text' in part ? part.text : ''
    if (event.type === 'text') parts.set(index, { type: 'text', text: before + event.text })
    if (event.type === 'thinking') parts.set(index, { type: 'thinking', text: before + event.text })
    if (event.type === 'recast') parts.set(index, { type: event.as, text: event.text })
    if (event.type === 'thinking-end') {
      const { type: _, index: __, ...proof } = event
      parts.set(index, { type: 'thinking', text: before, ...proof })
    }
    if (event.type === 'searched') parts.set(index, { type: 'searched', blocks: event.blocks })
    if (event.type === 'tool-call') {
      const { type, providerId, name, inputText, providerData } = event
      const input = JSON.parse(inputText || '{}') as JsonObject
      parts.set(index, { type, providerId, name, input, ...(providerData ? { providerData } : {}) })
    }
  }
  return [...parts.entries()].toSorted(([a], [b]) => a - b).map(([, part]) => part)
}
const textOf = (parts: readonly ModelAssistantBlock[], type: 'text' | 'thinking'): string =>
  parts
    .map((part) => (part.type === type && 'text' in part ? part.text : ''))
    .join('')
    .trim()
const usageOf = (events: readonly ModelEvent[]): object | null => {
  const usage = events.findLast((event) => event.type === 'usage')?.usage
  if (!usage) return null
  const { inputTokens: input, outputTokens: output, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite } = usage
  return { input, output, ...(cacheRead ? { cacheRead } : {}), ...(cacheWrite ? { cacheWrite } : {}) }
}

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const resultsOf = (answer: readonly ModelAssistantBlock[]): ModelMessage => {
  const results = answer.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ type: 'tool-result' as const, providerId: part.providerId, content: [{ type: 'text' as const, text: 'Done.' }], isError: false }]
      : [],
  )
  return results.length > 0 ? { role: 'user', content: results } : user('Go on.')
}

/** Splits a body after each end of an answer that another one follows. */
const answersIn = (body: string): readonly string[] =>
  body.split(
    /(?<="type":"(?:message_stop|response\.completed)".*\n\n)(?=(?:event: .*\n)?data: \{"type":"(?:message_start|response\.created)")/,
  )

const types: Readonly<Record<string, string>> = { bedrock: 'application/vnd.amazon.eventstream', ollama: 'application/x-ndjson' }

/** What the providers make of the body, and which rules of the vendor the next requests break. */
async function play(recording: Recording, body: Buffer) {
  const { vendor, format, status, expected } = recording
  const bodies = format === 'bedrock' ? [body] : answersIn(body.toString())
  let next = 0
  const headers = { 'content-type': types[format] ?? 'text/event-stream' }
  const server = await startCloud(() => ({ status, headers, body: bodies[next++] ?? bodies[0] ?? '' }))
  const provider = providerOf(recording, server.fetch)
  const model = recording.model ?? 'm-1'
  const author = format === 'anthropic' ? `anthropic/${model}` : `lab/${model}`
  const names = [...new Set(expected.calls.map(([name]) => name))]
  const tools = names.map((name) => ({ name, description: name, inputSchema: { type: 'object' } }))
  const events: ModelEvent[] = []
  const ask = async (messages: readonly ModelMessage[]): Promise<readonly ModelEvent[]> => {
    const came: ModelEvent[] = []
    try {
      const request = { model, system: '', messages, tools, effort: 'auto' as const }
      for await (const event of provider.stream(request, new AbortController().signal)) came.push(event)
    } catch {
      // The error is the end without `done`.
    }
    return came
  }
  const history: ModelMessage[] = [user('Go.')]
  const answer: ModelAssistantBlock[] = []
  let last: readonly ModelEvent[] = []
  for (const _ of bodies) {
    last = await ask(history)
    events.push(...last)
    const content = answerOf(last)
    answer.push(...content)
    history.push({ role: 'assistant', model: author, content }, resultsOf(content))
  }
  const stop = last.findLast((event) => event.type === 'done')?.reason ?? 'error'
  const calls = answer.flatMap((part) => (part.type === 'tool-call' ? [[part.name, sha(JSON.stringify(sorted(part.input)))]] : []))
  const thinking = textOf(answer, 'thinking')
  const got = { text: sha(textOf(answer, 'text')), thinking: thinking ? sha(thinking) : null, calls, usage: usageOf(last), stop }
  const signed = body.includes('"thoughtSignature"')
  let illegal: readonly string[] = []
  if (calls.length > 0) {
    const done: ModelMessage = { role: 'assistant', model: author, content: [{ type: 'text', text: 'Done.' }] }
    await ask([...history, done, user('Again.')])
    illegal = server.requests
      .slice(1)
      .flatMap((request) => broken({ format, vendor, model, thought: thinking !== '', signed }, request.body))
  }
  return { ...got, illegal }
}

/** Holds the result to the expected one. */
export async function expectPlayed(recording: Recording, body: Buffer): Promise<void> {
  expect(await play(recording, body)).toEqual({ ...recording.expected, illegal: [] })
}
