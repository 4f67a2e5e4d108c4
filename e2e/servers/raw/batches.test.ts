// JSON-RPC batches over stdio: a server of 2025-03-26 may send arrays, which a client MUST take ("Batching"); it need not
// send any, and the answers to what was asked in one go back a line each. Later revisions took batches out again, but a
// server that still sends them is understood.
import { describe, expect, it } from 'vitest'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'
import { called, error } from '../http/raw-http.ts'
import { call, closeAfterEach, started, tokenOf } from './raw-stdio.ts'
import { type Message, older, type Wire } from './relayed.ts'

closeAfterEach()

const batch = (wire: Wire, ...messages: readonly unknown[]): void => wire.write(`${JSON.stringify(messages)}\n`)

describe.each(['2025-03-26', '2025-11-25'])('a batch of a server of %s', (version) => {
  const calling = (onCall: (message: Message, wire: Wire) => void) =>
    older(version, (message, wire) => {
      if (message.method === 'tools/call') onCall(message, wire)
      return message.method === 'tools/call'
    })

  it('may hold a call’s progress and its answer', async () => {
    const { servers } = await started(
      calling((message, wire) => {
        const steps = [1, 2, 3].map((progress) => ({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: tokenOf(message), progress },
        }))
        batch(wire, ...steps, called(message, 'done'))
      }),
    )
    const words: number[] = []
    expect(await call(servers, 'echo', {}, { onProgress: ({ progress }) => words.push(progress) })).toBe('done')
    expect(words).toEqual([1, 2, 3])
  })

  it('may hold the answers to several calls, in any order, good and bad', async () => {
    const waiting: Message[] = []
    const { servers } = await started(
      calling((message, wire) => {
        waiting.push(message)
        if (waiting.length < 3) return
        const [a, b, c] = waiting as [Message, Message, Message]
        batch(wire, called(c, 'c'), error(a, { code: -32000, message: 'no' }), called(b, 'b'))
      }),
    )
    const calls = await Promise.allSettled([call(servers, 'echo'), call(servers, 'other'), call(servers, 'echo')])
    expect(calls).toMatchObject([{ reason: { code: -32000 } }, { value: 'b' }, { value: 'c' }])
  })

  it('may hold requests of the server, each of which is answered', async () => {
    const { servers, made } = await started(
      calling((message, wire) =>
        batch(
          wire,
          { jsonrpc: '2.0', id: 'p1', method: 'ping' },
          called(message, 'done'),
          { jsonrpc: '2.0', id: 'p2', method: 'ping' },
          { jsonrpc: '2.0', id: 'p3', method: 'no/such' },
        ),
      ),
    )
    expect(await call(servers, 'echo')).toBe('done')
    await eventually(() => expect(made.wire.said().slice(-3)).toEqual(['result p1', 'result p2', 'error p3']))
  })

  it('may hold nonsense beside what counts, and be empty', async () => {
    const { servers } = await started(
      calling((message, wire) => {
        batch(wire)
        batch(wire, null, 1, 'text', [], [called(message, 'wrong')], { id: message.id }, called(message, 'done'), called(message, 'again'))
      }),
    )
    expect(await call(servers, 'echo')).toBe('done')
    expect(servers.state('raw').kind).toBe('ready')
  })

  it('may be the answer to the greeting', async () => {
    const { servers } = await started(
      older(version, (message, wire) => {
        if (message.method !== 'initialize') return false
        const serverInfo = { name: 'raw', version: '1' }
        batch(
          wire,
          { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hello' } },
          { jsonrpc: '2.0', id: message.id, result: { protocolVersion: version, capabilities: { tools: {} }, serverInfo } },
        )
        return true
      }),
    )
    expect(servers.view('raw')?.session?.protocolVersion).toBe(version)
  })
})
