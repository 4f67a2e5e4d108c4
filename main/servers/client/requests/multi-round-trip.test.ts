import { expect, test, vi } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { systemClock } from '#main/base/clock.ts'
import type { RequestContext, SendRequest } from './request-context.ts'
import { answerQuestions } from './request-interceptors.ts'

const asks = { answer: vi.fn(() => Promise.resolve({})) }
const { signal } = new AbortController()
const context = { signal, connection: { server: 'a', serverRequests: asks, clock: systemClock } } as unknown as RequestContext
const answer = (method: string, send: SendRequest): Promise<JsonObject> => answerQuestions({ method, params: {} }, context, send)
const question: JsonObject = { resultType: 'input_required', inputRequests: { who: { method: 'roots/list' } } }

test.each(['tools/list', 'tasks/get', 'completion/complete'])(
  '%s may not be answered with questions, and nobody is asked',
  async (method) => {
    const send = vi.fn(() => Promise.resolve(question))
    await expect(answer(method, send)).rejects.toMatchObject({
      code: 'server.protocol',
      data: { reason: 'questions' },
    })
    expect([send.mock.calls.length, asks.answer.mock.calls.length]).toEqual([1, 0])
  },
)

test('more questions than a person reads are an error', async () => {
  const inputRequests = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`q${i}`, { method: 'roots/list' }]))
  const send = () => Promise.resolve({ resultType: 'input_required', inputRequests })
  await expect(answer('tools/call', send)).rejects.toMatchObject({ code: 'server.protocol' })
  expect(asks.answer).not.toHaveBeenCalled()
})

test('a question is answered under its own name, whatever that is', async () => {
  const named = JSON.parse('{"__proto__":{"method":"roots/list"},"constructor":{"method":"roots/list"}}') as JsonObject
  const send = vi.fn<SendRequest>(({ params }) =>
    Promise.resolve(params['inputResponses'] ? {} : { resultType: 'input_required', inputRequests: named }),
  )
  await answer('tools/call', send)
  expect(JSON.stringify(send.mock.lastCall?.[0].params)).toBe('{"inputResponses":{"__proto__":{},"constructor":{}}}')
})
