import { ProtocolError } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import type { HostError } from '#app/errors.ts'
import type { Era } from '#app/server/server-state.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { createRunningTimeouts } from '#main/servers/transport/pausable-timeouts.ts'
import { keepPinging } from './heartbeat.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
type Answer = 'answers' | 'refuses' | 'is silent' | 'fails'

function beating(era: Era = 'legacy') {
  const clock = manualClock(0)
  const control = new AbortController()
  const notes: string[] = []
  const lost: HostError[] = []
  const kit = { answer: 'answers' as Answer, busy: false, everyMs: 1000, pings: 0 }
  keepPinging({
    connection: {
      server: 'a',
      session: { era, protocolVersion: '', foundBy: 'initialize' },
      running: { ...createRunningTimeouts(), busy: () => kit.busy },
      lose(error) {
        lost.push(error)
        control.abort(error)
      },
      request(method, _params, { signal }) {
        expect(method).toBe('ping')
        kit.pings += 1
        if (kit.answer === 'answers') return Promise.resolve({})
        if (kit.answer === 'refuses') return Promise.reject(new ProtocolError(-32601, 'Method not found'))
        if (kit.answer === 'fails') return Promise.reject(new Error('the pipe is broken'))
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
      },
    },
    clock,
    signal: control.signal,
    everyMs: () => kit.everyMs,
    note: (text) => notes.push(text),
  })
  /** In steps, for each may set the next timer. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500)
      await turn()
    }
  }
  return { kit, clock, control, notes, lost, pass }
}

describe('pings', () => {
  it('go to an idle server now and then, and to none at work', async () => {
    const { kit, pass, lost, notes } = beating()
    await pass(3000)
    expect(kit.pings).toBe(3)
    kit.busy = true
    await pass(10_000)
    expect(kit.pings).toBe(3)
    kit.busy = false
    await pass(2000)
    expect([kit.pings, lost, notes]).toEqual([5, [], []])
  })

  it.each<Answer>(['answers', 'refuses', 'fails'])('to a server that %s cost it nothing', async (answer) => {
    const { kit, pass, lost, notes } = beating()
    kit.answer = answer
    await pass(5000)
    expect([kit.pings, lost, notes]).toEqual([5, [], []])
  })

  it('that a server answered before and does not any more mean that it is lost, and the log says so', async () => {
    const { kit, pass, lost, notes, control, clock } = beating()
    await pass(1000)
    kit.answer = 'is silent'
    await pass(30_500)
    expect([kit.pings, lost]).toEqual([2, []])
    await pass(1000)
    expect(lost).toMatchObject([{ code: 'server.connection-lost', data: { server: 'a' } }])
    expect([notes.length, control.signal.aborted, clock.pending]).toEqual([1, true, 0])
  })

  it('that a server never answered are given up, and it is kept', async () => {
    const { kit, pass, lost, notes } = beating()
    kit.answer = 'is silent'
    await pass(100_000)
    expect([kit.pings, lost, notes.length]).toEqual([1, [], 1])
  })

  it('that are not answered while a call has begun mean nothing', async () => {
    const { kit, pass, lost } = beating()
    await pass(1000)
    kit.answer = 'is silent'
    await pass(1000)
    kit.busy = true
    await pass(40_000)
    expect(lost).toEqual([])
    kit.answer = 'answers'
    kit.busy = false
    await pass(1000)
    expect(kit.pings).toBe(3)
  })

  it('are as frequent as the person wants, or not at all', async () => {
    const { kit, pass } = beating()
    kit.everyMs = 0
    await pass(300_000)
    expect(kit.pings).toBe(0)
    kit.everyMs = 5000
    await pass(70_000)
    expect(kit.pings).toBeGreaterThan(1)
  })

  it('are none in 2026-07-28', async () => {
    const { kit, pass, clock } = beating('modern')
    await pass(10_000)
    expect([kit.pings, clock.pending]).toEqual([0, 0])
  })

  it('end with the connection, and leave no timer behind', async () => {
    const { kit, pass, control, clock } = beating()
    await pass(1000)
    control.abort()
    await pass(5000)
    expect([kit.pings, clock.pending]).toEqual([1, 0])
  })
})
