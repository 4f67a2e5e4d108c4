import { expect, it } from 'vitest'
import { recordedCall, recordedCalls } from './wire-message.ts'

const sent = (params: object, more: object = {}) => ({
  direction: 'sent',
  kind: 'request',
  method: 'tools/call',
  message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: JSON.parse(JSON.stringify(params)) },
  ...more,
})

it.each([
  ['a call', sent({ name: 'echo', arguments: { a: [1] } }), { kind: 'call', tool: 'echo', arguments: { a: [1] } }],
  ['one without arguments', sent({ name: 'echo' }), { kind: 'call', tool: 'echo', arguments: {} }],
  ['one that was cut', sent({}, { message: undefined }), { kind: 'gone', why: 'cut' }],
  ['one with a secret', sent({ name: 'echo', arguments: { key: 'x•••' } }), { kind: 'gone', why: 'masked' }],
  [
    'a secret beside its arguments',
    sent({ name: 'echo', arguments: {}, _meta: { a: '•••' } }),
    { kind: 'call', tool: 'echo', arguments: {} },
  ],
  ['its answer', sent({}, { direction: 'received', kind: 'result' }), undefined],
  ['a call of the server’s', sent({ name: 'echo' }, { direction: 'received' }), undefined],
  ['another request', sent({ name: 'echo' }, { method: 'prompts/get' }), undefined],
])('%s', (_name, message, expected) => {
  expect(recordedCall(message)).toEqual(expected)
})

it('a saved file has its calls in their order, and any other file none', () => {
  const lines = [sent({ name: 'a' }), { direction: 'sent', kind: 'http', text: '' }, sent({ name: 'b' })].map((one) => JSON.stringify(one))
  expect(recordedCalls(`${lines.join('\n')}\n\n`)?.map((one) => one.kind === 'call' && one.tool)).toEqual(['a', 'b'])
  expect(['nothing of ours', '{"a":1}', '[]'].map((text) => recordedCalls(text))).toEqual([undefined, undefined, undefined])
})
