import { expect, it } from 'vitest'
import { longestValue, openKeyring, serviceOf } from './system-keyring.ts'

function makeKeyring(fail?: Error) {
  const kept = new Map<string, string>()
  const load = async (service: string) => (name: string) => ({
    getPassword: async () => kept.get(`${service}/${name}`) ?? null,
    async setPassword(value: string) {
      if (fail) throw fail
      kept.set(`${service}/${name}`, value)
    },
    deleteCredential: async () => kept.delete(`${service}/${name}`),
  })
  return { kept, load }
}

it('keeps secrets in the keyring, under the service, and leaves no probe behind', async () => {
  const { kept, load } = makeKeyring()
  const secrets = await openKeyring('Assent', {}, load)
  await secrets.set('key/anthropic', 'k')
  expect([secrets.kind, await secrets.get('key/anthropic'), [...kept.keys()]]).toEqual(['keyring', 'k', ['Assent/key/anthropic']])
  await secrets.delete('key/anthropic')
  expect([await secrets.get('key/anthropic'), kept.size]).toEqual([undefined, 0])
})

it('keeps them in memory when the keyring refuses, is not there, or is not wanted', async () => {
  const locked = await openKeyring('Assent', {}, makeKeyring(new Error('locked')).load)
  const absent = await openKeyring('Assent', {}, () => Promise.reject(new Error('no library')))
  const unwanted = await openKeyring('Assent', { ASSENT_NO_KEYRING: '1' }, makeKeyring().load)
  await locked.set('key/anthropic', 'k')
  expect([locked.kind, absent.kind, unwanted.kind, await locked.get('key/anthropic')]).toEqual(['memory', 'memory', 'memory', 'k'])
})

it('gives each profile its own entries', () => {
  expect(serviceOf('/a', true)).toBe('Assent')
  expect(new Set([serviceOf('/a', false), serviceOf('/b', false), serviceOf('/a', true)]).size).toBe(3)
})

// CRED_MAX_CREDENTIAL_BLOB_SIZE is 5 * 512 bytes (wincred.h); a refresh token of an organisation has several thousand characters.
it('keeps a value that Windows has no room for in parts, which are replaced whole and go with it', async () => {
  const { kept, load } = makeKeyring()
  const secrets = await openKeyring('Assent', {}, load, { longest: longestValue('win32') })
  const first = 'ä'.repeat(5000)
  await secrets.set('oauth/a', first)
  const inParts = [await secrets.get('oauth/a'), kept.size, Math.max(...[...kept.values()].map(({ length }) => length * 2)) <= 2560]
  await secrets.set('oauth/a', `${first}b`)
  const replaced = [await secrets.get('oauth/a'), kept.size]
  await secrets.set('oauth/a', 'short')
  const short = [await secrets.get('oauth/a'), kept.size]
  await secrets.set('oauth/a', first)
  await secrets.delete('oauth/a')
  expect([inParts, replaced, short, kept.size]).toEqual([[first, 6, true], [`${first}b`, 6], ['short', 1], 0])
})

it('has no value where a part is missing, and no parts elsewhere than on Windows', async () => {
  const { kept, load } = makeKeyring()
  const onWindows = await openKeyring('Assent', {}, load, { longest: 10 })
  await onWindows.set('a', 'x'.repeat(25))
  const [part = ''] = [...kept.keys()].filter((name) => name.endsWith('/1'))
  kept.delete(part)
  const elsewhere = await openKeyring('Assent', {}, load, { longest: longestValue('linux') })
  const long = 'assent-parts 00000000-0000-4000-8000-000000000000 2'
  await elsewhere.set('b', long)
  expect([await onWindows.get('a'), await elsewhere.get('b')]).toEqual([undefined, long])
})
