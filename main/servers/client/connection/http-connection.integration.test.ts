import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { approve, closeServers, eventually, http, makeServers } from '#main/servers/lifecycle/servers.testing.ts'
import { serveEverything } from '../../../../e2e/servers/everything/open.ts'

type Rpc = { readonly id?: number | string; readonly method: string; readonly params?: { readonly name?: string } }
type Answer = (rpc: Rpc, response: ServerResponse, request: IncomingMessage) => void

const listening: Server[] = []
const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  expect(await closeServers()).toEqual([])
  for (const server of listening.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  for (const end of ends.splice(0)) await end()
})

/** An HTTP server whose POSTs are answered by `answer`; anything else is not allowed. */
async function serve(answer: Answer): Promise<{ readonly url: string; readonly requests: IncomingMessage[]; close(): Promise<void> }> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    if (request.method !== 'POST') response.writeHead(405).end()
    else void readText(request).then((body) => answer(JSON.parse(body) as Rpc, response, request))
  })
  listening.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, requests, close }
}

const json = (response: ServerResponse, rpc: Rpc, result: object, headers: Record<string, string> = {}): void =>
  void response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result }))
const status =
  (code: number): Answer =>
  (_rpc, response) =>
    void response.writeHead(code).end()
const tools = ['echo', 'cut', 'huge', 'reset', 'forget', 'error'].map((name) => ({ name, inputSchema: { type: 'object' } }))

/** A server of 2025-06-18 over HTTP. */
const legacy =
  (call: Answer, headers: Record<string, string> = {}): Answer =>
  (rpc, response, request) => {
    if (rpc.id === undefined) return void response.writeHead(202).end()
    const serverInfo = { name: 'web', version: '1' }
    if (rpc.method === 'initialize')
      json(response, rpc, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }, headers)
    else if (rpc.method === 'tools/list') json(response, rpc, { tools })
    else if (rpc.method === 'tools/call') call(rpc, response, request)
    else response.writeHead(400).end()
  }

const signal = new AbortController().signal
const fails = (code: string, data: object = {}) => expect.objectContaining({ code, data: expect.objectContaining(data) })
const contentText = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? ''

