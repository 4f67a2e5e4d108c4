import { afterEach, beforeEach, expect, it } from 'vitest'
import { withFreshInputs } from '#app/server/import/fresh-inputs.ts'
import { bytes, endless, type FileServer, sendsTo, startFileServer } from '../../e2e/servers/registry/file-server.ts'
import { createDiscoverServers } from './discover-servers.ts'

let site: FileServer
const discover = createDiscoverServers({ variables: async () => ({}) })

beforeEach(async () => {
  site = await startFileServer()
})
afterEach(() => site.close())

const json = (value: unknown) => bytes(JSON.stringify(value), 'application/json')
const cardType = 'application/mcp-server-card+json'
const schema = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'
const card = (name: string, remotes: unknown) => ({ $schema: schema, name, version: '1.0.0', description: 'Weather.', remotes })
const catalogue = (...entries: unknown[]) => ({ specVersion: '1.0', entries })
const found = async (path = '') => {
  const { servers, problems } = await discover(site.url + path)
  return {
    servers: servers.map(({ name, definition }) => [
      name,
      definition.transport === 'streamable-http' || definition.transport === 'sse' ? [definition.transport, definition.url] : [],
    ]),
    problems: problems.map(({ message }) => message),
  }
}

it('reads the cards that the catalogue of a site names, by address and inline, and nothing else of it', async () => {
  site.files.set(
    '/.well-known/ai-catalog.json',
    json(
      catalogue(
        { identifier: 'urn:air:example.com:mcp:weather', type: cardType, url: `${site.url}/mcp/server-card` },
        {
          identifier: 'urn:air:example.com:mcp:notes',
          type: cardType,
          data: card('com.example/notes', [{ type: 'sse', url: `${site.url}/sse` }]),
        },
        { identifier: 'urn:air:example.com:a2a:research', type: 'application/a2a-agent-card+json', url: `${site.url}/agent` },
      ),
    ),
  )
  site.files.set(
    '/mcp/server-card',
    json(
      card('com.example/weather', [
        { type: 'sse', url: `${site.url}/old` },
        { type: 'streamable-http', url: `${site.url}/mcp` },
      ]),
    ),
  )
  expect(await found()).toEqual({
    servers: [
      ['weather', ['streamable-http', `${site.url}/mcp`]],
      ['notes', ['sse', `${site.url}/sse`]],
    ],
    problems: [],
  })
  expect(site.asked).toEqual(['/.well-known/ai-catalog.json', '/mcp/server-card'])
})

it('reads a catalogue as it was before July 2026, with mediaType and a card at an address of its own', async () => {
  site.files.set(
    '/.well-known/ai-catalog.json',
    json(catalogue({ identifier: 'urn:x', displayName: 'Weather', mediaType: cardType, url: '/card.json' })),
  )
  site.files.set('/card.json', json(card('com.example/weather', [{ type: 'streamable-http', url: '/mcp' }])))
  expect((await found()).servers).toEqual([['weather', ['streamable-http', `${site.url}/mcp`]]])
})

it('finds the card of a server beside its address, before it looks at the site', async () => {
  site.files.set('/mcp/server-card', json(card('com.example/weather', [{ type: 'streamable-http', url: `${site.url}/mcp` }])))
  expect((await found('/mcp')).servers).toHaveLength(1)
  expect(site.asked).toEqual(['/mcp/server-card'])
})

it.each([
  [
    '/.well-known/mcp/server-card.json',
    { version: '1.0', serverInfo: { name: 'docs', version: '2' }, transport: { type: 'streamable-http', endpoint: '/mcp' } },
  ],
  ['/.well-known/mcp.json', { name: 'docs', version: '1.0.0', transports: [{ type: 'http', url: '/mcp' }] }],
])('reads the earlier draft of a card at %s', async (path, value) => {
  site.files.set(path, json(value))
  expect(await found()).toEqual({ servers: [['docs', ['streamable-http', `${site.url}/mcp`]]], problems: [] })
})

it('asks for what a card leaves open, secrets among them', async () => {
  const remote = {
    type: 'streamable-http',
    url: `${site.url}/{tenant}/mcp`,
    variables: { tenant: { description: 'Your tenant', isRequired: true } },
    headers: [{ name: 'X-Api-Key', isRequired: true, isSecret: true }],
  }
  site.files.set('/.well-known/mcp.json', json(card('com.example/weather', [remote])))
  const { servers, inputs } = withFreshInputs(await discover(site.url), new Set())
  expect(servers[0]?.definition).toMatchObject({
    url: `${site.url}/\${input:weather-tenant}/mcp`,
    headers: { 'X-Api-Key': `\${input:weather-X-Api-Key}` },
  })
  expect(inputs.map(({ id, password }) => [id, password])).toEqual([
    ['weather-tenant', false],
    ['weather-X-Api-Key', true],
  ])
})

it('leaves out what a card would have run on this computer, and says so', async () => {
  const both = {
    ...card('com.example/weather', [{ type: 'streamable-http', url: `${site.url}/mcp` }]),
    packages: [{ registryType: 'npm', identifier: 'x' }],
  }
  site.files.set('/.well-known/mcp.json', json(both))
  const { servers } = await discover(site.url)
  const told = servers.flatMap(({ problems }) => problems.map(({ message }) => message))
  expect([servers.map(({ definition }) => definition.transport), told.filter((one) => one.includes('left out'))]).toEqual([
    ['streamable-http'],
    ['“packages” was left out.'],
  ])
})

