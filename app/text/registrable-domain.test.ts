import { expect, test } from 'vitest'
import { domainOf, isPunycode } from './host-name.ts'

test.each([
  ['https://mcp.linear.app/mcp', 'linear.app'],
  ['https://a.b.example.co.uk/', 'example.co.uk'],
  ['https://anna.github.io/x', 'anna.github.io'],
  ['https://github.io/', 'github.io'],
  ['http://127.0.0.1:4000/mcp', '127.0.0.1'],
  ['http://[::1]:4000/', '[::1]'],
  ['http://localhost:1/', 'localhost'],
  ['https://a.example.com./', 'example.com'],
  ['nonsense', undefined],
])('the domain of %s is %s', (url, domain) => {
  expect(domainOf(url)).toBe(domain)
})

test('two names at a place that gives names away are two domains', () => {
  expect(domainOf('https://anna.pages.dev')).not.toBe(domainOf('https://ben.pages.dev'))
})

test('a host with letters of another alphabet is told', () => {
  expect(['https://аpple.com/', 'https://a.xn--80ak6aa92e.com/', 'https://xnx.com/', 'https://apple.com/аb'].map(isPunycode)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
