// The inspector over every transport: what it shows is what went over the wire, paired, without secrets, and no more of a long
// message than its beginning.
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import type { WireMessage } from '#app/server/wire-message.ts'
import { approve, http, makeServers, raw, type TestServers } from '#main/servers/lifecycle/servers.testing.ts'
import { type Answer, called, handshake, stream } from './http/raw-http.ts'
import { closeAfterEach, serve, signal } from './http/support.ts'
import { recorded } from './raw/recorded.ts'

closeAfterEach()

const messages = (servers: TestServers, name = 'raw'): WireMessage[] => servers.inspector(name).journal.all()
const named = (all: readonly WireMessage[], method: string): WireMessage[] => all.filter((one) => one.method === method)
const linesOf = (all: readonly WireMessage[]): string[] => all.flatMap(({ http: carrier }) => carrier?.line ?? [])

it('shows the lines that both sides of a pipe wrote, from the greeting on, and pairs them', async () => {
  const { servers, lines } = recorded()
  servers.inspector('a').inspect('next-start')
  await servers.start('a')
  await servers.call(approve(servers, 'a', 'echo', { text: 'naïve\u2028' }), { signal, onProgress: () => {} })
  await servers.stop('a')
  const all = messages(servers, 'a')
  const by = (side: 'host' | 'server') => lines().flatMap((line) => (line.by === side ? [line.text] : []))
  const texts = (direction: WireMessage['direction']) => all.flatMap((one) => (one.direction === direction ? [one.text] : []))
  expect([texts('sent'), texts('received')]).toEqual([by('host'), by('server')])
  const [request, answer] = named(all, 'tools/call')
  expect([request?.kind, answer?.kind, answer?.of, typeof answer?.ms]).toEqual(['request', 'result', request?.seq, 'number'])
  expect(servers.view('a')?.inspecting).toBe('on')
})

it('keeps the beginning of a long line, its size and what it answers', async () => {
  const servers = makeServers({ raw: raw('sizes') })
  servers.inspector('raw').inspect('on')
  await servers.start('raw')
  await servers.call(approve(servers, 'raw', 'answer', { size: 3_000_000 }), { signal })
  const [request, answer] = named(messages(servers), 'tools/call')
  expect([answer?.of, answer?.cut, (answer?.size ?? 0) > 3_000_000, (answer?.text.length ?? 0) < 20_000]).toEqual([
    request?.seq,
    true,
    true,
    true,
  ])
})

it('masks what a server was given wherever it is said', async () => {
  const secret = 'hunter2-hunter2'
  const servers = makeServers({ raw: { ...raw('sizes'), env: { MY_TOKEN: secret } } })
  servers.inspector('raw').inspect('on')
  await servers.start('raw')
  await servers.call(approve(servers, 'raw', 'answer', { size: 1, said: secret }), { signal })
  const all = messages(servers)
  expect([all.some(({ text }) => text.includes(secret)), named(all, 'tools/call')[0]?.text.includes('•••')]).toEqual([false, true])
})

/** Answers a call in a stream, the rest as JSON. */
const streamable: Answer = ({ verb, message }, response) => {
  if (verb !== 'POST') return false
  const greeting = handshake(message, '2025-06-18')
  if (greeting) response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session-1' }).end(JSON.stringify(greeting))
  else if (message.method === 'tools/call') {
    const note = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'working' } }
    stream(response).end(`: hello\n\nid: e1\ndata: ${JSON.stringify(note)}\n\nid: e2\ndata: ${JSON.stringify(called(message, 'done'))}\n\n`)
  } else response.writeHead(202).end()
  return true
}

it('shows requests, answers and events of Streamable HTTP with the headers that matter, and none that lets somebody in', async () => {
  const { url } = await serve(streamable)
  const servers = makeServers({ raw: http(`${url}?key=in-the-address`, { Authorization: 'Bearer secret-of-the-header' }) })
  servers.inspector('raw').inspect('on')
  await servers.start('raw')
  await servers.call(approve(servers, 'raw', 'echo'), { signal })
  const all = messages(servers)
  const [request, answer] = named(all, 'tools/call')
  expect(request?.http?.line).toBe(`POST ${url}?key=•••`)
  expect(request?.http?.headers).toEqual(
    expect.arrayContaining([
      { name: 'authorization', value: 'Bearer •••' },
      { name: 'mcp-session-id', value: '•••' },
      { name: 'mcp-protocol-version', value: '2025-06-18' },
    ]),
  )
  const opened = all.find((one) => one.of === request?.seq && one.kind === 'http')
  expect([opened?.http?.line, answer?.kind, answer?.of, answer?.event]).toEqual(['200 OK', 'result', request?.seq, { id: 'e2' }])
  expect(named(all, 'notifications/message').map(({ event }) => event)).toEqual([{ id: 'e1' }])
  expect(all.some(({ kind, text }) => kind === 'http' && text.startsWith(': hello'))).toBe(true)
  expect(named(all, 'initialize').map(({ kind }) => kind)).toEqual(['request', 'result'])
  expect(JSON.stringify(all)).not.toMatch(/secret-of-the-header|in-the-address|session-1/)
})

it('shows the stream of HTTP+SSE and what is posted beside it', async () => {
  let events: ServerResponse | undefined
  const { url } = await serve(({ verb, message }, response) => {
    if (verb === 'GET') {
      events = stream(response)
      events.write('event: endpoint\ndata: /messages?session=its-session\n\n')
      return true
    }
    response.writeHead(202).end()
    const answer = handshake(message, '2024-11-05') ?? (message.method === 'tools/call' ? called(message, 'older') : undefined)
    if (answer) events?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`)
    return true
  })
  const servers = makeServers({ raw: { ...http(url), transport: 'sse' } })
  servers.inspector('raw').inspect('on')
  await servers.start('raw')
  await servers.call(approve(servers, 'raw', 'echo'), { signal })
  const all = messages(servers)
  const [request, answer] = named(all, 'tools/call')
  expect([answer?.of, answer?.event, linesOf(all).slice(0, 2)]).toEqual([request?.seq, { name: 'message' }, [`GET ${url}`, '200 OK']])
  expect(all.find(({ event }) => event?.name === 'endpoint')?.text).toBe('/messages?•••')
  expect(JSON.stringify(all)).not.toContain('its-session')
})
