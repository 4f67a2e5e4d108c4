import { expect, test } from 'vitest'
import { looksSecret, MASK, maskArgs, maskSecrets, maskUrl, mayBeSecret, secretArgs } from './secret-names.ts'

test.each([
  'password',
  'apiKey',
  'API_KEY',
  'x-api-key',
  'githubToken',
  'client_secret',
  'Authorization',
  'pin',
  'one-time code',
  'card number',
])('%s looks secret', (name) => expect(looksSecret(name)).toBe(true))

test.each(['path', 'author', 'shipping', 'spin', 'compass', 'keyboard', 'message', 'passenger'])('%s does not look secret', (name) =>
  expect(looksSecret(name)).toBe(false),
)

test.each([
  ['SSH_AUTH_SOCK', true],
  ['X-Signature', true],
  ['IBAN', true],
  ['PATH', false],
])('a variable named %s may be secret: %s', (name, may) => expect(mayBeSecret(name)).toBe(may))

test('masks by name at any depth and by the look of a value', () => {
  const key = `sk-ant-${'a'.repeat(30)}`
  expect(maskSecrets({ path: '/a', auth: { deep: 1 }, list: [{ token: 'x', text: `use ${key} now` }], n: 1, password: null })).toEqual({
    path: '/a',
    auth: MASK,
    list: [{ token: MASK, text: `use ${MASK} now` }],
    n: 1,
    password: null,
  })
})

test('masks the token of an agent', () =>
  expect(maskSecrets({ text: `assent_mcp_${'Ab-_'.repeat(10)} it is` })).toEqual({ text: `${MASK} it is` }))

test('masks the arguments of a program', () => {
  expect(
    maskArgs(['-y', 'pkg', '--token', 'abc', '--api-key=abc', 'API_KEY=abc', '--password', '--verbose', 'https://x.test/?k=v']),
  ).toEqual(['-y', 'pkg', '--token', MASK, `--api-key=${MASK}`, `API_KEY=${MASK}`, '--password', '--verbose', `https://x.test/?k=${MASK}`])
})

test('an address keeps its place and loses its query, fragment and password', () => {
  expect(maskUrl('https://me:pw@example.com/a/b?key=1&state=2#frag')).toBe(`https://example.com/a/b?key=${MASK}&state=${MASK}#${MASK}`)
  expect(maskUrl('https://example.com/mcp')).toBe('https://example.com/mcp')
})

test('secrets among arguments are found as they are masked', () => {
  const args = [
    '-y',
    'server',
    '--api-key=hunter2',
    '--token',
    'hunter3',
    '--password',
    '--verbose',
    'sk-0123456789abcdef0123',
    'plain',
    'key ghp_0123456789012345678901',
  ]
  expect(secretArgs(args)).toEqual(['hunter2', 'hunter3', 'sk-0123456789abcdef0123', 'ghp_0123456789012345678901'])
})

// Were a pattern slow on one of these, the test would not end.
test.each(['x', 'eyJ-', 'sk-', '-----BEGIN ', 'a.b-', 'https://', 'key='])('a megabyte of “%s” is looked through', (piece) => {
  const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
  expect([maskArgs([text]).length, secretArgs([text]).length >= 0, maskUrl(text).length > 0, typeof looksSecret(text)]).toEqual([
    1,
    true,
    true,
    'boolean',
  ])
})

test('a token stands out after any sign', () => {
  const token = `eyJ${'a'.repeat(12)}.${'b'.repeat(12)}.c`
  expect([token, `"${token}"`, `=${token}`].map((text) => maskArgs([text])[0])).toEqual([MASK, `"${MASK}"`, `=${MASK}`])
})
