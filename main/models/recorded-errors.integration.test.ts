// Errors that vendors sent, through the real providers: what a person reads of each. `recorded-errors.jsonl` names the source of each body,
// with ids shortened (a repository's test cassette, else a GitHub thread). Its expectations (the code, the action, a part of the vendor's own
// words) were written before the first run.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeError, type ErrorValue, type HostError } from '#app/errors.ts'
import { systemClock } from '#main/base/clock.ts'
import { startCloud } from './ai-sdk/cloud-server.testing.ts'
import { createBedrock, createGemini } from './ai-sdk/sdk-provider.ts'
import { createAnthropic } from './anthropic/anthropic-provider.ts'
import { createOpenAiResponses } from './endpoints/endpoint-provider.ts'
import { createOpenAiCompatible } from './openai-chat/openai-provider.ts'

interface RecordedError {
  readonly who: string
  readonly source: string
  readonly status: number
  readonly format?: keyof typeof providers
  readonly code: string
  readonly action: string | null
  readonly words: string
  readonly body: string
}

const recorded = readFileSync(new URL('recorded-errors.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordedError)

const quick = { now: () => Date.now(), after: (_: number, run: () => void) => systemClock.after(0, run) }
const find = (id: string) => ({ id, provider: 'lab', name: id, ai: true })
const providers = {
  openai: createOpenAiCompatible,
  'openai-responses': createOpenAiResponses,
  anthropic: createAnthropic,
  gemini: createGemini,
  bedrock: createBedrock,
}

async function errorOf({ format = 'openai', status, body }: RecordedError): Promise<ErrorValue> {
  const { fetch } = await startCloud(() => ({ status, body }))
  const shared = { id: 'lab', name: 'Lab', key: 'sk-test-0123456789-q7Rw', clock: quick, find, chance: () => 0, fetch }
  const provider = providers[format]({ ...shared, baseUrl: 'https://lab.example/v1' })
  const request = { model: 'm', system: '', messages: [], tools: [], maxTokens: 100 }
  try {
    for await (const _ of provider.stream(request, new AbortController().signal));
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

test('there are 120 errors or more', () => {
  expect(recorded.length).toBeGreaterThanOrEqual(120)
})
