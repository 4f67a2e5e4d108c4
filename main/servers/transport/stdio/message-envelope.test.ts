import { isJSONRPCErrorResponse, isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResultResponse } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import { answeredId, classifyEnvelope, failedResponse, hostErrorInData } from './message-envelope.ts'

const rpc = (fields: object): object => ({ jsonrpc: '2.0', ...fields })

describe('classifyEnvelope', () => {
  it.each([
    ['a request', rpc({ id: 1, method: 'ping' })],
    ['a request with params', rpc({ id: 'a', method: 'ping', params: { a: 1 } })],
    ['a notification', rpc({ method: 'notifications/x', params: {} })],
    ['a result', rpc({ id: 0, result: {} })],
    ['an error', rpc({ id: 0, error: { code: -32601, message: 'no', data: [1] } })],
  ])('takes %s as it is', (_, value) => {
    expect(classifyEnvelope(value)).toEqual({ kind: 'message', message: value })
  })

  it.each([
    [rpc({ id: 1, result: {}, error: null }), rpc({ id: 1, result: {} })],
    [rpc({ id: 1, result: null, error: { code: 1, message: 'x' } }), rpc({ id: 1, error: { code: 1, message: 'x' } })],
    [rpc({ id: 1, error: { code: 1 } }), rpc({ id: 1, error: { code: 1, message: '' } })],
    [rpc({ id: 1, method: 'x', params: null, extra: true }), rpc({ id: 1, method: 'x' })],
  ])('forgives %j', (value, message) => {
    expect(classifyEnvelope(value)).toEqual({ kind: 'message', message })
  })

  it.each([
    [rpc({ id: 1 })],
    [rpc({ id: 1, result: 'text' })],
    [rpc({ id: 1, result: null })],
    [rpc({ id: 1, error: 'text' })],
    [rpc({ id: 1, error: { code: 'E' } })],
    [rpc({ id: 1, result: {}, error: { code: 1, message: '' } })],
  ])('knows which request %j fails to answer', (value) => {
    expect(classifyEnvelope(value)).toEqual({ kind: 'broken-answer', id: 1 })
  })

  it.each([
    [null],
    [1],
    ['text'],
    [[]],
    [{}],
    [{ id: 1, result: {} }],
    [rpc({})],
    [rpc({ id: null, error: { code: 1, message: '' } })],
    [rpc({ method: 1 })],
    [rpc({ id: {}, method: 'x' })],
    [rpc({ method: 'x', params: [1] })],
    [{ level: 'info', msg: 'x' }],
  ])('leaves %j alone', (value) => {
    expect(classifyEnvelope(value)).toEqual({ kind: 'other' })
  })

  it('hands nothing over that the SDK would not take', () => {
    const field = fc.option(
      fc.oneof(
        fc.integer(),
        fc.string(),
        fc.constant(null),
        fc.double(),
        fc.dictionary(fc.constantFrom('code', 'message', 'data', '_meta', 'x'), fc.oneof(fc.integer(), fc.string())),
      ),
      { nil: undefined },
    )
    const record = fc.record({ jsonrpc: fc.constant('2.0'), id: field, method: field, params: field, result: field, error: field })
    fc.assert(
      fc.property(record, (value) => {
        const json: unknown = JSON.parse(JSON.stringify(value))
        const envelope = classifyEnvelope(json)
        if (envelope.kind !== 'message' || '_meta' in Object(Object(json).params) || '_meta' in Object(Object(json).result)) return
        const { message } = envelope
        expect(
          isJSONRPCRequest(message) ||
            isJSONRPCNotification(message) ||
            isJSONRPCResultResponse(message) ||
            isJSONRPCErrorResponse(message),
        ).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('an answer of our own making', () => {
  it('carries our error, which is told from one that a server made up', () => {
    const error = new HostError('server.too-large', 'Too large.', { data: { limit: 1 } })
    const data = failedResponse(3, error).error.data
    expect(hostErrorInData(data)?.toValue()).toEqual(error.toValue())
    expect(hostErrorInData({ mark: 'guess', error: error.toValue() })).toBeUndefined()
    expect(hostErrorInData('text')).toBeUndefined()
  })
})

describe('answeredId', () => {
  const id = (head: string, tail?: string) => answeredId(Buffer.from(head), tail === undefined ? undefined : Buffer.from(tail))

  it.each([
    ['{"jsonrpc":"2.0","id":7,"result":{"content":[', undefined, 7],
    ['{ "id": "a-1", "jsonrpc": "2.0", "error": {', undefined, 'a-1'],
    ['{"result":{"content":[', ']},"jsonrpc":"2.0","id":12}', 12],
    ['{"jsonrpc":"2.0","result":{"content":[', ']},"id":12}\r', 12],
    ['{"result":{"content":[', ']}, "id": "x", "jsonrpc": "2.0" }', 'x'],
  ])('finds it in %s … %s', (head, tail, expected) => {
    expect(id(head, tail)).toBe(expected)
  })

  it.each([
    ['a request of the server', '{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{', undefined],
    ['a request with its id last', '{"method":"x","params":{', '},"jsonrpc":"2.0","id":7}'],
    ['an id deeper in the answer', '{"result":{"content":[', '{},"jsonrpc":"2.0","id":7}}'],
    ['text that looks like it', '{"result":{"content":"', '},\\"jsonrpc\\":\\"2.0\\",\\"id\\":7}"}}'],
    ['no protocol at all', 'xxxxxxxx', 'xxxxxxx'],
  ])('does not find it in %s', (_, head, tail) => {
    expect(id(head, tail)).toBeUndefined()
  })
})
