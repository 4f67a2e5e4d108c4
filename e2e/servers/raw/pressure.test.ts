// Messages that are too large, and servers that do not read what they are sent.
import { describe, expect, it } from 'vitest'
import { approve, eventually, isProcessAlive, makeServers, node, raw } from '#main/servers/lifecycle/servers.testing.ts'
import { called } from '../http/raw-http.ts'
import { call, closeAfterEach, fails, signal, startedByProcess } from './raw-stdio.ts'
import { type Message, older } from './relayed.ts'

closeAfterEach()

const textOf = ({ result }: { readonly result: object }): string => (result as { content: { text: string }[] }).content[0]?.text ?? ''

describe('an answer', () => {
  it('of 12 MB arrives whole, and its size is on record', async () => {
    const servers = makeServers({ raw: raw('sizes') })
    await servers.start('raw')
    const outcome = await servers.call(approve(servers, 'raw', 'answer', { size: 12_000_000 }), { signal })
    expect([textOf(outcome).length, outcome.bytes > 12_000_000, servers.audit.entries.at(-1)?.detail?.['bytes']]).toEqual([
      12_000_000,
      true,
      outcome.bytes,
    ])
  })

  it('over the cap fails its call with a word on why, and the next is answered by the same process', async () => {
    const servers = makeServers({ raw: raw('sizes') })
    await servers.start('raw')
    const [pid] = servers.pids()
    const size = 17 * 1024 * 1024
    await expect(servers.call(approve(servers, 'raw', 'answer', { size }), { signal })).rejects.toEqual(
      fails('server.too-large', { limit: 16 * 1024 * 1024 }),
    )
    expect(textOf(await servers.call(approve(servers, 'raw', 'answer', { size: 3 }), { signal }))).toBe('xxx')
    expect([servers.pids(), servers.log('raw').lines.some(({ source }) => source === 'host')]).toEqual([[pid], true])
  })

  it('over the cap, which no call waits for, is a line in the log', async () => {
    const servers = makeServers({ raw: raw('sizes') })
    await servers.start('raw')
    expect(textOf(await servers.call(approve(servers, 'raw', 'note', { size: 17 * 1024 * 1024 }), { signal }))).toBe('noted')
    expect(servers.log('raw').lines.map(({ source }) => source)).toEqual(['host'])
  })
})

describe('a server that stops reading', () => {
  const long = 'x'.repeat(1_000_000)

  it('has what it was sent when it reads on, in order and whole', async () => {
    const { servers, made } = await startedByProcess(
      older('2025-06-18', (message, wire) => {
        if (message.method !== 'tools/call') return false
        const args = message.params?.['arguments'] as { readonly n: number; readonly long: string }
        wire.send(called(message, `${args.n} ${args.long.length}`))
        return true
      }),
    )
    made.wire.pause()
    const calls = Array.from({ length: 5 }, (_, n) => call(servers, 'echo', { n, long }))
    await eventually(() => expect(servers.audit.entries).toHaveLength(5))
    made.wire.resume()
    expect(await Promise.all(calls)).toEqual([0, 1, 2, 3, 4].map((n) => `${n} ${long.length}`))
  })

  it('has its calls end at their time, does not hold up another, and is stopped all the same', async () => {
    const servers = makeServers({ deaf: raw('sizes'), other: raw('tools') })
    await Promise.all([servers.start('deaf'), servers.start('other')])
    await servers.call(approve(servers, 'deaf', 'deafen'), { signal })
    const timeoutMs = 300
    const calls = [1, 2, 3].map((n) => servers.call(approve(servers, 'deaf', 'note', { n, long }), { signal, timeoutMs }))
    const ends = Promise.allSettled(calls)
    expect(textOf(await servers.call(approve(servers, 'other', 'echo', { a: 1 }), { signal }))).toBe('{"a":1}')
    for (const end of await ends) expect(end).toEqual({ status: 'rejected', reason: fails('tool.timeout') })
    const pids = servers.pids()
    await servers.stop('deaf')
    expect([servers.state('deaf').kind, pids.filter(isProcessAlive).length]).toEqual(['stopped', 1])
  })

  it('from its start on is given up like one that is silent', async () => {
    const made = makeServers({ deaf: node('e2e/servers/stdio/deaf.mjs') }, { clock: { now: Date.now, after: quick } })
    await expect(made.start('deaf')).rejects.toEqual(fails('server.start-timeout'))
    await made.stop('deaf')
  })
})

describe('a server that closes its stdout and lives on', () => {
  it('is gone: its calls have an unknown outcome, and its process is ended', async () => {
    const waiting: Message[] = []
    const { servers, made } = await startedByProcess(
      older('2025-06-18', (message, wire) => {
        if (message.method !== 'tools/call') return false
        waiting.push(message)
        if (waiting.length === 2) wire.closeStdout()
        return true
      }),
    )
    const [pid] = servers.pids()
    const ends = await Promise.allSettled([call(servers, 'echo'), call(servers, 'other')])
    const lost = { status: 'rejected', reason: fails('tool.outcome-unknown', { because: 'server.connection-lost' }) }
    expect(ends).toEqual([lost, lost])
    await eventually(() => expect(isProcessAlive(pid ?? 0)).toBe(false))
    await eventually(() => expect([made.wires.length, servers.state('raw').kind]).toEqual([2, 'ready']))
  })
})

function quick(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms / 100)
  return () => clearTimeout(timer)
}
