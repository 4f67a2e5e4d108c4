import { expect, test } from 'vitest'
import { isSecretValue, secretsInAddress, secretsInArgument } from './plain-secrets.ts'

test.each<[string, string, string | undefined, string[]]>([
  ['after its option', 'abc', '--token', ['abc']],
  ['with its option', '--api-key=abc', undefined, ['abc']],
  ['of a header, without its scheme', 'Authorization: Bearer abc', '-H', ['abc']],
  ['in the query of an address', 'https://x.test/?q=1&token=abc', undefined, ['abc']],
  ['in an address with a password', 'postgres://me:pw@host/db', undefined, ['postgres://me:pw@host/db']],
  ['not in a path', '/home/me/notes', '--dir', []],
])('a secret is found %s', (_name, text, before, found) => {
  expect(secretsInArgument(text, before).map(({ start, end }) => text.slice(start, end))).toEqual(found)
})

// Were a pattern slow on one of these, the test would not end.
test.each(['x', 'a.b-', 'https://', '://a:', '?a&', 'Bearer ', 'key='])('a megabyte of “%s” is looked through', (piece) => {
  const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
  expect([secretsInArgument(text, '--x').length >= 0, secretsInAddress(text).length >= 0, typeof isSecretValue('x', text)]).toEqual([
    true,
    true,
    'boolean',
  ])
})
