// Streamable HTTP with sessions (2025-03-26 and after): lost ones, and ones that are left.
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'
import { type Answer, called, handshake, json, result, stream } from './raw-http.ts'
import { call, closeAfterEach, host, serve, signal } from './support.ts'

closeAfterEach()

const end = (response: ServerResponse, status: number): true => {
  response.writeHead(status).end()
  return true
}

/** Forgets its first session as soon as `forgets` is what it is asked. */
function forgetful(forgets: string): Answer {
  let sessions = 0
  let forgotten = false
  return ({ verb, headers, message }, response) => {
    if (verb === 'DELETE') return end(response, 200)
    if (verb !== 'POST') return false
    const { method } = message
    if (method === 'server/discover') return end(response, 400)
    if (method === 'initialize') sessions += 1
    else if (headers['mcp-session-id'] !== `s${sessions}`) return end(response, 404)
    else if (method === forgets && !forgotten) {
      forgotten = true
      return end(response, 404)
    }
    if (message.id === undefined) return end(response, 202)
    if (method === 'resources/read') json(response, result(message, { contents: [{ uri: 'raw://one', text: `of s${sessions}` }] }))
    else json(response, handshake(message, '2025-06-18') ?? called(message, `s${sessions}`), { 'mcp-session-id': `s${sessions}` })
    return true
  }
}

describe('a session', () => {
  it('that is forgotten is begun anew once, and what does no harm is asked again', async () => {
    const raw = await serve(forgetful('resources/read'))
    const servers = host(raw)
    await servers.start('raw')
    expect(await servers.readResource('raw', 'raw://one', { signal })).toMatchObject({ contents: [{ text: 'of s2' }] })
    const sent = raw.seen.flatMap(({ message, headers }) => (message.method === 'resources/read' ? [headers['mcp-session-id']] : []))
    expect(sent).toEqual(['s1', 's2'])
    expect(raw.verbs().filter((verb) => verb === 'POST initialize')).toHaveLength(2)
  })

  it('that is forgotten does not run a call twice', async () => {
    const raw = await serve(forgetful('tools/call'))
    const servers = host(raw)
    await servers.start('raw')
    await expect(call(servers, 'echo')).rejects.toMatchObject({ code: 'server.connection-lost', data: { status: 404 } })
    expect(raw.verbs().filter((verb) => verb === 'POST tools/call')).toHaveLength(1)
    expect(await call(servers, 'echo')).toBe('s2')
  })

  it('is ended with DELETE when it is left, and not when it was forgotten', async () => {
    const raw = await serve(forgetful('resources/read'))
    const servers = host(raw)
    await servers.start('raw')
    await servers.readResource('raw', 'raw://one', { signal })
    await servers.stop('raw')
    const left = raw.seen.flatMap(({ verb, headers }) => (verb === 'DELETE' ? [headers['mcp-session-id']] : []))
    expect(left).toEqual(['s2'])
  })

  it('that is forgotten again and again is not taken for a crash, as long as a new one works', async () => {
    let sessions = 0
    const raw = await serve(({ verb, headers, message }, response) => {
      if (verb !== 'POST') return false
      if (message.method === 'server/discover') return end(response, 400)
      if (message.method === 'initialize') sessions += 1
      if (
        message.method === 'tools/call' ||
        (sessions > 0 && message.method !== 'initialize' && headers['mcp-session-id'] !== `s${sessions}`)
      )
        return end(response, 404)
      if (message.id === undefined) return end(response, 202)
      json(response, handshake(message, '2025-06-18'), { 'mcp-session-id': `s${sessions}` })
      return true
    })
    const servers = host(raw)
    await servers.start('raw')
    for (let times = 1; times <= 6; times += 1) {
      await expect(call(servers, 'echo')).rejects.toMatchObject({ code: 'server.connection-lost', data: { status: 404 } })
      expect(servers.state('raw')).toMatchObject({ kind: 'failed', retryAt: expect.any(Number) })
    }
    expect(sessions).toBe(6)
  })

  it('that its stream finds gone is begun anew', async () => {
    let sessions = 0
    let open: ServerResponse | undefined
    const raw = await serve(({ verb, headers, message }, response) => {
      if (verb === 'GET' && headers['mcp-session-id'] === `s${sessions}`) {
        open = response
        stream(response).write('retry: 500\n\n')
      } else if (verb === 'GET') return end(response, 404)
      else if (verb !== 'POST') return false
      else if (message.method === 'server/discover') return end(response, 400)
      else if (message.id === undefined) return end(response, 202)
      else {
        if (message.method === 'initialize') sessions += 1
        json(response, handshake(message, '2025-06-18'), { 'mcp-session-id': `s${sessions}` })
      }
      return true
    })
    const servers = host(raw)
    await servers.start('raw')
    await eventually(() => expect(open).toBeDefined())
    sessions += 1
    open?.end()
    await eventually(() => expect(servers.kinds('raw').filter((kind) => kind === 'ready')).toHaveLength(2))
    expect(sessions).toBe(3)
  })

  it.each(['two words', 'caf\u00e9', 'x'.repeat(5000)])('with a name that the protocol does not allow is not used: %j', async (name) => {
    const raw = await serve(({ verb, message }, response) => {
      if (verb !== 'POST') return false
      if (message.method === 'server/discover') return end(response, 400)
      json(response, handshake(message, '2025-06-18'), { 'mcp-session-id': name })
      return true
    })
    await expect(host(raw).start('raw')).rejects.toMatchObject({ code: 'server.protocol', data: { reason: 'session-id' } })
    expect(raw.seen.filter(({ headers }) => headers['mcp-session-id'] !== undefined)).toEqual([])
  })

  it('without a name works without', async () => {
    const raw = await serve(({ verb, message }, response) => {
      if (verb !== 'POST') return false
      if (message.method === 'server/discover') return end(response, 400)
      if (message.id === undefined) return end(response, 202)
      json(
        response,
        handshake(message, '2025-03-26') ?? called(message, 'ok'),
        message.method === 'tools/list' ? { 'mcp-session-id': 'late' } : {},
      )
      return true
    })
    const servers = host(raw)
    await servers.start('raw')
    expect(await call(servers, 'echo')).toBe('ok')
    await servers.stop('raw')
    expect(raw.seen.filter(({ verb, headers }) => verb === 'DELETE' || headers['mcp-session-id'] !== undefined)).toEqual([])
  })
})
