// A registry of servers on this computer, with the official API's shapes and paging, and whatever bad manners a test wants.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { JsonObject } from '#app/json.ts'

export type Manners =
  | 'good'
  /** Answers nothing until it is closed. */
  | 'silent'
  | 'broken'
  | 'web-page'
  | 'too-many'
  | 'down'
  /** 16 MB of list. */
  | 'huge'
  /** The same in a few kilobytes. */
  | 'bomb'
  /** Every page is empty and names another. */
  | 'endless'
  /** Every page is the first one. */
  | 'going-round'
  | { readonly sendsTo: string }

export interface RegistryServer {
  readonly url: string
  /** Paths with queries, in the order that they were asked for. */
  readonly asked: string[]
  /** Headers of the last request. */
  headers(): IncomingMessage['headers']
  entries: JsonObject[]
  manners: Manners
  /** Answers only under this one. */
  api: 'v0' | 'v0.1' | 'both'
  close(): Promise<void>
}

export const wireServer = (server: JsonObject, meta: JsonObject = {}): JsonObject => ({
  server: {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    description: 'What it is for',
    version: '1.0.0',
    ...server,
  },
  _meta: {
    'io.modelcontextprotocol.registry/official': {
      ...{ status: 'active', publishedAt: '2026-05-06T07:08:09Z', updatedAt: '2026-05-06T07:08:09Z', isLatest: true },
      ...meta,
    },
  },
})

const nameOf = (entry: JsonObject): string => String((entry['server'] as JsonObject)['name'])
const textOf = (entry: JsonObject): string => `${nameOf(entry)} ${String((entry['server'] as JsonObject)['description'])}`.toLowerCase()
const isLatest = (entry: JsonObject): boolean =>
  ((entry['_meta'] as JsonObject)['io.modelcontextprotocol.registry/official'] as JsonObject)['isLatest'] !== false

export async function startRegistryServer(entries: readonly JsonObject[] = []): Promise<RegistryServer> {
  const asked: string[] = []
  let headers: IncomingMessage['headers'] = {}

  function send(request: IncomingMessage, response: ServerResponse, status: number, body: unknown): void {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const etag = `"${createHash('sha1').update(text).digest('hex')}"`
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
    response.writeHead(status, { 'content-type': 'application/json', etag }).end(text)
  }

  function list(query: URLSearchParams): JsonObject {
    const search = query.get('search')?.toLowerCase() ?? ''
    const limit = Math.min(100, Number(query.get('limit') ?? 30))
    const fit = registry.entries.filter((entry) => textOf(entry).includes(search) && (query.get('version') !== 'latest' || isLatest(entry)))
    const from = Number(query.get('cursor')?.split(':')[1] ?? 0)
    const page = fit.slice(from, from + limit)
    const next = from + limit < fit.length ? { nextCursor: `${nameOf(page.at(-1) ?? {})}:${from + limit}` } : {}
    return { servers: page, metadata: { count: page.length, ...next } }
  }

  /** What the API answers: the status, and the body. */
  function answerTo({ pathname, searchParams }: URL): readonly [status: number, body: JsonObject] {
    const [, api = '', , name, , version] = pathname.split('/').map(decodeURIComponent)
    const missing = [404, { error: 'Server not found' }] as const
    if (registry.api !== 'both' && api !== registry.api) return missing
    if (name === undefined) return [200, list(searchParams)]
    const versions = registry.entries.filter((entry) => nameOf(entry) === name)
    if (version === undefined) return versions.length === 0 ? missing : [200, { servers: versions, metadata: { count: versions.length } }]
    const one = versions.find((entry) => (version === 'latest' ? isLatest(entry) : (entry['server'] as JsonObject)['version'] === version))
    return one ? [200, one] : missing
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://here')
    asked.push(`${url.pathname}${url.search}`)
    headers = request.headers
    const { manners } = registry
    if (typeof manners === 'object') return void response.writeHead(302, { location: manners.sendsTo }).end()
    switch (manners) {
      case 'silent':
        return
      case 'broken':
        return send(request, response, 200, '{ "servers": [ { "server": ')
      case 'web-page':
        return void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<!doctype html><title>Portal</title><script>alert(1)</script>')
      case 'too-many':
        return void response.writeHead(429, { 'retry-after': '30' }).end('{"error":"slow down"}')
      case 'down':
        return send(request, response, 503, { error: 'maintenance' })
      case 'huge': {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{"servers":[')
        const part = `"${'x'.repeat(1024 * 1024)}",`
        for (let count = 0; count < 16; count += 1) response.write(part)
        return void response.end('""]}')
      }
      case 'bomb':
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        return void response.end(gzipSync(Buffer.concat([Buffer.from('['), Buffer.alloc(16 * 1024 * 1024, '['), Buffer.from(']')])))
      case 'endless':
        return send(request, response, 200, { servers: [], metadata: { nextCursor: `after:${asked.length}` } })
      case 'going-round':
        return send(request, response, 200, { servers: registry.entries.slice(0, 3), metadata: { nextCursor: 'first:0' } })
      default:
        return send(request, response, ...answerTo(url))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const registry: RegistryServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    headers: () => headers,
    entries: [...entries],
    manners: 'good',
    api: 'both',
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return registry
}

/** Some hundred servers, of every kind. */
export const manyServers = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, at) => {
    const name = `io.github.people-${at % 7}/tool-${String(at).padStart(4, '0')}`
    const pack = { registryType: 'npm', identifier: `@people/tool-${at}`, version: '1.0.0', transport: { type: 'stdio' } }
    const remote = { type: 'streamable-http', url: `https://tool-${at}.example/mcp` }
    return wireServer({ name, description: `Does thing number ${at}`, ...(at % 3 === 0 ? { remotes: [remote] } : { packages: [pack] }) })
  })