describe('a server over HTTP', () => {
  it('everything: lists and calls, with progress', async () => {
    const everything = await serveEverything('streamable-http')
    ends.push(everything.end)
    const servers = makeServers({ web: http(everything.url) })
    await servers.start('web')
    expect(servers.view('web')).toMatchObject({ state: { kind: 'ready' }, session: { era: 'legacy' } })
    expect(servers.catalogue('web').prompts.length).toBeGreaterThan(0)
    const { result } = await servers.call(approve(servers, 'web', 'echo', { message: 'hello' }), { signal })
    expect(contentText(result)).toBe('Echo: hello')
    const progress = vi.fn()
    const long = approve(servers, 'web', 'trigger-long-running-operation', { duration: 1, steps: 2 })
    await servers.call(long, { signal, onProgress: progress })
    expect(progress).toHaveBeenCalled()
  })

  it('is given the headers of its definition, and nothing that is the protocol’s', async () => {
    const { url, requests } = await serve(legacy((rpc, response) => json(response, rpc, { content: [] })))
    const servers = makeServers(
      { web: http(url, { Authorization: `Bearer \${env:${'WEB_TOKEN'}}`, 'Mcp-Session-Id': 'forged' }) },
      { variables: { WEB_TOKEN: 'tok-123456' } },
    )
    await servers.start('web')
    expect(requests.every(({ headers }) => headers.authorization === 'Bearer tok-123456')).toBe(true)
    expect(requests.some(({ headers }) => headers['mcp-session-id'] === 'forged')).toBe(false)
    expect(servers.broker.targets).toEqual([
      { transport: 'streamable-http', url, headerNames: ['Authorization (from your WEB_TOKEN)', 'Mcp-Session-Id'] },
    ])
  })

  it('speaks 2026-07-28 where it can', async () => {
    const { url } = await serve((rpc, response) => {
      const base = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
      if (rpc.method === 'server/discover') json(response, rpc, { ...base, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })
      else if (rpc.method === 'tools/list') json(response, rpc, { ...base, tools: [...tools, { name: 'broken' }] })
      else json(response, rpc, { resultType: 'complete', content: [{ type: 'hologram' }] })
    })
    const servers = makeServers({ web: http(url) })
    await servers.start('web')
    expect(servers.view('web')).toMatchObject({ session: { era: 'modern', protocolVersion: '2026-07-28' }, counts: { tools: 6 } })
    const { result } = await servers.call(approve(servers, 'web', 'echo'), { signal })
    expect(result).toMatchObject({ content: [{ type: 'hologram' }] })
  })

  it.each([
    [401, 'server.sign-in-needed', false],
    [403, 'server.http-status', false],
    [404, 'server.http-status', false],
    [503, 'server.http-status', true],
  ])('that answers %d does not start (%s)', async (code, error, again) => {
    const { url } = await serve(status(code))
    const servers = makeServers({ web: http(url) })
    await expect(servers.start('web')).rejects.toEqual(fails(error, { status: code }))
    expect('retryAt' in servers.state('web')).toBe(again)
  })

  it('that is a web page, or nothing at all, says so', async () => {
    const page = await serve((_rpc, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hello</h1>'))
    const gone = await serve(status(200))
    await gone.close()
    const servers = makeServers({ page: http(page.url), gone: http(gone.url) })
    await expect(servers.start('page')).rejects.toEqual(fails('server.not-mcp'))
    await expect(servers.start('gone')).rejects.toEqual(fails('server.unreachable', { reason: 'ECONNREFUSED' }))
  })

  it('ends a call at once, with its outcome unknown, when the answer is cut off', async () => {
    const { url } = await serve(
      legacy((rpc, response) => {
        if (rpc.params?.name === 'reset') response.socket?.destroy()
        else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing more\n\n')
      }),
    )
    const servers = makeServers({ web: http(url) })
    await servers.start('web')
    await expect(servers.call(approve(servers, 'web', 'cut'), { signal })).rejects.toEqual(fails('tool.outcome-unknown'))
    expect(servers.state('web').kind).toBe('ready')
    await expect(servers.call(approve(servers, 'web', 'reset'), { signal })).rejects.toEqual(fails('tool.outcome-unknown'))
  })

  it('that is gone when it is called says that nothing ran, and comes again', async () => {
    const server = await serve(legacy((rpc, response) => json(response, rpc, { content: [] })))
    const servers = makeServers({ web: http(server.url) })
    await servers.start('web')
    await server.close()
    // One turn of the loop, in which the idle connection is seen to have ended: nothing is sent into it.
    await new Promise(setImmediate)
    await expect(servers.call(approve(servers, 'web', 'echo'), { signal })).rejects.toEqual(fails('server.unreachable', { sent: false }))
    expect(servers.state('web')).toMatchObject({ kind: 'failed', retryAt: expect.any(Number) })
  })

  it('that forgets its session is begun anew', async () => {
    let sessions = 0
    const { url } = await serve((rpc, response, request) => {
      if (rpc.method === 'initialize') sessions += 1
      legacy(status(404), { 'mcp-session-id': `s${sessions}` })(rpc, response, request)
    })
    const servers = makeServers({ web: http(url) })
    await servers.start('web')
    await expect(servers.call(approve(servers, 'web', 'forget'), { signal })).rejects.toMatchObject({ name: 'HostError' })
    await eventually(() => expect([servers.state('web').kind, sessions]).toEqual(['ready', 2]))
  })

  it('may not send more than the host takes', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'a')
    const { url } = await serve(
      legacy((rpc, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write(`{"jsonrpc":"2.0","id":${rpc.id},"result":{"content":[{"type":"text","text":"`)
        let sent = 0
        const more = (): void => {
          for (; sent < 80; sent += 1) if (!response.write(megabyte)) return void response.once('drain', more)
          response.end('"}]}}')
        }
        more()
      }),
    )
    const servers = makeServers({ web: http(url) })
    await servers.start('web')
    await expect(servers.call(approve(servers, 'web', 'huge'), { signal })).rejects.toEqual(fails('server.too-large'))
    expect(servers.state('web').kind).toBe('ready')
  })
})
