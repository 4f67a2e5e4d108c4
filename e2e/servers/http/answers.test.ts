// Whatever is answered ends its request, and says what was wrong with it.
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { approve, eventually, http, makeServers } from '#main/servers/lifecycle/servers.testing.ts'
import { complete, modern, older, type Reply } from './eras.ts'
import { called, error, json, type Message } from './raw-http.ts'
import { call, closeAfterEach, host, serve, signal } from './support.ts'

closeAfterEach()

const progress = (message: Message): object => {
  const { progressToken } = (message.params?.['_meta'] ?? {}) as { readonly progressToken?: number }
  return { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } }
}
const typed =
  (type: string, encode: (text: string) => Buffer | string = (text) => text, headers: Record<string, string> = {}): Reply =>
  ({ message }, response) =>
    void response.writeHead(200, { 'content-type': type, ...headers }).end(encode(JSON.stringify(called(message, 'ok'))))

describe('an answer over HTTP', () => {
  it.each<[string, Reply]>([
    ['type has parameters', typed('application/json; charset=utf-8')],
    ['type is in upper case', typed('Application/JSON')],
    ['stream’s type is in upper case', typed('TEXT/Event-Stream; charset=UTF-8', (text) => `data: ${text}\n\n`)],
    ['body is gzip', typed('application/json', gzipSync, { 'content-encoding': 'gzip' })],
    ['body is Brotli', typed('application/json', brotliCompressSync, { 'content-encoding': 'br' })],
    ['stream is gzip', typed('text/event-stream', (text) => gzipSync(`data: ${text}\n\n`), { 'content-encoding': 'gzip' })],
    ['lines are many', typed('application/json', (text) => JSON.stringify(JSON.parse(text), null, 2))],
  ])('is taken when its %s', async (_what, onCall) => {
    const servers = host(await serve(older('2025-06-18', onCall)))
    await servers.start('raw')
    expect(await call(servers, 'echo')).toBe('ok')
  })

  it('is taken when it comes in pieces', async () => {
    const onCall: Reply = ({ message }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const text = JSON.stringify(called(message, 'ok'))
      const send = (at: number): void => {
        if (at >= text.length) response.end()
        else response.write(text.slice(at, at + 7), () => send(at + 7))
      }
      send(0)
    }
    const servers = host(await serve(older('2025-06-18', onCall)))
    await servers.start('raw')
    expect(await call(servers, 'echo')).toBe('ok')
  })

  it.each<[string, Reply, string]>([
    ['202', (_seen, response) => void response.writeHead(202).end(), 'tool.outcome-unknown'],
    ['204', (_seen, response) => void response.writeHead(204).end(), 'tool.outcome-unknown'],
    ['an empty array', (_seen, response) => json(response, []), 'tool.outcome-unknown'],
    [
      'the answer to something else',
      ({ message }, response) => json(response, called({ ...message, id: 999_999 }, 'no')),
      'tool.outcome-unknown',
    ],
    ['no message', (_seen, response) => json(response, { hello: 'world' }), 'tool.outcome-unknown'],
    ['neither result nor error', ({ message }, response) => json(response, { jsonrpc: '2.0', id: message.id }), 'server.protocol'],
    ['nothing at all', (_seen, response) => void response.writeHead(200).end(), 'server.protocol'],
    ['a page', (_seen, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>no</h1>'), 'server.protocol'],
    [
      'half of its JSON',
      (_seen, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc"'),
      'server.protocol',
    ],
    ['503', (_seen, response) => void response.writeHead(503).end(), 'tool.outcome-unknown'],
  ])('that is %s ends the call at once, and the server stays', async (_what, onCall, code) => {
    const raw = await serve(older('2025-06-18', onCall))
    const servers = host(raw)
    await servers.start('raw')
    await expect(call(servers, 'echo')).rejects.toMatchObject({ code })
    expect(servers.state('raw').kind).toBe('ready')
    expect(raw.verbs().filter((verb) => verb === 'POST tools/call')).toHaveLength(1)
  })

  it.each([
    ['the body', (response: Parameters<Reply>[1], items: unknown[]) => json(response, items)],
    [
      'an event',
      (response: Parameters<Reply>[1], items: unknown[]) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(items)}\n\n`),
    ],
  ])('may be a batch of everything, and what is no message in it is named and costs nothing else: in %s', async (_where, write) => {
    const raw = await serve(
      older('2025-03-26', ({ message }, response) =>
        write(response, [
          progress(message),
          7,
          { jsonrpc: '2.0', id: 'q', method: 'roots/list' },
          null,
          { jsonrpc: '2.0', id: 'p', method: 'ping' },
          called(message, 'ok'),
        ]),
      ),
    )
    const servers = host(raw)
    await servers.start('raw')
    const told: unknown[] = []
    await servers.call(approve(servers, 'raw', 'echo'), { signal, onProgress: (update) => told.push(update) })
    expect(told).toHaveLength(1)
    await eventually(() => {
      const answers = raw.seen.flatMap(({ message }) => (message.method === undefined && message.id !== undefined ? [message.id] : []))
      expect(answers.toSorted()).toEqual(['p', 'q'])
    })
    expect(servers.log('raw').lines.filter(({ source }) => source === 'host')).toHaveLength(1)
  })

  it('is taken once, and what answers nothing that was asked, or is no message, is passed over', async () => {
    const raw = await serve(
      older('2025-06-18', ({ message }, response) => {
        const events = [
          called({ ...message, id: 999_999 }, 'unknown'),
          { jsonrpc: '2.0', id: 'x', error: { code: 1, message: 'unknown' } },
          { hello: 'world' },
          called(message, 'ok'),
          called(message, 'again'),
        ].map((each) => `data: ${JSON.stringify(each)}\n\n`)
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: {no json\n\n${events.join('')}`)
      }),
    )
    const servers = host(raw)
    await servers.start('raw')
    expect(await call(servers, 'echo')).toBe('ok')
    expect(await call(servers, 'echo')).toBe('ok')
    expect(servers.log('raw').lines.filter(({ source }) => source === 'host')).toHaveLength(4)
  })

  it('with 400 that says why, in a session, is the error that it says', async () => {
    const onCall: Reply = ({ message }, response) => json(response, error(message, { code: -32602, message: 'Bad city.' }), {}, 400)
    const servers = host(await serve(older('2025-06-18', onCall)))
    await servers.start('raw')
    await expect(call(servers, 'echo')).rejects.toMatchObject({ name: 'ProtocolError', code: -32602 })
  })

  it.each([null, undefined, 'other'])('of 2026-07-28 that refuses with an error for %j refuses what was asked', async (id) => {
    const onCall: Reply = (_seen, response) => json(response, { jsonrpc: '2.0', id, error: { code: -32602, message: 'No.' } }, {}, 400)
    const servers = host(await serve(modern(onCall)))
    await servers.start('raw')
    await expect(call(servers, 'echo')).rejects.toMatchObject({ name: 'ProtocolError', code: -32602 })
  })

  it('of 2026-07-28 that finds no such method is an error of the protocol, not of HTTP', async () => {
    const onCall: Reply = ({ message }, response) => json(response, error(message, { code: -32601, message: 'Method not found' }), {}, 404)
    const servers = host(await serve(modern(onCall)))
    await servers.start('raw')
    await expect(call(servers, 'echo')).rejects.toMatchObject({ name: 'ProtocolError', code: -32601 })
    await expect(servers.readResource('raw', 'raw://one', { signal })).rejects.toMatchObject({ code: -32601 })
  })

  it('that must wait is asked for later where that does no harm, and a call is not', async () => {
    let refused = 0
    const busy: Reply = (_seen, response) => void response.writeHead(429, { 'retry-after': '0' }).end()
    const raw = await serve(
      modern(busy, ({ message }, response) => {
        refused += 1
        if (refused < 3) busy({} as never, response)
        else json(response, complete(message, { contents: [{ uri: 'raw://one', text: 'ok' }], resources: [], resourceTemplates: [] }))
      }),
    )
    const servers = host(raw)
    await servers.start('raw')
    expect(await servers.readResource('raw', 'raw://one', { signal })).toMatchObject({ contents: [{ text: 'ok' }] })
    await expect(call(servers, 'echo')).rejects.toMatchObject({ code: 'server.http-status', data: { status: 429, retryAfterMs: 0 } })
    expect(raw.verbs().filter((verb) => verb === 'POST tools/call')).toHaveLength(1)
  })

  it('that must wait too long is an error that says how long', async () => {
    const raw = await serve((_seen, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end()
      return true
    })
    await expect(host(raw).start('raw')).rejects.toMatchObject({
      code: 'server.http-status',
      data: { status: 429, retryAfterMs: 3_600_000 },
    })
    expect(raw.verbs()).toEqual(['POST server/discover'])
  })
})

