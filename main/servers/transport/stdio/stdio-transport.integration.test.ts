import { Client, type JSONRPCMessage } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { systemClock } from '#main/base/clock.ts'
import { eventually } from '#main/base/eventually.testing.ts'
import { defaultLimits } from '#main/servers/process/stdio-limits.ts'
import { hostErrorInData } from './message-envelope.ts'
import { withRawRequests } from './raw-requests.ts'
import { type Launched, launchProgram } from './stdio.testing.ts'

const request = (id: number, params: object): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'x', params }) as JSONRPCMessage

/** Starts a program that writes the given chunks, and waits until so many messages or lines have come of it. */
async function written(chunks: readonly string[], expected: number): Promise<Launched> {
  const escaped = chunks.map((chunk) => JSON.stringify(Buffer.from(chunk).toString('latin1')).slice(1, -1))
  const server = launchProgram('writes.mjs', escaped)
  await server.transport.start()
  await eventually(() => expect(server.messages.length + server.output.length).toBe(expected))
  await server.stop()
  return server
}

async function answerTo(server: Launched, message: JSONRPCMessage): Promise<JSONRPCMessage> {
  await server.transport.start()
  await server.transport.send(message)
  await eventually(() => expect(server.messages.some((candidate) => 'id' in candidate)).toBe(true))
  return server.messages.find((candidate) => 'id' in candidate) as JSONRPCMessage
}

const note = (n: number): object => ({ jsonrpc: '2.0', method: 'n', params: { n, text: 'grüße 🙂' } })

describe('what a server writes to stdout', () => {
  it('is read across a byte order mark, CRLF, cut characters, blank lines and a missing last newline', async () => {
    const text = `\uFEFF${JSON.stringify(note(1))}\r\n\n${JSON.stringify(note(2))}\n${JSON.stringify(note(3))}`
    const bytes = Buffer.from(text).toString('latin1')
    const places = [0, 1, 2, bytes.indexOf('\u00c3') + 1, bytes.indexOf('\u00f0') + 2, bytes.indexOf('\r') + 1, bytes.length]
    const pieces = places.slice(1).map((place, index) => bytes.slice(places[index], place))
    const server = launchProgram(
      'writes.mjs',
      pieces.map((piece) => JSON.stringify(piece).slice(1, -1)),
    )
    await server.transport.start()
    await eventually(() => expect(server.messages).toHaveLength(2))
    await server.stop()
    await server.closed
    expect([server.messages, server.output, server.errors]).toEqual([[note(1), note(2), note(3)], [], []])
  })

  it('is output, not an error, where it is no protocol, and what is around it still counts', async () => {
    const log = '{"level":"info","msg":"listening"}'
    const server = await written([`Loading…\n[1/4] fetching\n${log}\n${JSON.stringify(note(1))}\n{"jsonrpc":"2.0",\n`], 5)
    await server.closed
    expect(server.output.map(({ source, line }) => [source, line])).toEqual(
      ['Loading…', '[1/4] fetching', log, '{"jsonrpc":"2.0",'].map((line) => ['stdout', line]),
    )
    expect([server.messages, server.errors]).toEqual([[note(1)], []])
  })

  it('is cut in the report when it is long', async () => {
    const server = await written(['y'.repeat(20_000), '\n'], 1)
    expect(server.output[0]?.line).toBe(`${'y'.repeat(8192)}…`)
  })

  it('may be an array of messages, which come one by one', async () => {
    const server = await written([`${JSON.stringify([note(1), 'nonsense', note(2), 3])}\n[]\n`], 4)
    expect(server.messages).toEqual([note(1), note(2)])
    expect(server.output).toHaveLength(2)
  })

  it('ends with half a line when the server dies in mid-sentence, which is reported', async () => {
    const server = await written([`${JSON.stringify(note(1))}\n{"jsonrpc":"2.0","resu`], 1)
    await server.closed
    expect(server.output.map(({ line }) => line)).toEqual(['{"jsonrpc":"2.0","resu'])
  })

  it('fails the request at once that it answers with nonsense', async () => {
    const server = await written(['{"jsonrpc":"2.0","id":4,"result":"text"}\n'], 1)
    const [message] = server.messages
    expect(message).toMatchObject({ id: 4, error: { code: -32603 } })
    expect(hostErrorInData(message && 'error' in message && message.error.data)?.code).toBe('server.protocol')
  })
})

describe('long lines', () => {
  it('arrive whole', async () => {
    const answer = await answerTo(launchProgram('large.mjs'), request(1, { size: 9_900_000 }))
    expect('result' in answer && String(answer.result['text']).length).toBe(9_900_000)
  })

  it('over the cap fail their own request, are not kept, and leave the connection as it was', async () => {
    const server = launchProgram('large.mjs', [], { limits: { maxLine: 1_000_000 } })
    const answer = await answerTo(server, request(1, { size: 1_100_000 }))
    expect(answer).toMatchObject({ id: 1, error: {} })
    expect(hostErrorInData('error' in answer && answer.error.data)).toMatchObject({ code: 'server.too-large', data: { limit: 1_000_000 } })
    expect(server.errors).toMatchObject([{ code: 'server.too-large' }])
    await server.transport.send(request(2, { size: 10 }))
    await eventually(() => expect(server.messages.at(-1)).toMatchObject({ id: 2, result: { text: 'xxxxxxxxxx' } }))
  })

  it('without an end are noticed as soon as they cross the cap', async () => {
    const server = launchProgram('large.mjs', [], { limits: { maxLine: 1_000_000 } })
    await server.transport.start()
    await server.transport.send(request(1, { size: 8_000_000, unending: true }))
    await eventually(() => expect(server.errors).toMatchObject([{ code: 'server.too-large' }]))
    expect(server.output).toEqual([])
  })
})

