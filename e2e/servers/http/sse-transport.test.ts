// HTTP+SSE of 2024-11-05: one stream, which names where to post to, and carries every answer.
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { eventually, http, makeServers } from '#main/servers/lifecycle/servers.testing.ts'
import { type Answer, called, handshake, type Message, result } from './raw-http.ts'
import { call, closeAfterEach, host, serve, signal } from './support.ts'

closeAfterEach()

function others(message: Message): object | undefined {
  if (message.method === 'resources/read') return result(message, { contents: [{ uri: 'raw://one', text: 'older' }] })
  return message.method === 'tools/call' ? called(message, 'older') : undefined
}

/** `refusal`: the status with which it answers what is posted to its stream's URL. */
function older(refusal: number, onStream: (stream: ServerResponse) => void = () => {}): Answer {
  let stream: ServerResponse | undefined
  return ({ verb, path, message }, response) => {
    if (verb === 'GET' && path === '/mcp') {
      stream = response
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\ndata: /messages?session=1\n\n')
      onStream(response)
    } else if (verb === 'POST' && path === '/messages?session=1') {
      response.writeHead(202).end()
      const answer = handshake(message, '2024-11-05') ?? others(message)
      if (answer) stream?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`)
    } else response.writeHead(refusal).end()
    return true
  }
}

describe('a server of 2024-11-05 over HTTP', () => {
  it.each([400, 404, 405])('that answers %d to what is posted is spoken to through its stream', async (refusal) => {
    const raw = await serve(older(refusal))
    const servers = host(raw)
    await servers.start('raw')
    expect(servers.view('raw')?.session).toMatchObject({ era: 'legacy', protocolVersion: '2024-11-05', transport: 'sse' })
    expect(await call(servers, 'echo')).toBe('older')
    expect(raw.verbs().slice(0, 5)).toEqual([
      'POST server/discover',
      'POST initialize',
      'GET /mcp',
      'POST initialize',
      'POST notifications/initialized',
    ])
  })

  it('that is configured as such is not asked for anything newer', async () => {
    const raw = await serve(older(500))
    const servers = makeServers({ raw: { ...http(raw.url), transport: 'sse' } })
    await servers.start('raw')
    expect(servers.view('raw')?.session?.transport).toBe('sse')
    expect(raw.verbs().slice(0, 2)).toEqual(['GET /mcp', 'POST initialize'])
  })

  it('whose stream ends is lost, and begun anew with a handshake of its own', async () => {
    const streams: ServerResponse[] = []
    const raw = await serve(older(405, (stream) => streams.push(stream)))
    const servers = host(raw)
    await servers.start('raw')
    streams[0]?.end()
    await eventually(() => expect(servers.kinds('raw')).toEqual(expect.arrayContaining(['failed'])))
    expect(await call(servers, 'echo')).toBe('older')
    const gets = raw.verbs().filter((verb) => verb === 'GET /mcp').length
    expect(gets).toBe(2)
    expect(raw.verbs().filter((verb) => verb === 'POST notifications/initialized')).toHaveLength(gets)
  })

  it('that does not know the session it is posted to is begun anew, and what does no harm is asked again', async () => {
    let gone = false
    const inner = older(405)
    const raw = await serve((seen, response) => {
      if (seen.message.method === 'resources/read' && !gone) {
        gone = true
        response.writeHead(404).end()
        return true
      }
      return inner(seen, response)
    })
    const servers = host(raw)
    await servers.start('raw')
    expect(await servers.readResource('raw', 'raw://one', { signal })).toMatchObject({ contents: [{ text: 'older' }] })
    expect(raw.verbs().filter((verb) => verb === 'POST notifications/initialized')).toHaveLength(2)
    expect(await call(servers, 'echo')).toBe('older')
  })

  it('that never says where to post to is given up, and says what it answered first', async () => {
    const raw = await serve(({ verb }, response) => {
      if (verb !== 'GET') return false
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': nothing\n\n')
      return true
    })
    const after = (_ms: number, callback: () => void) => {
      const timer = setTimeout(callback, 200)
      return () => clearTimeout(timer)
    }
    const servers = makeServers({ raw: http(raw.url) }, { clock: { now: () => Date.now(), after } })
    await expect(servers.start('raw')).rejects.toMatchObject({ code: 'server.http-status', data: { status: 405 } })
    await servers.stop('raw')
    expect(signal.aborted).toBe(false)
  })
})
