import { expect, it } from 'vitest'
import { openKeyring, serviceOf } from './system-keyring.ts'

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
