import { afterEach, beforeEach, expect, it, test } from 'vitest'
import { makeProfile, type TestProfile } from '#main/store/store.testing.ts'
import { createTestPlatform } from './host.testing.ts'
import { createKnownSecrets, createSecretReader, maskedAudit, secretsIn } from './known-secrets.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

test.each<[string, string, string[]]>([
  ['a plain value', 'hunter2!', ['hunter2!']],
  ['text that only looks like JSON', '{not json', ['{not json']],
  ['a number', '123456', ['123456']],
  [
    'tokens of a sign-in',
    '{"accessToken":"aaa","refreshToken":"bbb","issuer":"https://i.example","client":{"client_id":"c","client_secret":"ddd"}}',
    ['aaa', 'bbb', 'ddd'],
  ],
  ['a private key', '{"dpopKey":{"kty":"EC","x":"public","d":"private"}}', ['private']],
])('of %s is secret what is', (_title, value, secrets) => {
  expect(secretsIn(value)).toEqual(secrets)
})

it('no row holds a value that passed through the secret store, wherever it stands in it', async () => {
  const known = createKnownSecrets()
  const store = known.watch(createTestPlatform().secrets)
  await store.set('input/files/key', 'plain-Input-value')
  await store.set('tokens', '{"accessToken":"opaque.access"}')
  known.add(['Bearer of-a-header'])
  const audit = maskedAudit(profile.store().audit, known.mask)
  const row = audit.append({
    kind: 'request',
    server: 'files',
    tool: 'tool_opaque.access',
    detail: {
      message: 'give me plain-Input-value',
      word: 'no, of-a-header is mine',
      fields: ['opaque.access'],
      arguments: { text: '{"deep":{"under any name":"x opaque.access y"}}' },
      'plain-Input-value': 1,
      looks: 'sk-abcdefghijklmnopqrst',
    },
  })
  expect(JSON.stringify(row)).not.toMatch(/plain-Input-value|opaque\.access|of-a-header|sk-abc/)
  expect(row.detail).toMatchObject({ message: 'give me •••', arguments: { text: '{"deep":{"under any name":"x ••• y"}}' } })
  expect(audit.verify()).toBeUndefined()
})

it('what the host made itself stays whole, so that rows can be joined', () => {
  const known = createKnownSecrets()
  known.add(['abcdef'])
  const own = { sha256: 'abcdef0', requestId: 'abcdef1', callId: 'abcdef2', ruleId: 'abcdef3', fingerprint: 'abcdef4' }
  expect(maskedAudit(profile.store().audit, known.mask).append({ kind: 'call', detail: own }).detail).toEqual(own)
})

it('knows the latest values when there are very many', () => {
  const known = createKnownSecrets()
  known.add(Array.from({ length: 2000 }, (_, n) => `secret-number-${n}!`))
  expect(known.mask('secret-number-1999!')).toBe('•••')
})

it('the secrets that a profile names are known once they were read, though nothing has used them', async () => {
  const { secrets } = createTestPlatform()
  await secrets.set('key/anthropic', 'key-of-a-model')
  const known = createKnownSecrets()
  const definition = { transport: 'stdio', command: 'x', args: ['--token', 'token-in-arguments'], env: { API_KEY: 'key-in-the-file' } }
  let definitions = new Map()
  const read = createSecretReader({
    known,
    secrets: known.watch(secrets),
    definitions: () => definitions,
    inputs: {
      views: () => [{ id: 'one', set: true, shared: false, password: true }],
      get: async () => {
        known.add(['value-of-an-input'])
        return undefined
      },
    },
    providers: () => ['anthropic'],
    scope: '',
  })
  const text = 'key-of-a-model token-in-arguments key-in-the-file value-of-an-input plain'
  await read()
  expect(known.maskKnown(text)).toBe(
    '••• token-in-arguments key-in-the-file value-of-an-input plain'.replace('•••', known.maskKnown('key-of-a-model')),
  )
  definitions = new Map([['s', definition]])
  await read()
  const masked = known.maskKnown(text)
  expect([/key-of|token-in|value-of/.test(masked), masked.endsWith(' plain')]).toEqual([false, true])
})
