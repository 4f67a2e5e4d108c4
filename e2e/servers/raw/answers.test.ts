// Answers that are late, double, of the wrong kind or to nobody, and requests before their time (JSON-RPC 2.0; MCP,
// "Messages"): they change nothing for the calls that are in flight.
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'
import { called, error } from '../http/raw-http.ts'
import { call, closeAfterEach, fails, host, serve, started, tokenOf } from './raw-stdio.ts'
import { type Message, older, type Wire } from './relayed.ts'

closeAfterEach()

const version = '2025-06-18'
/** A server whose calls are answered by `onCall`. */
const calling = (onCall: (message: Message, wire: Wire) => void) =>
  older(version, (message, wire) => {
    if (message.method === 'tools/call') onCall(message, wire)
    return message.method === 'tools/call'
  })
const wrong = { content: [{ type: 'text', text: 'wrong' }] }

describe('an answer', () => {
  it.each<[string, (id: number) => unknown]>([
    ['the same number as a text', (id) => String(id)],
    ['a number that nobody used', (id) => id + 1000],
    ['a negative number', (id) => -id],
    ['a fraction', (id) => id + 0.5],
    ['a text', () => 'nobody'],
    ['an empty text', () => ''],
    ['the name of a prototype', () => '__proto__'],
    ['null', () => null],
    ['true', () => true],
    ['a list', (id) => [id]],
    ['an object', (id) => ({ id })],
  ])('whose id is %s answers nothing, be it a result or an error', async (_, idOf) => {
    const { servers } = await started(
      calling((message, wire) => {
        const id = idOf(Number(message.id))
        wire.send(
          { jsonrpc: '2.0', id, result: wrong },
          { jsonrpc: '2.0', id, error: { code: -32000, message: 'wrong' } },
          called(message, 'right'),
        )
      }),
    )
    expect(await call(servers, 'echo')).toBe('right')
  })

  it('without an id answers nothing', async () => {
    const { servers } = await started(calling((message, wire) => wire.send({ jsonrpc: '2.0', result: wrong }, called(message, 'right'))))
    expect(await call(servers, 'echo')).toBe('right')
  })

  it('that comes twice is heard once', async () => {
    const { servers, made } = await started(
      calling((message, wire) =>
        wire.send(called(message, `first ${message.id}`), called(message, 'second'), error(message, { code: 1, message: 'third' })),
      ),
    )
    for (const expected of await Promise.all([call(servers, 'echo'), call(servers, 'echo')])) expect(expected).toMatch(/^first/)
    expect([servers.state('raw').kind, made.wire.said().filter((said) => said === 'tools/call')]).toEqual([
      'ready',
      ['tools/call', 'tools/call'],
    ])
  })

  it('to the call before is no answer to this one', async () => {
    let before: Message = {}
    const { servers } = await started(
      calling((message, wire) => {
        if (message.params?.['name'] === 'echo') wire.send(called(message, 'first'))
        else wire.send(called(before, 'wrong'), called(message, 'second'))
        before = message
      }),
    )
    expect([await call(servers, 'echo'), await call(servers, 'other')]).toEqual(['first', 'second'])
  })

  it('that comes after the call was cancelled is not heard, and the server was told', async () => {
    const control = new AbortController()
    let cancelled: Message = {}
    const { servers, made } = await started(
      calling((message, wire) => {
        if (message.params?.['name'] === 'other')
          wire.send(called(cancelled, 'late'), called(cancelled, 'later'), called(message, 'in time'))
        else {
          cancelled = message
          control.abort()
        }
      }),
    )
    await expect(call(servers, 'echo', {}, { signal: control.signal })).rejects.toEqual(fails('cancelled'))
    expect(await call(servers, 'other')).toBe('in time')
    const told = made.wire.seen.filter(({ method }) => method === 'notifications/cancelled')
    expect(told).toMatchObject([{ params: { requestId: cancelled.id } }])
  })

  it('that is on its way while the call is cancelled loses the race, whatever it says', async () => {
    const control = new AbortController()
    const { servers } = await started(
      calling((message, wire) => {
        if (message.params?.['name'] === 'echo')
          wire.send(
            { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: tokenOf(message), progress: 1 } },
            called(message, 'done'),
          )
        else wire.send(called(message, 'next'))
      }),
    )
    const racing = call(servers, 'echo', {}, { signal: control.signal, onProgress: () => control.abort() })
    await expect(racing).rejects.toEqual(fails('cancelled'))
    expect(await call(servers, 'other')).toBe('next')
  })

  it.each<[string, JsonObject]>([
    ['both a result and an error', { result: wrong, error: { code: 1, message: 'wrong' } }],
    ['neither', {}],
    ['a result that is a text', { result: 'wrong' }],
    ['a result that is a list', { result: [wrong] }],
    ['an error that is a text', { error: 'wrong' }],
    ['an error whose code is a text', { error: { code: 'E1', message: 'wrong' } }],
  ])('with %s fails its call at once, and that call alone', async (_, body) => {
    const { servers } = await started(
      calling((message, wire) =>
        wire.send(message.params?.['name'] === 'echo' ? { jsonrpc: '2.0', id: message.id, ...body } : called(message, 'fine')),
      ),
    )
    const [broken, fine] = await Promise.allSettled([call(servers, 'echo'), call(servers, 'other')])
    expect([broken, fine]).toEqual([
      { status: 'rejected', reason: fails('server.protocol') },
      { status: 'fulfilled', value: 'fine' },
    ])
    expect(servers.state('raw').kind).toBe('ready')
  })

  it('to a notification is no protocol, and harms nobody', async () => {
    const { servers } = await started(
      older(version, (message, wire) => {
        if (message.method === 'notifications/initialized')
          wire.send(
            { jsonrpc: '2.0', id: null, result: {} },
            { jsonrpc: '2.0', id: null, error: { code: -32601, message: 'Method not found' } },
            { jsonrpc: '2.0', result: {} },
          )
        if (message.method === 'tools/call') wire.send(called(message, 'fine'))
        return message.method === 'tools/call'
      }),
    )
    expect(await call(servers, 'echo')).toBe('fine')
  })
})

