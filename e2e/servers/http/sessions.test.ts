// Streamable HTTP with sessions (2025-03-26 and after): lost ones, and ones that are left.
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type Answer, called, handshake, json, result } from './raw-http.ts'
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
})