describe('a server that has moved', () => {
  it.each([307, 308])('within its origin is followed (%d), also with a call', async (status) => {
    const inner = older('2025-06-18', ({ message }, response) => json(response, called(message, 'ok')))
    const raw = await serve((seen, response) => {
      if (seen.path === '/new') return inner(seen, response)
      response.writeHead(status, { location: '/new' }).end()
      return true
    })
    const servers = makeServers({ raw: http(raw.url, { authorization: 'Bearer secret' }) })
    await servers.start('raw')
    expect(await call(servers, 'echo')).toBe('ok')
    const arrived = raw.seen.filter(({ path }) => path === '/new')
    expect(arrived.every(({ headers }) => headers.authorization === 'Bearer secret')).toBe(true)
  })

  it('to another origin is not followed: the sentence says where to', async () => {
    const other = await serve(() => false)
    const raw = await serve((_seen, response) => {
      response.writeHead(307, { location: `${other.url}?token=secret` }).end()
      return true
    })
    const servers = makeServers({ raw: http(raw.url, { authorization: 'Bearer secret' }) })
    await expect(servers.start('raw')).rejects.toMatchObject({ code: 'server.http-status', data: { status: 307, location: other.url } })
    expect(other.seen).toEqual([])
  })

  it.each([301, 302, 303])('with %d, which would lose what is posted, is not followed either', async (status) => {
    const raw = await serve((_seen, response) => {
      response.writeHead(status, { location: '/new' }).end()
      return true
    })
    const location = new URL('/new', raw.url).href
    await expect(host(raw).start('raw')).rejects.toMatchObject({ code: 'server.http-status', data: { status, location } })
    expect(raw.seen.some(({ path }) => path === '/new')).toBe(false)
  })
})
