// Streams that are cut, at every place where they can be, and go on with Last-Event-ID (Streamable HTTP, "Resumability").
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type Clock, systemClock } from '#main/base/clock.ts'
import { approve, eventually, http, makeServers, type TestServers } from '#main/servers/lifecycle/servers.testing.ts'
import { modern, none, older, type Reply } from './eras.ts'
import { called, json, type Message, type RawHttp, stream } from './raw-http.ts'
import { closeAfterEach, serve, signal } from './support.ts'

closeAfterEach()

/** In which no one waits before a stream is asked for again; what was waited for is kept. */
function hastyClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = []
  const after: Clock['after'] = (ms, callback) => {
    if (ms < 60_000) waits.push(ms)
    return systemClock.after(ms >= 500 && ms <= 30_000 ? 0 : ms, callback)
  }
  return { now: systemClock.now, after, waits }
}

/** What a call is answered with: three events before the answer, each with its id. */
function eventsOf(message: Message): string[] {
  const { progressToken } = (message.params?.['_meta'] ?? {}) as { readonly progressToken?: number }
  const step = (progress: number): string =>
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, message: 'café' } })
  const data = ['', step(1), step(2), JSON.stringify(called(message, 'whole'))]
  return data.map((text, index) => `id: e${index}\nevent: message\ndata: ${text}\n\n`)
}

interface Outcome {
  readonly raw: RawHttp
  readonly servers: TestServers
  readonly told: number[]
  readonly answer: Promise<unknown>
  readonly clock: ReturnType<typeof hastyClock>
}

async function callWith(onCall: Reply, onGet: Reply): Promise<Outcome> {
  const raw = await serve(older('2025-06-18', onCall, (seen, response) => (seen.headers['last-event-id'] ? onGet : none)(seen, response)))
  const clock = hastyClock()
  const servers = makeServers({ raw: http(raw.url) }, { clock })
  await servers.start('raw')
  const told: number[] = []
  const answer = servers
    .call(approve(servers, 'raw', 'echo'), { signal, onProgress: ({ progress }) => told.push(progress) })
    .then(({ result }) => (result as { readonly content: readonly { readonly text: string }[] }).content[0]?.text)
  answer.catch(() => undefined)
  return { raw, servers, told, answer, clock }
}

const resumed = (raw: RawHttp): unknown[] => raw.seen.flatMap(({ headers }) => headers['last-event-id'] ?? [])
const calls = (raw: RawHttp): number => raw.verbs().filter((verb) => verb === 'POST tools/call').length
const finish: Record<'ends' | 'breaks', (response: ServerResponse) => void> = {
  ends: (response) => void response.end(),
  breaks: (response) => setImmediate(() => response.destroy()),
}

const whole = eventsOf({ id: 3, params: { _meta: { progressToken: 3 } } })
const cuts = (['ends', 'breaks'] as const).flatMap((how) =>
  whole.flatMap((event, index) => [
    // In the middle of the event, between its last two line ends, and after it.
    { how, index, at: Math.floor(event.length / 2) },
    { how, index, at: event.length - 1 },
    { how, index, at: event.length },
  ]),
)

