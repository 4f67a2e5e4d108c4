import { expect, it } from 'vitest'
import { parseProxyRequest } from './host-proxy.ts'

const parse = (text: string, greeted = false) => parseProxyRequest(Buffer.from(text, 'latin1'), greeted)

it('reads CONNECT, with what comes after it', () => {
  expect(parse('CONNECT [::1]:443 HTTP/1.1\r\nHost: x\r\n\r\nhello')).toEqual({
    kind: 'request',
    request: { kind: 'connect', host: '::1', port: 443, rest: Buffer.from('hello') },
  })
})

it('writes the Host of the address, whatever the request said, and asks for one answer alone', () => {
  const parsed = parse('GET http://a.example:81/x?y HTTP/1.1\r\nHost: b.example\r\nProxy-Connection: keep-alive\r\nAccept: */*\r\n\r\n')
  expect(parsed.kind === 'request' && { ...parsed.request, rest: parsed.request.rest.toString() }).toEqual({
    kind: 'http',
    host: 'a.example',
    port: 81,
    rest: 'GET /x?y HTTP/1.1\r\nHost: a.example:81\r\nAccept: */*\r\nConnection: close\r\n\r\n',
  })
})

it.each([
  'GET /x HTTP/1.1\r\n\r\n',
  'CONNECT a.example HTTP/1.1\r\n\r\n',
  'CONNECT u@a.example:443 HTTP/1.1\r\n\r\n',
  'GET http://u@a.example/ HTTP/1.1\r\n\r\n',
  'GET http://a.example/ HTTP/1.1\r\nA: b\nHost: c\r\n\r\n',
  'x'.repeat(40_000),
])('takes %j for no request', (text) => expect(parse(text).kind).toBe('malformed'))

it('reads SOCKS 5 once its greeting was answered', () => {
  expect(parse('\x05\x01\x00')).toEqual({ kind: 'reply', reply: Buffer.from([5, 0]), bytes: Buffer.alloc(0) })
  expect(parse('\x05\x01\x02').kind).toBe('malformed')
  expect(parse('\x05\x01\x00\x03\x03a.b\x01\xbb', true)).toEqual({
    kind: 'request',
    request: { kind: 'socks', host: 'a.b', port: 443, rest: Buffer.alloc(0) },
  })
  expect(parse('\x05\x01\x00\x01\x7f\x00\x00\x01\x00\x50', true)).toMatchObject({ request: { host: '127.0.0.1', port: 80 } })
  expect([parse('\x05\x02\x00\x01\x7f\x00\x00\x01\x00\x50', true).kind, parse('\x05\x01\x00', true).kind]).toEqual(['malformed', 'more'])
})
