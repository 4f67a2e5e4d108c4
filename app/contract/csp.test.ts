import { expect, it } from 'vitest'
import { mcpAppConnections, mcpAppSecurityPolicy } from './csp.ts'

const none = { connect: [], resource: [], baseUri: [] }

// WICG, Connection Allowlists: an inner list of URL patterns; ws and wss are written as http and https.
it.each([
  [none, '();redirects=allow'],
  [{ ...none, connect: ['wss://a.example', 'https://a.example'] }, '("https://a.example");redirects=allow'],
  [
    { connect: ['https://a.example:8443'], resource: ['https://*.b.example'], baseUri: [] },
    '("https://a.example:8443" "https://*.b.example");redirects=allow',
  ],
])('a view may connect to what the person agreed to, and to nothing else: %j', (domains, header) => {
  expect(mcpAppConnections(domains)).toBe(header)
})

it('a view’s document requires Trusted Types of one policy', () => {
  expect(mcpAppSecurityPolicy(none).split('; ')).toEqual(
    expect.arrayContaining(["require-trusted-types-for 'script'", 'trusted-types default', "frame-src 'none'", "connect-src 'none'"]),
  )
})