describe('a stream that is cut', () => {
  it.each(cuts)(
    'and $how in event $index at $at goes on from the last whole event, and nothing is lost, doubled or run again',
    async ({ how, index, at }) => {
      let events: string[] = []
      const { raw, told, answer } = await callWith(
        ({ message }, response) => {
          events = eventsOf(message)
          const bytes = Buffer.from(events[index] as string)
          const end = at >= bytes.length - 2 ? bytes.length - ((events[index] as string).length - at) : at
          stream(response).write(Buffer.concat([Buffer.from(events.slice(0, index).join('')), bytes.subarray(0, end)]), () =>
            finish[how](response),
          )
        },
        ({ headers }, response) => void stream(response).end(events.slice(Number(String(headers['last-event-id']).slice(1)) + 1).join('')),
      )
      const last = at === whole[index]?.length ? index : index - 1
      if (last < 0) await expect(answer).rejects.toMatchObject({ code: 'tool.outcome-unknown' })
      else {
        expect(await answer).toBe('whole')
        expect(told).toEqual([1, 2])
      }
      expect([resumed(raw), calls(raw)]).toEqual([last < 0 || last === 3 ? [] : [`e${last}`], 1])
    },
  )

  it('and cut again after each event goes on all the same, with what is sent once more left out', async () => {
    let events: string[] = []
    const { raw, told, answer } = await callWith(
      ({ message }, response) => {
        events = eventsOf(message)
        stream(response).end(events[0])
      },
      // Everything from the beginning, and one more than the last time.
      ({ headers }, response) => void stream(response).end(events.slice(0, Number(String(headers['last-event-id']).slice(1)) + 2).join('')),
    )
    expect(await answer).toBe('whole')
    expect([told, resumed(raw), calls(raw)]).toEqual([[1, 2], ['e0', 'e1', 'e2'], 1])
  })

  it.each([
    [0, 500],
    [700, 700],
    [3_600_000, 60_000],
  ])('and wants to be left alone for %d ms is asked for again after %d', async (retry, waited) => {
    let asked: Message | undefined
    const atOnce = new Set<number>()
    const after: Clock['after'] = (ms, callback) => {
      waits.push(ms)
      return systemClock.after(atOnce.has(ms) ? 0 : ms, callback)
    }
    const waits: number[] = []
    const raw = await serve(
      older(
        '2025-06-18',
        ({ message }, response) => {
          asked = message
          stream(response).end(`id: a\nretry: ${retry}\ndata: \n\n`)
        },
        (seen, response) => {
          if (seen.headers['last-event-id'] === undefined) return none(seen, response)
          stream(response).end(`id: b\ndata: ${JSON.stringify(called(asked as Message, 'late'))}\n\n`)
        },
      ),
    )
    const servers = makeServers({ raw: http(raw.url) }, { clock: { now: systemClock.now, after } })
    await servers.start('raw')
    waits.length = 0
    atOnce.add(waited)
    const { result } = await servers.call(approve(servers, 'raw', 'echo'), { signal, timeoutMs: 100_000 })
    expect(result).toMatchObject({ content: [{ text: 'late' }] })
    expect(waits).toContain(waited)
  })

  it.each<[string, Reply]>([
    ['is not there any more', (_seen, response) => void response.writeHead(410).end()],
    ['may not be asked for', none],
    ['breaks at once', (_seen, response) => void response.destroy()],
    ['ends at once', (_seen, response) => void stream(response).end()],
  ])('and then %s is asked for a few times, ever more seldom; then the call ends with an unknown outcome', async (_what, onGet) => {
    const { raw, servers, answer, clock } = await callWith(
      (_seen, response) => void stream(response).end('id: a\nretry: 1000\ndata: \n\n'),
      onGet,
    )
    await expect(answer).rejects.toMatchObject({ code: 'tool.outcome-unknown' })
    expect([calls(raw), servers.state('raw').kind]).toEqual([1, 'ready'])
    const times = resumed(raw).length
    expect(times).toBeGreaterThan(0)
    expect(times).toBeLessThanOrEqual(8)
    if (times === 8) expect(clock.waits).toEqual(expect.arrayContaining([1000, 2000, 4000, 8000, 16_000]))
  })

  it('of 2026-07-28 is not asked for again, for there is nothing to ask: the call ends at once', async () => {
    const raw = await serve(modern((_seen, response) => void stream(response).end('id: a\nretry: 500\ndata: \n\n')))
    const servers = makeServers({ raw: http(raw.url) })
    await servers.start('raw')
    await expect(servers.call(approve(servers, 'raw', 'echo'), { signal })).rejects.toMatchObject({ code: 'tool.outcome-unknown' })
    expect([calls(raw), raw.seen.filter(({ verb }) => verb !== 'POST')]).toEqual([1, []])
  })
})

describe('the stream of what is not asked for', () => {
  const answered: Reply = ({ message }, response) => json(response, called(message, 'ok'))

  it('is asked for again from where it ended', async () => {
    const changed = 'id: g1\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n'
    const raw = await serve(
      older('2025-06-18', answered, ({ headers }, response) => {
        if (headers['last-event-id'] === undefined) stream(response).end(changed)
        else stream(response).write(': still here\n\n')
      }),
    )
    const servers = makeServers({ raw: http(raw.url) }, { clock: hastyClock() })
    await servers.start('raw')
    await eventually(() => expect(resumed(raw)).toEqual(['g1']))
    await eventually(() => expect(raw.verbs().filter((verb) => verb === 'POST tools/list')).toHaveLength(2))
    const gets = raw.seen.filter(({ verb }) => verb === 'GET')
    expect(gets.map(({ headers }) => [headers['mcp-session-id'], headers['mcp-protocol-version']])).toEqual([
      ['s', '2025-06-18'],
      ['s', '2025-06-18'],
    ])
  })

  it('that ends at once each time is given up after a few', async () => {
    const raw = await serve(older('2025-06-18', answered, (_seen, response) => void stream(response).end()))
    const clock = hastyClock()
    const servers = makeServers({ raw: http(raw.url) }, { clock })
    await servers.start('raw')
    await eventually(() => expect(raw.verbs().filter((verb) => verb === 'GET /mcp')).toHaveLength(8))
    await eventually(() => expect(clock.waits.filter((ms) => ms === 30_000)).toHaveLength(1))
    await servers.call(approve(servers, 'raw', 'echo'), { signal })
    expect(raw.verbs().filter((verb) => verb === 'GET /mcp')).toHaveLength(8)
    expect(servers.state('raw').kind).toBe('ready')
  })
})