const page = bytes('<!doctype html><title>Home</title>', 'text/html')
it.each([
  ['a page in place of every document', page, 'No server is named here'],
  ['a document without end', endless, 'too long'],
  ['a way to another host', sendsTo('http://127.0.0.2:1/'), 'has moved to'],
  ['JSON that is no list', json([]), 'No server is named here'],
  ['a failure', (response: Parameters<typeof page>[0]) => void response.writeHead(503).end(), 'HTTP 503'],
])('of a site that has %s it says why there is nothing', async (_what, serve, words) => {
  for (const path of ['ai-catalog.json', 'mcp/catalog.json', 'mcp/server-card.json', 'mcp.json'])
    site.files.set(`/.well-known/${path}`, serve)
  const { servers, problems } = await found()
  expect([servers, problems.length]).toEqual([[], 1])
  expect(problems[0]).toContain(words)
})

it('reads twenty cards at most, and names one that is none', async () => {
  const many = Array.from({ length: 30 }, (_, at) => ({
    type: cardType,
    data: at === 0 ? { name: 1 } : card(`com.example/s${at}`, [{ type: 'sse', url: `${site.url}/${at}` }]),
  }))
  site.files.set('/.well-known/ai-catalog.json', json(catalogue(...many)))
  const { servers, problems } = await found()
  expect([servers.length, problems.length]).toEqual([19, 2])
})

const catalogueType = 'application/ai-catalog+json'
const remoteCard = (name: string) => card(`com.example/${name}`, [{ type: 'streamable-http', url: `${site.url}/${name}` }])
const cardEntry = (name: string) => ({ identifier: `urn:air:example.com:mcp:${name}`, type: cardType, data: remoteCard(name) })
const names = async () => {
  const { servers, problems } = await found()
  return [servers.map(([name]) => name), problems]
}

it('reads the catalogues that a catalogue names, by address and inline, and a server of two of them once', async () => {
  const suite = catalogue(cardEntry('finance'), cardEntry('notes'))
  site.files.set(
    '/.well-known/ai-catalog.json',
    json(
      catalogue(
        cardEntry('finance'),
        { identifier: 'urn:acme:catalog:ml', displayName: 'ML', mediaType: catalogueType, url: '/catalogs/ml.json' },
        { identifier: 'urn:acme:plugin:finance-suite', type: catalogueType, data: suite },
      ),
    ),
  )
  site.files.set('/catalogs/ml.json', json(catalogue(cardEntry('ml'))))
  expect(await names()).toEqual([['finance', 'ml', 'notes'], []])
})

it('reads catalogues four deep, names what lies deeper, and follows none in a circle', async () => {
  const level = (at: number, next: number) =>
    json(
      catalogue(
        cardEntry(`s${at}`),
        { type: catalogueType, url: `/c${next}.json` },
        { type: catalogueType, url: '/.well-known/ai-catalog.json' },
      ),
    )
  site.files.set('/.well-known/ai-catalog.json', level(1, 2))
  for (const at of [2, 3, 4, 5]) site.files.set(`/c${at}.json`, level(at, at + 1))
  const { servers, problems } = await found()
  expect([servers.map(([name]) => name), problems.length]).toEqual([['s1', 's2', 's3', 's4'], 1])
  expect(site.asked).toEqual(['/.well-known/ai-catalog.json', '/c2.json', '/c3.json', '/c4.json'])
})

it('asks for twenty catalogues at most', async () => {
  const nested = Array.from({ length: 60 }, (_, at) => ({ type: catalogueType, url: `/c${at}.json` }))
  site.files.set('/.well-known/ai-catalog.json', json(catalogue(cardEntry('first'), ...nested)))
  for (let at = 0; at < 60; at += 1) site.files.set(`/c${at}.json`, json(catalogue()))
  const { servers, problems } = await found()
  expect([servers.length, problems.length, site.asked.length]).toEqual([1, 1, 20])
})

it('goes on where a catalogue within a catalogue fails, and says so', async () => {
  site.files.set('/.well-known/ai-catalog.json', json(catalogue({ type: catalogueType, url: '/gone.json' }, cardEntry('notes'))))
  const { servers, problems } = await found()
  expect([servers.map(([name]) => name), problems.length]).toEqual([['notes'], 1])
})

it('offers the newest of several versions of a server', async () => {
  const version = (number: string, name: string) => ({ ...cardEntry(name), identifier: 'urn:air:example.com:mcp:w', version: number })
  site.files.set(
    '/.well-known/ai-catalog.json',
    json(catalogue(version('2.9.0', 'old'), version('2.10.0', 'new'), version('1.0.0', 'older'))),
  )
  expect(await names()).toEqual([['new'], []])
})

it('refuses a catalogue of a later major version by that, and reads one of a later minor version', async () => {
  site.files.set('/.well-known/ai-catalog.json', json({ specVersion: '2.0', entries: [cardEntry('notes')] }))
  const { servers, problems } = await found()
  expect([servers, problems.length]).toEqual([[], 1])
  expect(problems[0]).toContain('2.0')
  site.files.set('/.well-known/ai-catalog.json', json({ specVersion: '1.7', entries: [cardEntry('notes')], news: true }))
  expect(await names()).toEqual([['notes'], []])
})
