import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import type { Clock } from '#main/base/clock.ts'
import { withRawRequests } from './raw-requests.ts'

/** A transport without a server: what is sent is kept, what is received is up to the test. */
function makeTransport() {
  const sent: JSONRPCMessage[] = []
  let starts = 0
  const inner: Transport = {
    async start() {
      starts += 1
    },
    send: async (message) => void sent.push(message),
    close: async () => inner.onclose?.(),
  }
  const transport = withRawRequests(inner)
  const received: unknown[] = []
  const takeOver = async (): Promise<void> => {
    transport.onmessage = (message) => void received.push(message)
    transport.onclose = () => void received.push('closed')
    await transport.start()
  }
  return { inner, transport, sent, received, takeOver, starts: () => starts }
}

/** A clock whose time is up when the test says so. */
function makeClock() {
  const timers = new Set<() => void>()
  const clock: Clock = {
    now: () => 0,
    after(_, callback) {
      timers.add(callback)
      return () => timers.delete(callback)
    },
  }
  return { clock, timers, ring: () => [...timers].forEach((callback) => void callback()) }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const note = (n: number): JSONRPCMessage => ({ jsonrpc: '2.0', method: 'n', params: { n } })
const idOf = (message: JSONRPCMessage | undefined): string => String(message && 'id' in message ? message.id : undefined)

describe('a raw request', () => {
  it('has an id that the client would never use, and is answered by the result or the error to it', async () => {
    const { inner, transport, sent } = makeTransport()
    const { clock, timers } = makeClock()
    const options = { timeoutMs: 1000, clock }
    const answers = [transport.request('a', { x: 1 }, options), transport.request('b', {}, options)]
    await turn()
    expect(sent).toMatchObject([{ method: 'a', params: { x: 1 } }, { method: 'b' }])
    expect(new Set(sent.map((message) => 'id' in message && typeof message.id))).toEqual(new Set(['string']))
    inner.onmessage?.({ jsonrpc: '2.0', id: idOf(sent[1]), error: { code: -32601, message: 'no' } })
    inner.onmessage?.({ jsonrpc: '2.0', id: idOf(sent[0]), result: { y: 2 } })
    expect(await Promise.all(answers)).toEqual([
      { kind: 'result', result: { y: 2 } },
      { kind: 'error', error: { code: -32601, message: 'no' } },
    ])
    expect(timers.size).toBe(0)
  })

  it('times out, and its late answer does not reach the client', async () => {
    const { inner, transport, sent, received, takeOver } = makeTransport()
    const { clock, ring } = makeClock()
    const answer = transport.request('a', {}, { timeoutMs: 1000, clock })
    await turn()
    ring()
    expect(await answer).toEqual({ kind: 'timeout' })
    await takeOver()
    await turn()
    inner.onmessage?.({ jsonrpc: '2.0', id: idOf(sent[0]), result: {} })
    inner.onmessage?.(note(1))
    expect(received).toEqual([note(1)])
  })

  it('is given up with the reason of its signal', async () => {
    const { transport } = makeTransport()
    const { clock, timers } = makeClock()
    const controller = new AbortController()
    const answer = transport.request('a', {}, { timeoutMs: 1000, clock, signal: controller.signal })
    const settled = answer.catch((error: unknown) => error)
    await turn()
    controller.abort('enough')
    expect(await settled).toBe('enough')
    expect(timers.size).toBe(0)
  })

  it('is told when the connection closes, and so is every later one', async () => {
    const { inner, transport } = makeTransport()
    const { clock } = makeClock()
    const answer = transport.request('a', {}, { timeoutMs: 1000, clock })
    await turn()
    inner.onclose?.()
    expect(await answer).toEqual({ kind: 'closed' })
    expect(await transport.request('b', {}, { timeoutMs: 1000, clock })).toEqual({ kind: 'closed' })
    await expect(transport.start()).rejects.toMatchObject({ code: 'server.connection-lost' })
  })
})

describe('what arrives before the client', () => {
  it('is handed over to it in order, one a turn, ahead of what comes later', async () => {
    const { inner, transport, received, takeOver, starts } = makeTransport()
    const { clock, ring } = makeClock()
    const answer = transport.request('a', {}, { timeoutMs: 1000, clock })
    await turn()
    inner.onmessage?.(note(1))
    inner.onmessage?.(note(2))
    ring()
    await answer
    await takeOver()
    expect(received).toEqual([])
    inner.onmessage?.(note(3))
    await turn()
    expect(received).toEqual([note(1)])
    inner.onmessage?.(note(4))
    for (let n = 0; n < 4; n++) await turn()
    inner.onmessage?.(note(5))
    expect([received, starts()]).toEqual([[note(1), note(2), note(3), note(4), note(5)], 1])
  })

  it('is not lost when the server ends meanwhile', async () => {
    const { inner, received, takeOver } = makeTransport()
    inner.onmessage?.(note(1))
    await takeOver()
    inner.onclose?.()
    await turn()
    expect(received).toEqual([note(1), 'closed'])
  })

  it('is bounded', async () => {
    const { inner, transport, received, takeOver } = makeTransport()
    const errors: Error[] = []
    transport.onerror = (error) => void errors.push(error)
    for (let n = 0; n < 1002; n++) inner.onmessage?.(note(n))
    await takeOver()
    for (let n = 0; n < 1002; n++) await turn()
    expect(received).toHaveLength(1000)
    expect(errors).toMatchObject([{ code: 'server.protocol' }])
  })
})