describe('a flood', () => {
  it('of notifications is handed over whole and in order, one a turn, with a bounded backlog and stdout paused', async () => {
    const server = launchProgram('flood.mjs')
    let turn = 0
    let turnOfLast = -1
    let sharedTurns = 0
    let largestBacklog = 0
    let pauses = 0
    let next = 1
    const count = (): void => {
      turn += 1
      if (!answered) setImmediate(count)
    }
    let answered = false
    server.transport.onmessage = (message) => {
      if (turn === turnOfLast) sharedTurns += 1
      turnOfLast = turn
      largestBacklog = Math.max(largestBacklog, server.transport.backlog)
      if (server.transport.backedUp) pauses += 1
      if ('params' in message && message.params?.['n'] === next) next += 1
      answered = 'id' in message
    }
    await server.transport.start()
    await server.transport.send(request(1, { count: 100_000 }))
    setImmediate(count)
    await eventually(() => expect(answered).toBe(true))
    expect(next).toBe(100_001)
    // The count of turns and the hand-over are two callbacks of the same phase, so a few may seem to share one.
    expect(sharedTurns).toBeLessThan(1000)
    expect(pauses).toBeGreaterThan(0)
    expect(largestBacklog).toBeLessThan(defaultLimits.maxBacklog + 256 * 1024)
  })

  it('of stderr is thinned: the first lines, the last, and how many were left out', async () => {
    const server = launchProgram('flood.mjs', [], { limits: { outputBurst: 10 } })
    await answerTo(server, request(1, { count: 100_000, stderr: true }))
    await server.stop()
    const lines = server.output.map(({ line }) => line)
    expect(lines.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, index) => `line ${index + 1}`))
    expect(lines.at(-1)).toBe('line 100000')
    expect(lines.length + server.output.reduce((sum, { droppedBefore = 0 }) => sum + droppedBefore, 0)).toBe(100_000)
    expect(lines.length).toBeLessThan(10_000)
  })
})

describe('sending', () => {
  it('waits for a server that does not read, and is told when that ends', async () => {
    const server = launchProgram('deaf.mjs')
    await server.transport.start()
    const settled: string[] = []
    const sends = [1, 2, 3].map((id) =>
      server.transport.send(request(id, { text: 'x'.repeat(1_000_000) })).then(
        () => settled.push('sent'),
        (error: { code: string }) => settled.push(error.code),
      ),
    )
    await new Promise((resolve) => setImmediate(resolve))
    expect(settled).toEqual([])
    await Promise.all([server.stop(), server.stop(), ...sends])
    expect(settled).toEqual(['server.connection-lost', 'server.connection-lost', 'server.connection-lost'])
  })
})

describe('the SDK over this transport', () => {
  it('hears progress that comes in the same chunk as the result, before the result', async () => {
    const server = launchProgram('progress.mjs')
    const client = new Client({ name: 'test', version: '1' })
    const discover = {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      resultType: 'complete' as const,
      ttlMs: 0,
      cacheScope: 'private' as const,
    }
    await client.connect(server.transport, { prior: { kind: 'modern', discover } })
    const heard: unknown[] = []
    for (let n = 0; n < 50; n++) {
      await client.callTool({ name: 'x', arguments: {} }, { onprogress: ({ progress }) => heard.push(progress) })
      heard.push('result')
    }
    expect(heard).toEqual(Array.from({ length: 50 }, () => [1, 2, 'result']).flat())
    await client.close()
  })
})

describe('raw requests', () => {
  it('are answered on the process that the client then takes over', async () => {
    const server = launchProgram('echo.mjs')
    const transport = withRawRequests(server.transport)
    const options = { timeoutMs: 5000, clock: systemClock }
    expect(await transport.request('server/discover', { a: 1 }, options)).toEqual({ kind: 'result', result: { a: 1 } })
    const messages: JSONRPCMessage[] = []
    transport.onmessage = (message) => void messages.push(message)
    await transport.start()
    await transport.send(request(1, { b: 2 }))
    await eventually(() => expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, result: { b: 2 } }]))
    await transport.close()
  })

  it('are told that the server has ended', async () => {
    const transport = withRawRequests(launchProgram('exits.mjs', ['1']).transport)
    expect(await transport.request('server/discover', {}, { timeoutMs: 20_000, clock: systemClock })).toEqual({ kind: 'closed' })
  })

  it('fail as the start does', async () => {
    const transport = withRawRequests(launchProgram('exits.mjs', ['1'], { command: '/nowhere/x' }).transport)
    const asked = transport.request('server/discover', {}, { timeoutMs: 20_000, clock: systemClock })
    await expect(asked).rejects.toMatchObject({ code: 'server.command-not-found' })
  })
})
