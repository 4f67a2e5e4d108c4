// The client that Assent signs in as: by its own document where that answers, else registered, and with which callback. Issuers behave
// as recorded: some take only `localhost`, some only the address, some compare ports.
import { createServer } from 'node:net'
import { expect, it, test } from 'vitest'
import type { OAuthSettings } from '#app/server/auth-status.ts'
import type { OwnDocument } from '#main/servers/auth/client-registration.ts'
import type { IssuerBehaviour } from './oauth-issuer.ts'
import { closeAfterEach, fails, host, serveResource } from './sign-in-support.ts'

closeAfterEach()

const takesDocuments = { metadata: { client_id_metadata_document_supported: true } }
const document = (answers: boolean, port = 33_417): OwnDocument => ({
  url: 'https://assent.example/client.json',
  port,
  answers: async () => answers,
})

async function signInAt(behave: Partial<IssuerBehaviour>, options: Parameters<typeof host>[1] = {}) {
  const resource = await serveResource()
  Object.assign(resource.issuer.behave, behave)
  const servers = host(resource, options)
  await servers.start('raw')
  const query = resource.issuer.at('/authorize')[0]?.query
  return {
    resource,
    servers,
    client: query?.get('client_id'),
    callback: new URL(query?.get('redirect_uri') ?? ''),
    registrations: resource.issuer.at('/register').length,
  }
}

test.each<[string, Partial<IssuerBehaviour>, Parameters<typeof host>[1], string, number]>([
  [
    'its own document, where the issuer takes one and it answers',
    takesDocuments,
    { ownDocument: document(true) },
    'https://assent.example/client.json',
    0,
  ],
  ['a registration, where its document does not answer', takesDocuments, { ownDocument: document(false) }, 'client-', 1],
  ['a registration, where the issuer takes no document', {}, { ownDocument: document(true) }, 'client-', 1],
  ['the client of the entry, before all', takesDocuments, { ownDocument: document(true), oauth: { clientId: 'mine' } }, 'mine', 0],
  [
    'the document of the entry, before its own',
    takesDocuments,
    { ownDocument: document(true), oauth: { clientMetadataUrl: 'https://mine.example/client.json' } },
    'https://mine.example/client.json',
    0,
  ],
])('signs in by %s', async (_title, behave, options, expected, count) => {
  const { client, registrations } = await signInAt(behave, options)
  expect([client?.startsWith(expected), registrations]).toEqual([true, count])
})

it('comes back to the port that its document names, and to another where that is taken', async () => {
  // PrefectHQ/fastmcp issues 3588 and 3674: documents without a port, and issuers that compare it.
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const ownDocument = document(true, port)
  expect((await signInAt(takesDocuments, { ownDocument })).callback.port).not.toBe(String(port))
  await new Promise((resolve) => other.close(resolve))
  expect((await signInAt(takesDocuments, { ownDocument })).callback.port).toBe(String(port))
})

test.each(['issuer', 'firewall'] as const)('registers with localhost where the %s refuses the address', async (by) => {
  const { callback, registrations, servers, resource } = await signInAt({ refusesCallback: { host: '127.0.0.1', by } })
  expect([callback.hostname, registrations]).toEqual(['localhost', 2])
  // The next sign-in keeps to it.
  await servers.signOut('raw')
  await servers.signIn('raw')
  expect([
    resource.issuer.at('/register').length,
    new URL(resource.issuer.at('/authorize')[1]?.query.get('redirect_uri') ?? '').hostname,
  ]).toEqual([2, 'localhost'])
})

it('keeps to the address where an issuer refuses localhost, and says why it fails where it refuses both', async () => {
  expect((await signInAt({ refusesCallback: { host: 'localhost', by: 'issuer' } })).callback.hostname).toBe('127.0.0.1')
  const refused = signInAt({ metadata: { registration_endpoint: undefined } })
  await expect(refused).rejects.toEqual(fails('server.sign-in-failed', { reason: 'client-unknown' }))
})

it('comes back to the host of the entry, and tries no other', async () => {
  const { callback, servers } = await signInAt({}, { oauth: { callbackHost: 'localhost', clientId: 'salesforce' } })
  expect([callback.hostname, servers.state('raw').kind]).toEqual(['localhost', 'ready'])
  const refused = signInAt({ refusesCallback: { host: '127.0.0.1', by: 'issuer' } }, { oauth: { callbackHost: '127.0.0.1' } })
  await expect(refused).rejects.toEqual(fails('server.sign-in-failed', { reason: 'registration-refused' }))
})

test.each<[string, OAuthSettings, string | undefined]>([
  ['a sign-in by a person', {}, undefined],
  [
    'client credentials',
    { grant: 'client-credentials', clientId: 'robot', clientSecret: 's3cret-of-robot' },
    'io.modelcontextprotocol/oauth-client-credentials',
  ],
])('declares the extension of %s, and no other', async (_title, oauth, expected) => {
  const resource = await serveResource()
  await host(resource, { oauth }).start('raw')
  const declared = resource.raw.seen.flatMap(({ message }) => {
    const { capabilities } = (message.method === 'initialize' ? message.params : {}) as { capabilities?: { extensions?: object } }
    return capabilities ? [Object.keys(capabilities.extensions ?? {}).filter((name) => /oauth|enterprise/.test(name))] : []
  })
  expect(declared.at(-1)).toEqual(expected === undefined ? [] : [expected])
})
