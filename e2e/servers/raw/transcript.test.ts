// What both sides wrote, line by line, in a whole conversation with a server of 2024-11-05: the rules of the base protocol
// hold for every line of ours.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { systemClock } from '#main/base/clock.ts'
import { approve, closeServers, eventually, makeServers, raw } from '#main/servers/lifecycle/servers.testing.ts'
import { type Line, methodOf, nameOf, recorded } from './recorded.ts'

const { signal } = new AbortController()
const lineBreaks = 'one\ntwo\r\nthree\u2028four\u0085five'
let lines: Line[] = []
let host: Line[] = []

async function converse(): Promise<Line[]> {
  const { servers, lines: written } = recorded()
  await servers.start('a')
  const call = (tool: string, args: JsonObject = {}, more: object = {}) =>
    servers.call(approve(servers, 'a', tool, args), { signal, onProgress: () => {}, ...more })
  await servers.readResource('a', 'raw://0', { signal })
  await servers.getPrompt('a', 'p0', { text: lineBreaks }, { signal })
  await Promise.all([call('echo', { text: lineBreaks }), call('echo'), call('asks')])
  const control = new AbortController()
  const hanging = call('hang', {}, { signal: control.signal })
  await eventually(() => expect(written().some((line) => nameOf(line) === 'hang')).toBe(true))
  control.abort()
  await expect(hanging).rejects.toMatchObject({ code: 'cancelled' })
  // What came too late is not taken for the answer to anything else.
  const { result } = await call('echo', { still: 'here' })
  expect(result).toEqual({ content: [{ type: 'text', text: '{"still":"here"}' }] })
  await servers.stop('a')
  return written()
}

const isRequest = ({ message }: Line): boolean => 'method' in message && 'id' in message
const position = (by: Line['by'], test: (message: JsonObject) => boolean): number =>
  lines.findIndex((line) => line.by === by && test(line.message))

beforeAll(async () => {
  lines = await converse()
  host = lines.filter(({ by }) => by === 'host')
})
afterAll(async () => {
  expect(await closeServers()).toEqual([])
})

describe('what the host writes', () => {
  it('is one JSON-RPC message a line, whatever line breaks are in it', () => {
    expect(host.length).toBeGreaterThan(15)
    for (const { text, message } of host) {
      expect(message['jsonrpc']).toBe('2.0')
      expect(text.startsWith('{')).toBe(true)
    }
    const got = host.flatMap(({ message }) => (message['params'] as JsonObject | undefined)?.['arguments'] ?? [])
    expect(got.filter((args) => (args as JsonObject)['text'] === lineBreaks)).toHaveLength(2)
  })

  it('begins with initialize in the newest revision, and asks for nothing before that is answered and acknowledged', () => {
    expect(host[0]?.message).toMatchObject({
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: { roots: {}, sampling: {} }, clientInfo: { name: 'assent' } },
    })
    expect(host[1]?.message).toEqual({ jsonrpc: '2.0', method: 'notifications/initialized' })
    const answered = position('server', (message) => message['id'] === host[0]?.message['id'])
    expect(lines.indexOf(host[1] as Line)).toBeGreaterThan(answered)
  })

  it('has requests with a text or a whole number for an id, never null and never used before; notifications have none', () => {
    const ids = host.filter(isRequest).map(({ message }) => message['id'])
    for (const id of ids) expect(typeof id === 'string' || Number.isInteger(id)).toBe(true)
    expect(new Set(ids).size).toBe(ids.length)
    const notifications = host.filter((line) => String(methodOf(line)).startsWith('notifications/'))
    expect(notifications.length).toBeGreaterThan(1)
    for (const { message } of notifications) expect(message).not.toHaveProperty('id')
  })

  it('answers each question under its own id, with a result or an error of a whole number and a text, never both', () => {
    const asked = lines.filter((line) => line.by === 'server' && isRequest(line))
    const answers = host.filter(({ message }) => !('method' in message))
    expect(new Set(answers.map(({ message }) => message['id']))).toEqual(new Set(asked.map(({ message }) => message['id'])))
    expect(answers).toHaveLength(asked.length)
    for (const { message } of answers) expect('result' in message).not.toBe('error' in message)
    const byMethod = Object.fromEntries(
      asked.map((line) => [methodOf(line), answers.find(({ message }) => message['id'] === line.message['id'])?.message]),
    )
    expect(byMethod).toMatchObject({
      ping: { result: {} },
      'roots/list': { result: { roots: [{ uri: 'file:///work', name: 'work' }] } },
      'sampling/createMessage': { error: { code: -1, message: expect.any(String) } },
      'nothing/such': { error: { code: -32601, message: expect.any(String) } },
    })
    expect(byMethod['ping']?.['result']).toEqual({})
  })

  it('has for each call in flight a progress token of its own, a text or a whole number, and no progress of ours', () => {
    const tokens = host.flatMap((line) => {
      const { _meta: meta } = (line.message['params'] ?? {}) as { readonly _meta?: JsonObject }
      return methodOf(line) === 'tools/call' ? [meta?.['progressToken']] : []
    })
    expect(tokens).toHaveLength(5)
    for (const token of tokens) expect(typeof token === 'string' || Number.isInteger(token)).toBe(true)
    expect(new Set(tokens).size).toBe(tokens.length)
    expect(host.map(methodOf)).not.toContain('notifications/progress')
  })

  it('calls off only what it asked for and what was not answered yet', () => {
    const cancelled = host.filter((line) => methodOf(line) === 'notifications/cancelled')
    const hanging = host.find((line) => nameOf(line) === 'hang')
    expect(cancelled.map(({ message }) => (message['params'] as JsonObject)['requestId'])).toEqual([hanging?.message['id']])
  })
})

it('a server that declares nothing is asked for nothing', async () => {
  const { servers, lines: written } = recorded('bare')
  await servers.start('a')
  await servers.stop('a')
  expect(
    written()
      .filter(({ by }) => by === 'host')
      .map(methodOf),
  ).toEqual(['initialize', 'notifications/initialized'])
})

it('an initialize that is given up is not called off: the server is ended', async () => {
  const { servers, lines: written } = recorded('mute')
  const starting = servers.start('a')
  starting.catch(() => undefined)
  await eventually(() => expect(written()).toHaveLength(1))
  await servers.stop('a')
  await expect(starting).rejects.toMatchObject({ code: 'server.stopped' })
  expect(written().map(methodOf)).toEqual(['initialize'])
})

it('a server that answers nothing at all is given up after its time', async () => {
  const clock = { ...systemClock, after: (ms: number, callback: () => void) => systemClock.after(ms / 100, callback) }
  const servers = makeServers({ a: raw('silent') }, { clock })
  await expect(servers.start('a')).rejects.toMatchObject({ code: 'server.start-timeout' })
  expect(servers.kinds('a')).toEqual(expect.arrayContaining(['starting', 'failed']))
  expect(servers.kinds('a')).not.toContain('ready')
})
