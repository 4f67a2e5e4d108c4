import { beforeEach, expect, it } from 'vitest'
import { createTokenStore, type Owner, type Secrets, type StoredSignIn } from './token-store.ts'

const values = new Map<string, string>()
const secrets: Secrets = {
  get: async (name) => values.get(name),
  set: async (name, value) => void values.set(name, value),
  delete: async (name) => void values.delete(name),
}
beforeEach(() => values.clear())

const held = (issuer: string, accessToken = 'token'): StoredSignIn => ({
  issuer,
  server: issuer,
  grant: 'authorization-code',
  client: { client_id: 'c' },
  accessToken,
  obtainedAt: 1,
  scopes: [],
})
const url = 'https://mcp.example/mcp'
const owner: Owner = { server: 'work', scope: '', inherits: () => false }

it('tokens are found again by the address of the server, whatever its fragment, and by no other', async () => {
  await createTokenStore(secrets, url, owner).put(held('https://as.example'))
  expect(await createTokenStore(secrets, `${url}#top`, owner).signedIn()).toEqual(held('https://as.example'))
  for (const other of [`${url}/`, `${url}?a`, 'https://mcp.example/', 'http://mcp.example/mcp', 'https://mcp.example:444/mcp'])
    expect(await createTokenStore(secrets, other, owner).signedIn()).toBeUndefined()
})

it('tokens are one server’s: not another’s with its address, nor one’s of its name in another file', async () => {
  await createTokenStore(secrets, url, owner).put(held('https://as.example'))
  for (const other of [{ server: 'personal' }, { scope: 'f00' }, { server: 'personal', inherits: () => true }])
    expect(await createTokenStore(secrets, url, { ...owner, ...other }).signedIn()).toBeUndefined()
})

it('what one issuer gave goes when another gives', async () => {
  const store = createTokenStore(secrets, url, owner)
  await store.put(held('https://one.example', 'first'))
  await store.put(held('https://two.example', 'second'))
  expect(await store.signedIn()).toMatchObject({ accessToken: 'second' })
  expect([...values.values()].join()).not.toContain('first')
})

it('what lies under the name of another is not taken for one’s own', async () => {
  const store = createTokenStore(secrets, url, owner)
  await store.put(held('https://as.example'))
  const [name] = [...values].find(([, value]) => value.includes('accessToken')) ?? ['']
  values.set(name, JSON.stringify(held('https://mallory.example')))
  expect(await store.signedIn()).toBeUndefined()
  for (const broken of ['', 'nonsense', '{}', 'null']) {
    values.set(name, broken)
    expect(await store.signedIn()).toBeUndefined()
  }
})

it('forgetting leaves the registration, which is not the person’s', async () => {
  const store = createTokenStore(secrets, url, owner)
  await store.put(held('https://as.example'))
  const registration = { issuer: 'https://as.example', client: { client_id: 'c' }, redirectUri: 'http://127.0.0.1:1/callback' }
  await store.putRegistration(registration)
  await store.forget()
  expect([
    await store.signedIn(),
    await store.registration('https://as.example'),
    await store.registration('https://other.example'),
  ]).toEqual([undefined, registration, undefined])
  expect(values.size).toBe(1)
})

it('a client of the person’s own is bound to one issuer, server by server', async () => {
  const store = createTokenStore(secrets, url, owner)
  await store.bind('c', 'https://as.example')
  expect([await store.boundIssuer('c'), await store.boundIssuer('d')]).toEqual(['https://as.example', undefined])
  expect(await createTokenStore(secrets, 'https://other.example', owner).boundIssuer('c')).toBeUndefined()
  await store.unbind('c')
  expect(await store.boundIssuer('c')).toBeUndefined()
})
