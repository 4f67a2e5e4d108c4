import { describe, expect, it } from 'vitest'
import { wireMessageFacts } from './inspector.ts'
import { captureText, gather, longestText } from './wire-tap.ts'

const large = 'x'.repeat(3 * longestText)
const facts = (message: unknown) => wireMessageFacts(captureText(JSON.stringify(message)))

describe('what a message is', () => {
  it.each<[string, unknown, object]>([
    ['a request', { jsonrpc: '2.0', id: 7, method: 'tools/list' }, { kind: 'request', method: 'tools/list', id: 7 }],
    [
      'a request that wants progress',
      { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { _meta: { progressToken: 3 } } },
      { kind: 'request', method: 'tools/call', id: 'a', token: 3 },
    ],
    ['a result', { jsonrpc: '2.0', id: 7, result: {} }, { kind: 'result', id: 7 }],
    ['an error', { jsonrpc: '2.0', id: 7, error: { code: 1, message: '' } }, { kind: 'error', id: 7 }],
    ['a notification', { jsonrpc: '2.0', method: 'a/b' }, { kind: 'notification', method: 'a/b' }],
    [
      'progress',
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 't' } },
      { kind: 'notification', method: 'notifications/progress', progressOf: 't' },
    ],
    [
      'a call that is called off',
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } },
      { kind: 'notification', method: 'notifications/cancelled', cancels: 4 },
    ],
    ['something else', { hello: 1 }, { kind: 'other' }],
  ])('%s', (_title, message, expected) => {
    expect(facts(message)).toEqual(expected)
  })

  it.each<[string, unknown, object]>([
    ['a result, id first', { jsonrpc: '2.0', id: 7, result: { large } }, { kind: 'result', id: 7 }],
    ['a result, id last', { result: { large }, jsonrpc: '2.0', id: 'a-b' }, { kind: 'result', id: 'a-b' }],
    [
      'a request, id last',
      { method: 'tools/call', params: { large }, jsonrpc: '2.0', id: 5 },
      { kind: 'request', method: 'tools/call', id: 5 },
    ],
    [
      'a notification',
      { jsonrpc: '2.0', method: 'notifications/message', params: { large } },
      { kind: 'notification', method: 'notifications/message' },
    ],
    ['an error', { jsonrpc: '2.0', id: 7, error: { message: large } }, { kind: 'error', id: 7 }],
    ['an id deep inside, which is none', { jsonrpc: '2.0', result: { id: 9, method: 'x', large } }, { kind: 'result' }],
  ])('is read from the ends of one that was cut: %s', (_title, message, expected) => {
    expect(facts(message)).toEqual(expected)
  })
})

describe('what is kept of a long message', () => {
  const text = `{"a":"${'é'.repeat(longestText)}"}`

  it('is its beginning, in whole letters, and its size in bytes, whether it came at once or in pieces', () => {
    const bytes = Buffer.from(text)
    const gathering = gather()
    for (let at = 0; at < bytes.length; at += 1000) gathering.add(bytes.subarray(at, at + 1000))
    const whole = captureText(bytes)
    expect([whole.size, whole.text.length <= longestText, text.startsWith(whole.text)]).toEqual([bytes.length, true, true])
    expect(gathering.piece()).toEqual(whole)
  })

  it('is all of it where it is short', () => {
    const gathering = gather()
    gathering.add(Buffer.from('{"a":1}'))
    expect([gathering.piece(), captureText('{"a":1}')]).toEqual(Array(2).fill({ text: '{"a":1}', size: 7 }))
  })
})
