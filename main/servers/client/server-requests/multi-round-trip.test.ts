import { expect, test, vi } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { systemClock } from '#main/base/clock.ts'
import { requestInRounds } from './multi-round-trip.ts'

const asks = { answer: vi.fn(() => Promise.resolve({})) }
const { signal } = new AbortController()
const options = { server: 'a', params: {}, asks, clock: systemClock, signal }
const question: JsonObject = { resultType: 'input_required', inputRequests: { who: { method: 'roots/list' } } }

test.each(['tools/list', 'tasks/get', 'completion/complete'])(
  '%s may not be answered with questions, and nobody is asked',
  async (method) => {
    const send = vi.fn(() => Promise.resolve(question))
    await expect(requestInRounds({ ...options, method, send })).rejects.toMatchObject({
      code: 'server.protocol',
      data: { reason: 'questions' },
    })
    expect([send.mock.calls.length, asks.answer.mock.calls.length]).toEqual([1, 0])
  },
)

test('more questions than a person reads are an error', async () => {
  const inputRequests = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`q${i}`, { method: 'roots/list' }]))
  const send = () => Promise.resolve({ resultType: 'input_required', inputRequests })
  await expect(requestInRounds({ ...options, method: 'tools/call', send })).rejects.toMatchObject({ code: 'server.protocol' })
  expect(asks.answer).not.toHaveBeenCalled()
})

test('a question is answered under its own name, whatever that is', async () => {
  const named = JSON.parse('{"__proto__":{"method":"roots/list"},"constructor":{"method":"roots/list"}}') as JsonObject
  const send = vi.fn((params: JsonObject) =>
    Promise.resolve(params['inputResponses'] ? {} : { resultType: 'input_required', inputRequests: named }),
  )
  await requestInRounds({ ...options, method: 'tools/call', send })
  expect(JSON.stringify(send.mock.lastCall?.[0])).toBe('{"inputResponses":{"__proto__":{},"constructor":{}}}')
})
