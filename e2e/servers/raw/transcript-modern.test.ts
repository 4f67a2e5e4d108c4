// What the host wrote in a whole conversation with a server of 2026-07-28 over stdio.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { approve, closeServers, eventually } from '#main/servers/lifecycle/servers.testing.ts'
import { type Line, methodOf, nameOf, recorded } from './recorded.ts'

const { signal } = new AbortController()
let host: Line[] = []
const paramsOf = ({ message }: Line): JsonObject => (message['params'] ?? {}) as JsonObject

beforeAll(async () => {
  const { servers, lines } = recorded('modern')
  await servers.start('a')
  const call = (tool: string, more = signal): Promise<unknown> => servers.call(approve(servers, 'a', tool), { signal: more })
  await call('echo')
  const control = new AbortController()
  const hanging = call('hang', control.signal)
  await eventually(() => expect(lines().some((line) => nameOf(line) === 'hang')).toBe(true))
  control.abort()
  await expect(hanging).rejects.toMatchObject({ code: 'cancelled' })
  // Asks the host as older servers do, and is not heard.
  const asking = call('asksOnce')
  asking.catch(() => undefined)
  await eventually(() => expect(lines().some(({ message }) => message['id'] === 'once')).toBe(true))
  await call('echo')
  await servers.stop('a')
  await expect(asking).rejects.toMatchObject({ code: 'tool.outcome-unknown' })
  host = lines().filter(({ by }) => by === 'host')
})
afterAll(async () => {
  expect(await closeServers()).toEqual([])
})

describe('what the host writes to a server of 2026-07-28', () => {
  it('is requests that each say revision, client and capabilities, and no answers', () => {
    expect(host.map(methodOf)).not.toContain(undefined)
    expect(host.map(methodOf)).not.toContain('initialize')
    const requests = host.filter(({ message }) => 'id' in message)
    expect(requests.length).toBeGreaterThan(5)
    for (const request of requests)
      expect(paramsOf(request)['_meta']).toMatchObject({
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'assent' },
        'io.modelcontextprotocol/clientCapabilities': expect.any(Object),
      })
  })

  it('calls off a request by a message that names it', () => {
    const cancelled = host.filter(({ message }) => !('id' in message))
    const hanging = host.find((line) => nameOf(line) === 'hang')
    expect(cancelled[0]).toMatchObject({ message: { method: 'notifications/cancelled', params: { requestId: hanging?.message['id'] } } })
    expect(new Set(cancelled.map(methodOf))).toEqual(new Set(['notifications/cancelled']))
  })
})
