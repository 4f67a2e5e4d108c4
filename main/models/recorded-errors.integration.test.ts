// Errors that vendors sent, through the real providers: what a person reads of each. `recorded-errors.jsonl` names the source of each body,
// with ids shortened ("ruby_llm" and "pydantic-ai": their test cassettes; else a GitHub thread). Its expectations (the code, the action, a
// part of the vendor's own words) were written before the first run.
import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { describeError, type ErrorValue, type HostError } from '#app/errors.ts'
import { systemClock } from '#main/base/clock.ts'
import { type ModelServer, startModelServer } from '../../e2e/model-server/server.ts'
import { createAnthropic } from './anthropic/anthropic-provider.ts'
import { createOpenAiCompatible } from './openai-chat/openai-provider.ts'
import type { ModelProvider } from './provider.ts'

interface RecordedError {
  readonly who: string
  readonly source: string
  readonly status: number
  readonly format?: 'anthropic'
  readonly code: string
  readonly action: string | null
  readonly words: string
  readonly body: string
}

const recorded = readFileSync(new URL('recorded-errors.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordedError)

let server: ModelServer
afterEach(() => server.close())

const quick = { now: () => Date.now(), after: (_: number, run: () => void) => systemClock.after(0, run) }
const find = (id: string) => ({ id, provider: 'lab', name: id, ai: true })

function providerFor({ format }: RecordedError): ModelProvider {
  const common = { key: 'sk-test-0123456789-q7Rw', clock: quick, find, chance: () => 0 }
  if (format === 'anthropic') return createAnthropic({ ...common, baseUrl: server.url })
  return createOpenAiCompatible({ ...common, id: 'lab', name: 'Lab', baseUrl: `${server.url}/v1` })
}

async function errorOf(one: RecordedError): Promise<ErrorValue> {
  const headers = { 'content-type': 'application/json' }
  server = await startModelServer({ script: () => ({ kind: 'raw', status: one.status, headers, body: one.body }) })
  const request = { model: 'm', system: '', messages: [], tools: [], maxTokens: 100 }
  try {
    for await (const _ of providerFor(one).stream(request, new AbortController().signal));
  } catch (error) {
    return (error as HostError).toValue()
  }
  return expect.unreachable()
}

test.each(recorded.map((one) => [`${one.who}: ${one.words} (${one.source})`, one] as const))('%s', async (_title, one) => {
  const error = await errorOf(one)
  const { quote = '', action } = describeError(error)
  expect({ code: error.code, action: action?.kind ?? null, words: quote.includes(one.words) ? one.words : quote }).toEqual({
    code: one.code,
    action: one.action,
    words: one.words,
  })
})

test('there are 70 errors or more', () => {
  expect(recorded.length).toBeGreaterThanOrEqual(70)
})
