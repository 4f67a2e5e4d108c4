// Streams that others recorded, through the real providers. The bodies are not in this repository (docs/notes/recordings.md).
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Json, JsonObject } from '#app/json.ts'
import { systemClock } from '#main/base/clock.ts'
import { createAnthropic } from '#main/models/anthropic/anthropic-provider.ts'
import { createOpenAiCompatible } from '#main/models/openai-chat/openai-provider.ts'
import { createOpenAiResponses } from '#main/models/openai-responses/responses-provider.ts'
import type { ModelAssistantBlock, ModelEvent, ModelMessage, ModelProvider } from '#main/models/provider.ts'
import { type ModelServer, startModelServer } from '../model-server/server.ts'
import { broken } from './follow-up.ts'
import { knownFaults } from './known-faults.ts'

interface Recording {
  readonly id: string
  readonly vendor: string
  readonly format: 'openai' | 'anthropic' | 'openai-responses'
  readonly model: string | null
  readonly status: number
  readonly body: { readonly sha256: string }
  readonly expected: {
    readonly text: string
    readonly thinking: string | null
    readonly calls: readonly (readonly [name: string, sha256: string])[]
    readonly usage: JsonObject | null
    readonly stop: string
  }
}
const list = readFileSync(join(import.meta.dirname, 'recordings.jsonl'), 'utf8')
  .trim()
  .split('\n')
const recordings = list.map((line) => JSON.parse(line) as Recording)
const bodies = resolve(process.env['ASSENT_RECORDINGS'] ?? '../shared/recordings')
const there = existsSync(bodies)
if (!there) console.warn(`No bodies of recordings in ${bodies}: ${recordings.length} recordings are not played`)

const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
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

function providerOf({ format, vendor }: Recording, server: ModelServer): ModelProvider {
  const shared = { key: 'sk-test-0123456789', clock: systemClock, find: () => undefined, chance: () => 0 }
  if (format === 'anthropic') return createAnthropic({ ...shared, baseUrl: server.url })
  const host = `https://${hosts[vendor] ?? `${vendor}.example`}`
  const local: typeof fetch = (input, init) => fetch(String(input).replace(host, server.url), init)
  const create = format === 'openai-responses' ? createOpenAiResponses : createOpenAiCompatible
  return create({ ...shared, id: 'lab', name: 'Lab', baseUrl: `${host}/v1`, fetch: local })
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
const resultsOf = (answer: readonly ModelAssistantBlock[]): ModelMessage => ({
  role: 'user',
  content: answer.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ type: 'tool-result' as const, providerId: part.providerId, content: [{ type: 'text' as const, text: 'Done.' }], isError: false }]
      : [],
  ),
})

async function play(recording: Recording) {
  const { id, vendor, format, status, expected } = recording
  const body = readFileSync(join(bodies, `${id}.sse`), 'utf8')
  expect(sha(body), `${id}.sse is not the recorded body`).toBe(recording.body.sha256)
  const server = await startModelServer({
    script: () => ({ kind: 'raw', status, headers: { 'content-type': 'text/event-stream' }, body }),
  })
  onTestFinished(() => server.close())
  const provider = providerOf(recording, server)
  const model = recording.model ?? 'm-1'
  const names = [...new Set(expected.calls.map(([name]) => name))]
  const tools = names.map((name) => ({ name, description: name, inputSchema: { type: 'object' } }))
  const events: ModelEvent[] = []
  const ask = async (messages: readonly ModelMessage[], into: ModelEvent[]): Promise<string | undefined> => {
    try {
      const request = { model, system: '', messages, tools, effort: 'auto' as const }
      for await (const event of provider.stream(request, new AbortController().signal)) into.push(event)
      return into.findLast((event) => event.type === 'done')?.reason
    } catch {
      return 'error'
    }
  }
  const stop = await ask([user('Go.')], events)
  const answer = answerOf(events)
  const calls = answer.flatMap((part) => (part.type === 'tool-call' ? [[part.name, sha(JSON.stringify(sorted(part.input)))]] : []))
  const thinking = textOf(answer, 'thinking')
  const got = { text: sha(textOf(answer, 'text')), thinking: thinking ? sha(thinking) : null, calls, usage: usageOf(events), stop }
  let illegal: readonly string[] = []
  if (calls.length > 0) {
    const author = format === 'anthropic' ? `anthropic/${model}` : `lab/${model}`
    const done: ModelMessage = { role: 'assistant', model: author, content: [{ type: 'text', text: 'Done.' }] }
    const sent = server.requests.length
    await ask([user('Go.'), { role: 'assistant', model: author, content: answer }, resultsOf(answer), done, user('Again.')], [])
    illegal = broken(format, vendor, model, server.requests[sent]?.body ?? { messages: [] })
  }
  return { ...got, illegal }
}

test('the list has 150 recordings or more, of 20 vendors or more, at most 15 of one', () => {
  const counts = Object.values(Object.groupBy(recordings, ({ vendor }) => vendor)).map((of) => of?.length ?? 0)
  expect([recordings.length >= 150, counts.length >= 20, Math.max(...counts) <= 15]).toEqual([true, true, true])
})

if (!there) test.skip(`${recordings.length} recordings, whose bodies are not here`, () => undefined)
else
  describe('recordings', () => {
    test.each(recordings.filter(({ id }) => !knownFaults[id]))('$id', async (recording) => {
      expect(await play(recording)).toEqual({ ...recording.expected, illegal: [] })
    })
    test.each(recordings.filter(({ id }) => knownFaults[id]))('$id still differs', async (recording) => {
      expect(await play(recording)).not.toEqual({ ...recording.expected, illegal: [] })
    })
  })
