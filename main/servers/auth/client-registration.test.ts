import { readFileSync } from 'node:fs'
import { expect, it, test } from 'vitest'
import { clientDocument, makeOwnDocument, ownDocument } from './client-registration.ts'

const url = 'https://assent.example/oauth-client.json'
const json = { 'content-type': 'application/json' }
const answer =
  (body: unknown, init: ResponseInit = {}) =>
  async () =>
    new Response(JSON.stringify(body), { headers: json, ...init })

it('publishes the document that lies in the repository', () => {
  expect(JSON.parse(readFileSync('resources/oauth-client.json', 'utf8'))).toEqual(clientDocument(ownDocument.url))
})

it('names both hosts of the callback, with and without its port', () => {
  const at = [
    'http://127.0.0.1/callback',
    'http://127.0.0.1:33417/callback',
    'http://localhost/callback',
    'http://localhost:33417/callback',
  ]
  expect([clientDocument(url).redirect_uris, ownDocument.port]).toEqual([at, 33_417])
})

test.each<[string, () => Promise<Response>, boolean]>([
  ['is used as it is', answer(clientDocument(url)), true],
  ['is used with a subtype of JSON', answer(clientDocument(url), { headers: { 'content-type': 'application/cimd+json' } }), true],
  [
    'that redirects is not used',
    async () => new Response(null, { status: 302, headers: { location: 'https://mallory.example/doc.json' } }),
    false,
  ],
  ['that is not found is not used', answer({}, { status: 404 }), false],
  ['of another client id is not used', answer(clientDocument('https://mallory.example/doc.json')), false],
  ['with another redirect is not used', answer({ ...clientDocument(url), redirect_uris: ['https://mallory.example/callback'] }), false],
  [
    'with one redirect more is not used',
    answer({ ...clientDocument(url), redirect_uris: [...clientDocument(url).redirect_uris, 'https://mallory.example/'] }),
    false,
  ],
  ['with keys of somebody is not used', answer({ ...clientDocument(url), jwks_uri: 'https://mallory.example/keys' }), false],
  ['that is a page is not used', answer(clientDocument(url), { headers: { 'content-type': 'text/html' } }), false],
  ['that is no JSON is not used', async () => new Response('<!doctype html>', { headers: json }), false],
  ['that cannot be reached is not used', () => Promise.reject(new Error('offline')), false],
])('a document %s', async (_title, fetch, expected) => {
  expect(await makeOwnDocument(url).answers(fetch)).toBe(expected)
})

it('asks for it without following anybody elsewhere', async () => {
  const asked: unknown[] = []
  await makeOwnDocument(url).answers(async (target, init) => {
    asked.push([String(target), init?.redirect])
    return new Response(null, { status: 404 })
  })
  expect(asked).toEqual([[url, 'manual']])
})
