import { describe, expect, test } from 'vitest'
import { hostileUrls } from './navigation.test-corpus.ts'
import { appPath, isPage, openableUrl } from './navigation.ts'

describe('a hostile address', () => {
  test.each(hostileUrls)('is neither opened nor taken for the page: %s', (url) => {
    expect([openableUrl(url), isPage(url)]).toEqual([undefined, false])
  })
})

test.each([
  ['https://example.org', 'https://example.org/'],
  ['http://127.0.0.1:8080/x?y#z', 'http://127.0.0.1:8080/x?y#z'],
  ['HTTPS://EXAMPLE.ORG/A', 'https://example.org/A'],
  ['https:\\\\example.org\\x', 'https://example.org/x'],
  ['https://exa\tmple.org/\n', 'https://example.org/'],
  ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
])('%s goes to the browser as the address that was meant', (url, opened) => {
  expect(openableUrl(url)).toBe(opened)
})

test.each(['app://assent', 'app://assent/', 'app://assent/#/settings', 'app://assent/?x'])('%s is the page', (url) => {
  // Without a path it is not: Electron always hands over the address in full.
  expect(isPage(url)).toBe(url !== 'app://assent')
})

test('a path is decoded once', () => {
  expect([appPath('app://assent/a%20b'), appPath('app://assent/%252e%252e/x')]).toEqual(['/a b', '/%2e%2e/x'])
})