describe('a request of the server', () => {
  const asks = [
    { jsonrpc: '2.0', id: 'early-ping', method: 'ping' },
    { jsonrpc: '2.0', id: 0, method: 'roots/list' },
    { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'early' } },
  ]

  it.each(['server/discover', 'initialize'])('before the answer to %s is answered, and the start goes on', async (early) => {
    const { servers, made } = await started(
      older(version, (message, wire) => {
        if (message.method === early) wire.send(...asks)
        return false
      }),
    )
    await eventually(() => expect(made.wire.said()).toEqual(expect.arrayContaining(['result early-ping', 'result 0'])))
    expect(made.wire.said().filter((said) => said.startsWith('result'))).toHaveLength(2)
    // It may log that early, too.
    expect(servers.log('raw').lines.map(({ source, text }) => [source, text])).toEqual([['message', 'early']])
  })

  it.each(['no/such', '__proto__', 'constructor', 'toString', ''])('for “%s” is refused as unknown', async (method) => {
    const { made } = await started(older(version, () => false))
    made.wire.send({ jsonrpc: '2.0', id: 'odd', method, params: {} })
    await eventually(() => expect(made.wire.seen.at(-1)).toMatchObject({ id: 'odd', error: { code: -32601 } }))
  })

  it('may use any id, and the same again once it was answered', async () => {
    const { made } = await started(older(version, () => false))
    for (const id of [0, 1, -1, Number.MAX_SAFE_INTEGER, '', '1', '__proto__', 1, '1']) {
      made.wire.send({ jsonrpc: '2.0', id, method: 'ping' })
      await eventually(() => expect(made.wire.seen.at(-1)).toEqual({ jsonrpc: '2.0', id, result: {} }))
    }
  })

  it.each([null, 1.5, true, [1], { a: 1 }])('whose id is %j is no request', async (id) => {
    const { made, servers } = await started(older(version, () => false))
    const before = made.wire.seen.length
    made.wire.send({ jsonrpc: '2.0', id, method: 'ping' }, { jsonrpc: '2.0', id: 'next', method: 'ping' })
    await eventually(() => expect(made.wire.said().slice(before)).toEqual(['result next']))
    expect(servers.state('raw').kind).toBe('ready')
  })

  it('with bad parameters is refused, and the person is not asked', async () => {
    const { made } = await started(older(version, () => false))
    made.wire.send(
      { jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: { messages: 'none' } },
      { jsonrpc: '2.0', id: 2, method: 'elicitation/create', params: {} },
    )
    await eventually(() => expect(made.wire.said()).toEqual(expect.arrayContaining(['error 1', 'error 2'])))
  })
})

it('a server that ends in the middle of the handshake has failed, and says its code', async () => {
  const made = serve(
    older(version, (message, wire) => {
      if (message.method === 'initialize') wire.exit(5)
      return message.method === 'initialize'
    }),
  )
  const servers = host(made)
  await expect(servers.start('raw')).rejects.toEqual(fails('server.exited', { code: 5 }))
  await servers.stop('raw')
})
