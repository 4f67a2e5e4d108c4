// How the era of a server over HTTP is found, and what of it is remembered for the next start.
import { describe, expect, it } from 'vitest'
import { type Clock, systemClock } from '#main/base/clock.ts'
import { http, makeServers, memoryServerStore } from '#main/servers/lifecycle/servers.testing.ts'
import { complete, modern, older, type Reply } from './eras.ts'
import { called, error, handshake, json, type Message, result } from './raw-http.ts'
import { call, closeAfterEach, host, serve, signal } from './support.ts'

closeAfterEach()

const onCall: Reply = ({ message }, response) => json(response, called(message, 'ok'))
const unsupported = (code: number, supported: string[]) => ({ code, message: 'Unsupported protocol version', data: { supported } })
const week = 7 * 24 * 3_600_000

describe('what is remembered of a server over HTTP', () => {
  it('that it is an old one: it is begun with at once the next time, and asked anew after a week', async () => {
    const store = memoryServerStore()
    const raw = await serve(older('2025-06-18', onCall))
    const begin = async (later = 0): Promise<readonly [string[], string | undefined]> => {
      const clock: Clock = { ...systemClock, now: () => Date.now() + later }
      const servers = makeServers({ raw: http(raw.url) }, { store, clock })
      const before = raw.seen.length
      await servers.start('raw')
      expect(await call(servers, 'echo')).toBe('ok')
      return [raw.verbs().slice(before, before + 2), servers.view('raw')?.session?.foundBy]
    }
    expect(await begin()).toEqual([['POST server/discover', 'POST initialize'], 'initialize'])
    expect(await begin()).toEqual([['POST initialize', 'POST notifications/initialized'], 'remembered'])
    expect(await begin(week - 60_000)).toEqual([['POST initialize', 'POST notifications/initialized'], 'remembered'])
    expect(await begin(week + 60_000)).toEqual([['POST server/discover', 'POST initialize'], 'initialize'])
  })

  it('is asked anew once the server has become another version', async () => {
    const store = memoryServerStore()
    let version = '1'
    const inner = older('2025-06-18', onCall)
    const raw = await serve((seen, response) => {
      if (seen.message.method !== 'initialize') return inner(seen, response)
      const { result } = handshake(seen.message, '2025-06-18') as { result: object }
      json(response, { jsonrpc: '2.0', id: seen.message.id, result: { ...result, serverInfo: { name: 'raw', version } } })
      return true
    })
    const asks = async (): Promise<boolean> => {
      const before = raw.seen.length
      await makeServers({ raw: http(raw.url) }, { store }).start('raw')
      return raw.verbs().slice(before).includes('POST server/discover')
    }
    expect([await asks(), await asks()]).toEqual([true, false])
    version = '2'
    expect([await asks(), await asks(), await asks()]).toEqual([false, true, false])
  })

  it.each<[string, Reply]>([
    ['400', (_seen, response) => void response.writeHead(400).end()],
    [
      'an unknown method',
      ({ message }, response) => json(response, error(message, { code: -32601, message: 'Method not found' }), {}, 404),
    ],
    ['other revisions', ({ message }, response) => json(response, error(message, unsupported(-32022, ['2026-07-28'])), {}, 400)],
  ])('is asked anew at once when it has become a new one, which answers the old way with %s', async (_what, refuse) => {
    const store = memoryServerStore()
    let answer = older('2025-06-18', onCall)
    const after = modern(({ message }, response) => json(response, complete(message, { content: [{ type: 'text', text: 'new' }] })), refuse)
    const raw = await serve((seen, response) => answer(seen, response))
    await makeServers({ raw: http(raw.url) }, { store }).start('raw')
    answer = after
    const servers = makeServers({ raw: http(raw.url) }, { store })
    await servers.start('raw')
    expect(servers.view('raw')?.session).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28', foundBy: 'discover' })
    expect(await call(servers, 'echo')).toBe('new')
  })

  it('that it speaks the oldest transport', async () => {
    const store = memoryServerStore()
    let stream: import('node:http').ServerResponse | undefined
    const raw = await serve(({ verb, path, message }, response) => {
      if (verb === 'GET' && path === '/mcp') {
        stream = response
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\ndata: /messages\n\n')
      } else if (path === '/messages') {
        response.writeHead(202).end()
        const answer = handshake(message, '2024-11-05')
        if (answer) stream?.write(`data: ${JSON.stringify(answer)}\n\n`)
      } else return false
      return true
    })
    const begin = async (): Promise<readonly unknown[]> => {
      const servers = makeServers({ raw: http(raw.url) }, { store })
      const before = raw.seen.length
      await servers.start('raw')
      const { session } = servers.view('raw') ?? {}
      return [raw.verbs()[before], session?.transport, session?.foundBy]
    }
    expect(await begin()).toEqual(['POST server/discover', 'sse', 'initialize'])
    expect(await begin()).toEqual(['GET /mcp', 'sse', 'remembered'])
  })

  it('that it is a new one: it is asked each time, which is all that it takes', async () => {
    const store = memoryServerStore()
    const raw = await serve(modern(onCall))
    for (let times = 0; times < 2; times += 1) {
      const before = raw.seen.length
      await makeServers({ raw: http(raw.url) }, { store }).start('raw')
      expect(raw.verbs().slice(before, before + 2)).toEqual(['POST server/discover', 'POST tools/list'])
    }
  })
})

