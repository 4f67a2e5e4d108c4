import { expect, it } from 'vitest'
import { comparePage, foreignLetters } from './page-domain.ts'

const own = 'https://mcp.ledger.example/mcp'
const other = (page: string, looksLike = false) => ({ kind: 'other', page, server: 'ledger.example', looksLike })

it.each([
  ['https://mcp.ledger.example/pay', { kind: 'same-host', host: 'mcp.ledger.example' }],
  ['http://MCP.LEDGER.EXAMPLE:8443/pay', { kind: 'same-host', host: 'mcp.ledger.example' }],
  ['https://mcp.ledger.example./pay', { kind: 'same-host', host: 'mcp.ledger.example' }],
  ['https://pay.ledger.example/', { kind: 'same-ending', domain: 'ledger.example' }],
  ['https://ledger.example/', { kind: 'same-ending', domain: 'ledger.example' }],
  ['https://connect.northbank.example/sca', other('northbank.example')],
  ['https://ledger.example.evil.test/', other('evil.test')],
  ['https://evil-ledger.example/', other('evil-ledger.example')],
  ['https://evil.test/?to=ledger.example', other('evil.test')],
  ['https://ledger.example@evil.test/', other('evil.test')],
  ['https://1edger.example/', other('1edger.example', true)],
  ['https://led-ger.example/', other('led-ger.example', true)],
  // Its second letter is a Cyrillic one.
  ['https://lеdger.example/', other('xn--ldger-zwe.example', true)],
  ['https://пример.example/', other('xn--e1afmkfd.example')],
  ['https://10.0.0.1/', other('10.0.0.1')],
  ['http://localhost:4000/', other('localhost')],
])('%s is compared with the server’s own address', (page, expected) => {
  expect(comparePage(page, own)).toEqual(expected)
})

it.each([
  ['two people at a place that gives names away', 'https://anna.pages.dev', 'https://ben.pages.dev', 'other'],
  ['two names below a country’s second level', 'https://anna.co.uk', 'https://ben.co.uk', 'other'],
  ['two names that end with a dot', 'https://anna.example.', 'https://ben.example.', 'other'],
  ['two computers of one network', 'http://10.0.0.1/', 'http://10.0.0.2/', 'other'],
  ['the same computer', 'http://10.0.0.1:80/', 'http://10.0.0.1:4000/', 'same-host'],
  ['the same computer by IPv6', 'http://[::1]:1/', 'http://[::1]:2/', 'same-host'],
  ['names without a dot', 'http://nas/', 'http://printer/', 'other'],
  ['a server without an address', 'https://a.example', undefined, 'no-address'],
  ['a server whose address is not filled in', 'https://a.example', '$' + '{HOST}/mcp', 'no-address'],
  ['what is no web address', 'javascript:alert(1)', 'https://a.example', 'no-address'],
])('%s: %s and %s', (_what, page, server, kind) => {
  expect(comparePage(page, server).kind).toBe(kind)
})

it('letters of other alphabets are named once each', () => {
  expect(foreignLetters('https://noоrthbаnk.example/а')).toEqual([
    { letter: 'о', code: 'U+043E' },
    { letter: 'а', code: 'U+0430' },
  ])
  expect(foreignLetters('https://northbank.example/ä')).toEqual([])
})
