import { describe, expect, test } from 'vitest'
import { createHostMask } from './redact-secrets.ts'

const secret = 'ghx_A1b2C3d4/E5f6+G7h8'
const mask = createHostMask([secret, 'postgres://app:pw-of-app@main-database.eu.example.com/db', 'short1'])
const coded = (encoding: BufferEncoding): string => Buffer.from(secret).toString(encoding)
/** Secret as base32(1) writes it. */
const base32 = 'm5uhqx2bgfrdeqztmq2c6rjvmy3cwrzxna4a'
const inParts = (text: string, length: number): string => (text.match(new RegExp(`.{1,${length}}`, 'g')) ?? []).join('.')

describe('a secret in the name of a host is masked', () => {
  test.each([
    ['as it is', 'ghx_a1b2c3d4-e5f6-g7h8.evil.example', '•••.evil.example'],
    ['without its signs', 'ghxa1b2c3d4e5f6g7h8.evil.example', '•••.evil.example'],
    ['beside other letters', 'id-ghxa1b2c3d4e5f6g7h8-7.evil.example', '•••.evil.example'],
    ['in hex', `x.${coded('hex')}.evil.example`, 'x.•••.evil.example'],
    ['in base64', `${coded('base64').replace(/\W/g, '')}.evil.example`, '•••.evil.example'],
    ['in base64 for addresses', `${coded('base64url')}.evil.example`, '•••.evil.example'],
    ['in base64 behind other bytes', `${Buffer.from(`k=${secret}`).toString('base64url')}.evil.example`, '•••.evil.example'],
    ['in base32', `${base32}.evil.example`, '•••.evil.example'],
    ['percent-encoded, without the signs', `${encodeURIComponent(secret).replaceAll('%', '-')}.evil.example`, '•••.evil.example'],
    ['over several parts', `${inParts(coded('hex'), 12)}.t1.evil.example`, '•••.t1.evil.example'],
    ['as a piece, one name after another', `${coded('hex').slice(10, 24)}.2.evil.example`, '•••.2.evil.example'],
    ['as the name itself', 'ghxa1b2c3d4e5f6g7h8', '•••'],
    [
      'in a name that is too long to be one',
      `${'a'.repeat(63)}.${'b'.repeat(63)}.${coded('hex')}.evil.example`,
      /^a{40}….*\.•••\.evil\.example$/,
    ],
  ])('%s', (_how, host, shown) => {
    expect(mask(host.toLowerCase())).toEqual(typeof shown === 'string' ? shown : expect.stringMatching(shown))
  })
})

test.each([
  'api.example.com',
  // The secret is an address of this very host.
  'main-database.eu.example.com',
  'database.eu.example.com',
  'short1.com',
  '10.0.0.1',
  '2001:db8::1',
  `${'a'.repeat(60)}.${'b'.repeat(40)}.example`,
])('a name without one stays: %s', (host) => {
  expect(mask(host)).toBe(host)
})

test('tokens are masked by their form, though nobody knows them', () => {
  expect(mask('github_pat_abcdefghijklmnopqrstuvwxyz012345.evil.example')).toBe('•••.evil.example')
})