describe('a server over HTTP that does not speak our newest revision', () => {
  it.each([
    [-32022, null],
    [-32022, undefined],
    [-32602, 'other'],
  ])('and says so with %d and the id %j is begun with in one that both know', async (code, id) => {
    const raw = await serve((seen, response) => {
      const { verb, message } = seen
      if (verb === 'POST' && message.method === 'server/discover')
        json(response, { jsonrpc: '2.0', id, error: unsupported(code, ['DRAFT-2026-v1', '2025-03-26']) }, {}, 400)
      else if (message.method === 'initialize' && message.params?.['protocolVersion'] !== '2025-03-26')
        json(response, { jsonrpc: '2.0', id, error: unsupported(code, ['2025-03-26']) }, {}, 400)
      else return older('2025-03-26', onCall)(seen, response)
      return true
    })
    const servers = host(raw)
    await servers.start('raw')
    expect(servers.view('raw')?.session).toMatchObject({ era: 'legacy', protocolVersion: '2025-03-26', transport: 'streamable-http' })
    expect(await call(servers, 'echo')).toBe('ok')
  })

  it.each([500, 501])('and breaks on the question (%d) is greeted', async (status) => {
    const answer = older('2025-03-26', onCall)
    const raw = await serve((seen, response) => {
      if (seen.message.method !== 'server/discover') return answer(seen, response)
      response.writeHead(status).end()
      return true
    })
    const servers = host(raw)
    await servers.start('raw')
    expect(servers.view('raw')?.session).toMatchObject({ era: 'legacy', protocolVersion: '2025-03-26', foundBy: 'initialize' })
    expect([await call(servers, 'echo'), raw.verbs().slice(0, 2)]).toEqual(['ok', ['POST server/discover', 'POST initialize']])
  })

  it('and is broken whatever it is asked says so', async () => {
    const raw = await serve((_seen, response) => {
      response.writeHead(500).end()
      return true
    })
    await expect(host(raw).start('raw')).rejects.toMatchObject({ code: 'server.http-status', data: { status: 500 } })
    expect(raw.verbs().slice(0, 2)).toEqual(['POST server/discover', 'POST initialize'])
  })

  it.each([-32022, -32602])('and has none in common with us is left alone, with both lists (%d)', async (code) => {
    const raw = await serve((_seen, response) => {
      json(response, { jsonrpc: '2.0', id: null, error: unsupported(code, ['2027-01-01']) }, {}, 400)
      return true
    })
    await expect(host(raw).start('raw')).rejects.toMatchObject({
      code: 'server.version-mismatch',
      data: { supported: ['2027-01-01'], ours: expect.arrayContaining(['2026-07-28', '2024-11-05']) },
    })
  })

  it.each([
    [-32022, {}],
    [-32602, { requested: '2026-07-28' }],
  ])('any more (%d) is begun anew in what it speaks now, and what does no harm is asked again', async (code, more) => {
    const content = (message: Message) => ({
      contents: [{ uri: 'raw://one', text: String(message.method) }],
      resources: [],
      resourceTemplates: [],
    })
    let answer = modern(onCall, ({ message }, response) => json(response, complete(message, content(message))))
    const raw = await serve((seen, response) => answer(seen, response))
    const servers = host(raw)
    await servers.start('raw')
    const before = older('2025-11-25', onCall)
    answer = (seen, response) => {
      const { verb, headers, message } = seen
      if (message.method === 'resources/read' && headers['mcp-session-id'] === 's') json(response, result(message, content(message)))
      else if (verb === 'POST' && headers['mcp-protocol-version'] === '2026-07-28')
        json(response, error(message, { code, message: 'no', data: { supported: ['2025-11-25'], ...more } }), {}, 400)
      else return before(seen, response)
      return true
    }
    expect(await servers.readResource('raw', 'raw://one', { signal })).toMatchObject({ contents: [{ text: 'resources/read' }] })
    expect(servers.view('raw')?.session).toMatchObject({ era: 'legacy', protocolVersion: '2025-11-25' })
  })

  it('is not what an error of a tool says that merely looks like it', async () => {
    const raw = await serve(
      modern(({ message }, response) =>
        json(response, error(message, { code: -32602, message: 'Unit?', data: { supported: ['m', 'km'] } })),
      ),
    )
    const servers = host(raw)
    await servers.start('raw')
    await expect(call(servers, 'echo')).rejects.toMatchObject({ name: 'ProtocolError', code: -32602 })
    expect(servers.state('raw').kind).toBe('ready')
  })
})
