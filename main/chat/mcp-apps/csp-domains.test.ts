import { describe, expect, it } from 'vitest'
import { mcpAppSecurityPolicy } from '#app/contract/csp.ts'
import type { Json } from '#app/json.ts'
import type { RefusedDomain } from '#app/mcp-apps/csp-domains.ts'
import { readDomains } from './csp-domains.ts'

const connect = (...connectDomains: readonly Json[]) => readDomains({ connectDomains: [...connectDomains] })

describe('an origin that a view declares', () => {
  it.each<[string, string]>([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['HTTPS://API.Example.COM', 'https://api.example.com'],
    ['wss://live.example.com:8443', 'wss://live.example.com:8443'],
    ['https://example.com:443', 'https://example.com'],
    ['https://*.example.com', 'https://*.example.com'],
    ['https://*.api.example.co.uk', 'https://*.api.example.co.uk'],
    ['https://8.8.8.8', 'https://8.8.8.8'],
    ['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
  ])('%s is taken', (text, source) => {
    expect(connect(text)).toEqual({ domains: { connect: [source], resource: [], baseUri: [] }, refused: [] })
  })

  it.each<[Json, RefusedDomain['why']]>([
    ['*', 'not-an-origin'],
    ['https:', 'not-an-origin'],
    ['https://*', 'not-an-origin'],
    ['https://*.com', 'wildcard'],
    ['https://*.co.uk', 'wildcard'],
    ['https://*.github.io', 'wildcard'],
    ['https://*.1.1.1.1', 'wildcard'],
    ['https://a.*.example.com', 'not-an-origin'],
    ["'unsafe-eval'", 'not-an-origin'],
    ["'self'", 'not-an-origin'],
    ['https://example.com; script-src *', 'not-an-origin'],
    ['https://example.com;script-src', 'not-an-origin'],
    ['https://example.com https://other.example', 'not-an-origin'],
    ['https://example.com\nX-Header: 1', 'not-an-origin'],
    ['https://example.com,*', 'not-an-origin'],
    ['https://example.com/path', 'not-an-origin'],
    ['https://example.com?x', 'not-an-origin'],
    ['https://me:secret@example.com', 'not-an-origin'],
    ['https://example.com:999999', 'not-an-origin'],
    ['data:', 'not-an-origin'],
    ['blob:', 'not-an-origin'],
    ['file:///etc', 'not-an-origin'],
    ['javascript:alert(1)', 'not-an-origin'],
    ['example.com', 'not-an-origin'],
    ['https://bücher.example', 'not-an-origin'],
    ['http://example.com', 'insecure'],
    ['ws://example.com', 'insecure'],
    ['https://localhost', 'private'],
    ['https://app.localhost:3000', 'private'],
    ['https://127.0.0.1:4000', 'private'],
    ['https://0x7f.1', 'private'],
    ['https://2130706433', 'private'],
    ['https://[::1]:80', 'private'],
    ['https://[::ffff:127.0.0.1]', 'private'],
    ['https://192.168.1.1', 'private'],
    ['https://169.254.169.254', 'private'],
    ['https://router', 'private'],
    ['https://printer.local', 'private'],
    ['https://vault.internal', 'private'],
    [7, 'not-an-origin'],
    [{ url: 'https://example.com' }, 'not-an-origin'],
    [`https://${'a'.repeat(300)}.example`, 'not-an-origin'],
  ])('%j is refused: %s', (text, why) => {
    const { domains, refused } = connect(text)
    expect([domains.connect, refused.map((one) => one.why)]).toEqual([[], [why]])
  })

  it('of the server itself is taken wherever it is, and no other port beside it', () => {
    const csp = { connectDomains: ['http://127.0.0.1:8931', 'ws://127.0.0.1:8931', 'http://127.0.0.1:8932', 'http://localhost:8931'] }
    const { domains, refused } = readDomains(csp, 'http://127.0.0.1:8931/mcp')
    expect(domains.connect).toEqual(['http://127.0.0.1:8931', 'ws://127.0.0.1:8931'])
    expect(refused.map(({ why }) => why)).toEqual(['private', 'private'])
  })
})

it('frames of others, lists that are none, and more than a person reads are refused', () => {
  const many = Array.from({ length: 40 }, (_, index) => `https://a${index}.example.com`)
  const { domains, refused } = readDomains({
    connectDomains: 'https://example.com',
    resourceDomains: many,
    frameDomains: ['https://www.youtube.com'],
    baseUriDomains: ['https://cdn.example.com', '*'],
  })
  expect([domains.connect, domains.resource.length, domains.baseUri]).toEqual([[], 32, ['https://cdn.example.com']])
  expect([...new Set(refused.map(({ why }) => why))].sort()).toEqual(['frames', 'not-an-origin', 'too-many'])
})

it.each([undefined, null, 'https://example.com', []])('a declaration that is none (%j) lets nothing through', (csp) => {
  expect(readDomains(csp as Json | undefined).domains).toEqual({ connect: [], resource: [], baseUri: [] })
})

describe('the policy of a view', () => {
  const directives = (policy: string) => Object.fromEntries(policy.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1)]))

  it('allows no request where nothing was declared', () => {
    const policy = directives(mcpAppSecurityPolicy(readDomains(undefined).domains))
    expect(policy).toMatchObject({
      'default-src': ["'none'"],
      'connect-src': ["'none'"],
      'frame-src': ["'none'"],
      'form-action': ["'none'"],
      'base-uri': ["'none'"],
      sandbox: ['allow-scripts', 'allow-forms'],
    })
    const { 'frame-ancestors': framed, ...loads } = policy
    expect(framed).toEqual(["'self'"])
    expect(Object.values(loads).flat().join(' ')).not.toMatch(/'self'|eval|https?:|wss?:|\*/)
  })

  it('holds what was declared, each where it belongs', () => {
    const csp = {
      connectDomains: ['wss://a.example.com'],
      resourceDomains: ['https://*.b.example.com'],
      baseUriDomains: ['https://c.example.com'],
    }
    expect(directives(mcpAppSecurityPolicy(readDomains(csp).domains))).toMatchObject({
      'connect-src': ['wss://a.example.com'],
      'script-src': ["'unsafe-inline'", 'https://*.b.example.com'],
      'img-src': ['data:', 'blob:', 'https://*.b.example.com'],
      'base-uri': ['https://c.example.com'],
    })
  })
})

it('a domain of its own is asked for and not given', () => {
  expect(readDomains(undefined, undefined, 'a.example.com').refused).toEqual([{ text: 'a.example.com', why: 'origin' }])
  expect(readDomains(undefined, undefined, 7).refused).toEqual([])
})
