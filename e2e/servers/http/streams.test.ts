// What a server may put into an answer: batches, cuts, pages; and how often it is then asked again.
import { describe, expect, it } from 'vitest'
import { type Clock, systemClock } from '#main/base/clock.ts'
import { approve, eventually, http, makeServers } from '#main/servers/lifecycle/servers.testing.ts'
import { none, older, type Reply } from './eras.ts'
import { type Answer, called, json, type Message, type Seen, stream } from './raw-http.ts'
import { call, closeAfterEach, host, serve, signal } from './support.ts'

closeAfterEach()

function progress(message: Message): object {
  const { progressToken } = (message.params?.['_meta'] ?? {}) as { readonly progressToken?: number }
  return { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } }
}

/** In which the second that the SDK waits before it asks for a stream again is over at once. */
const hasty: Clock = { ...systemClock, after: (ms, callback) => systemClock.after(ms === 1000 ? 0 : ms, callback) }

describe('an answer', () => {
  it.each<[string, Reply]>([
    ['the body', ({ message }, response) => json(response, [progress(message), called(message, 'batched')])],
    [
      'an event',
      ({ message }, response) =>
        void stream(response).end(`id: 1\ndata: ${JSON.stringify([progress(message), called(message, 'batched')])}\n\n`),
    ],
  ])('may be a batch, as %s (2025-03-26)', async (_where, onCall) => {
    const raw = await serve(older('2025-03-26', onCall))
    const servers = host(raw)
    await servers.start('raw')
    const told: unknown[] = []
    const { result } = await servers.call(approve(servers, 'raw', 'echo'), { signal, onProgress: (update) => told.push(update) })
    expect(result).toMatchObject({ content: [{ text: 'batched' }] })
    expect(told).toEqual([expect.objectContaining({ progress: 1 })])
  })

  it('whose stream ends without it fails the call at once', async () => {
    const raw = await serve(older('2025-06-18', (_seen, response) => void stream(response).end(': nothing\n\n')))
    const servers = host(raw)
    await servers.start('raw')
    await expect(call(servers, 'echo')).rejects.toMatchObject({ code: 'tool.outcome-unknown' })
    expect(servers.state('raw').kind).toBe('ready')
  })

  it('that is resumed twice is asked for from where it was, and not sooner than after half a second', async () => {
    let asked: Message | undefined
    let gets = 0
    const raw = await serve(
      older(
        '2025-06-18',
        ({ message }, response) => {
          asked = message
          stream(response).end('id: a\nretry: 0\ndata: \n\n')
        },
        ({ headers }, response) => {
          if (headers['last-event-id'] === undefined) return none({} as Seen, response)
          gets += 1
          if (gets === 1) stream(response).end()
          else stream(response).end(`id: b\ndata: ${JSON.stringify(called(asked as Message, 'late'))}\n\n`)
        },
      ),
    )
    const servers = host(raw)
    await servers.start('raw')
    expect(await call(servers, 'echo')).toBe('late')
    const [posted, ...resumed] = raw.seen.filter(({ headers, message }) => message.method === 'tools/call' || headers['last-event-id'])
    expect(resumed.map(({ headers }) => headers['last-event-id'])).toEqual(['a', 'a'])
    const [first, second] = resumed
    expect((first?.at ?? 0) - (posted?.at ?? 0)).toBeGreaterThanOrEqual(490)
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(490)
  })

  it('to a GET that is a page is not asked for again', async () => {
    const raw = await serve(
      older(
        '2025-06-18',
        ({ message }, response) => json(response, called(message, 'ok')),
        (_seen, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hello</h1>'),
      ),
    )
    const servers = makeServers({ raw: http(raw.url) }, { clock: hasty })
    await servers.start('raw')
    await eventually(() => expect(raw.verbs()).toContain('GET /mcp'))
    for (let calls = 0; calls < 20; calls += 1) expect(await call(servers, 'echo')).toBe('ok')
    expect(raw.verbs().filter((verb) => verb === 'GET /mcp')).toHaveLength(1)
  })
})

describe('a flood of notifications', () => {
  const message = (n: number): string =>
    `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: `line ${n}` } })}\n\n`
  const flood = Array.from({ length: 500 }, (_, n) => message(n)).join('')

  /** Writes for ever, as fast as it is read, until the connection ends. */
  function pour(response: Parameters<Answer>[1]): void {
    const more = (): void => {
      if (response.destroyed) return
      if (response.write(flood)) setImmediate(more)
      else response.once('drain', more)
    }
    more()
  }

  it('in one server’s stream leaves another server, and its own calls, their turn', async () => {
    const noisy = await serve(
      older(
        '2025-06-18',
        ({ message: asked }, response) => json(response, called(asked, 'noisy')),
        (_seen, response) => pour(stream(response)),
      ),
    )
    const calm = await serve(older('2025-06-18', ({ message: asked }, response) => json(response, called(asked, 'calm'))))
    const servers = makeServers({ raw: http(noisy.url), calm: http(calm.url) })
    await Promise.all([servers.start('raw'), servers.start('calm')])
    await eventually(() => expect(servers.log('raw').dropped).toBeGreaterThan(0))
    for (let times = 0; times < 20; times += 1) {
      const { result } = await servers.call(approve(servers, 'calm', 'echo'), { signal })
      expect(result).toMatchObject({ content: [{ text: 'calm' }] })
    }
    expect(await call(servers, 'echo')).toBe('noisy')
  })

  it('in the answer to a call may be cancelled', async () => {
    const raw = await serve(older('2025-06-18', (_seen, response) => pour(stream(response))))
    const servers = host(raw)
    await servers.start('raw')
    const control = new AbortController()
    const running = servers.call(approve(servers, 'raw', 'echo'), { signal: control.signal })
    await eventually(() => expect(servers.log('raw').dropped).toBeGreaterThan(0))
    control.abort()
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    await eventually(() => expect(raw.verbs()).toContain('POST notifications/cancelled'))
  })
})
