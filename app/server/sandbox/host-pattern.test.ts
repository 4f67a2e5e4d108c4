import { expect, it } from 'vitest'
import { coversHost, deniesHost, normalizeHost, parseHostPattern } from './host-pattern.ts'

it.each([
  'https://a.example',
  'a.example/x',
  '*:443',
  '**',
  '*.com',
  '*.1.2.3.4',
  'a*.example',
  'a.example:0',
  'a.example:70000',
  '',
  'a b',
  'u@a.example',
  'a.example:x',
])('takes %j for no pattern', (text) => expect(parseHostPattern(text)).toBeUndefined())

it.each([
  ['API.Example.', { host: 'api.example', below: false, port: undefined }],
  ['*.example.com:8443', { host: 'example.com', below: true, port: 8443 }],
  ['[::1]:80', { host: '::1', below: false, port: 80 }],
  ['*', { host: '*', below: true, port: undefined }],
  ['127.1', { host: '127.0.0.1', below: false, port: undefined }],
])('reads %s', (text, pattern) => expect(parseHostPattern(text)).toEqual(pattern))

it.each([
  ['a.example', 'a.example', 443, true],
  ['a.example', 'a.example', 80, true],
  ['a.example', 'a.example', 22, false],
  ['a.example:22', 'a.example', 22, true],
  ['a.example:22', 'a.example', 443, false],
  ['*.a.example', 'b.a.example', 443, true],
  ['*.a.example', 'a.example', 443, false],
  ['a.example', 'b.a.example', 443, false],
  ['*.a.example', 'ba.example', 443, false],
  ['*', 'b.a.example', 443, true],
  ['*', 'a.example', 80, true],
  ['*', 'a.example', 22, false],
  ['*', '10.0.0.1', 443, false],
  ['*', '2001:db8::1', 443, false],
  ['no pattern', 'no pattern', 443, false],
])('with %s, %s:%d is covered: %s', (pattern, host, port, covered) => expect(coversHost([pattern], host, port)).toBe(covered))

it('denies a host with all below it, on every port', () => {
  expect(['a.example', 'b.a.example', 'c.example'].map((host) => deniesHost(['a.example'], host, 22))).toEqual([true, true, false])
  expect(['a.example', '10.0.0.1'].map((host) => deniesHost(['*'], host, 22))).toEqual([true, true])
})

it('brings hosts to one form', () => {
  expect(['LOCALHOST.', '2130706433', '[::FFFF:127.0.0.1]', 'a%00.b', 'x\0y'].map(normalizeHost)).toEqual([
    'localhost',
    '127.0.0.1',
    '::ffff:7f00:1',
    undefined,
    undefined,
  ])
})
