import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestNames } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { makeTestHost, type TestHost } from './host.testing.ts'

let test: TestHost
beforeAll(() => {
  test = makeTestHost()
})
afterAll(() => test.remove())

async function failureOf(name: string, params: unknown): Promise<HostError> {
  const error: unknown = await test.host.request(name, params).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof HostError)) throw new Error(`${name} did not fail with a HostError but with ${error}`)
  return error
}

describe('every request refuses what is not its params', () => {
  it.each(requestNames)('%s', async (name) => {
    const codes: string[] = []
    for (const params of [null, undefined, 'text', [], 7]) codes.push((await failureOf(name, params)).code)
    expect(new Set(codes)).toEqual(new Set(['contract.invalid']))
  })
})

describe('the field that does not fit is named, and its value is not repeated', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['chat.send', { text: '   ' }, 'text'],
    ['chat.send', { text: 'hi', conversationId: 5 }, 'conversationId'],
    ['conversation.rename', { id: 'x', title: '' }, 'title'],
    ['server.start', { name: 'two\nlines' }, 'name'],
    ['server.save', { name: 'ok', definition: { transport: 'shell', command: 'secret-value' } }, 'definition.transport'],
    ['key.set', { provider: 'anthropic', key: `secret-value${'x'.repeat(1000)}` }, 'key'],
    ['endpoint.save', { name: 'x', baseUrl: 'y', keyEnv: 'secret-value' }, 'keyEnv'],
    ['settings.set', { stepLimit: 0 }, 'stepLimit'],
    ['audit.list', { limit: 501 }, 'limit'],
    ['consent.answer', { id: 'x', answer: { kind: 'allow', scope: 'forever' } }, 'answer.scope'],
  ])('%s %j', async (name, params, field) => {
    const error = await failureOf(name, params)
    expect([error.code, error.data['field'], error.message.includes('secret-value')]).toEqual(['contract.invalid', field, false])
  })
})

it('keeps other words for a message apart from the composer’s', async () => {
  await test.host.request('draft.set', { text: 'new' })
  await test.host.request('draft.set', { messageId: 'm', text: 'edit' })
  expect(test.host.snapshot().drafts).toEqual({ '': 'new', 'edit:m': 'edit' })
})

it.each(['nothing.such', '', '__proto__', 'constructor', 'toString', 'app.snapshot '])('knows no request “%s”', async (name) => {
  expect((await failureOf(name, {})).code).toBe('contract.unknown-request')
})
