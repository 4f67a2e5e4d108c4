import { ProtocolError } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { Era } from '#app/server/server-state.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import type { LivenessDoubt } from './network-monitor.ts'
import { checkLiveness } from './server.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function waking(answer: 'answers' | 'is silent' | Error, era: Era = 'legacy') {
  const clock = manualClock(0)
  const control = new AbortController()
  const ended = Promise.withResolvers<never>()
  const lost: HostError[] = []
  const asked: string[] = []
  const doubters = new Set<(doubt: LivenessDoubt) => void>()
  checkLiveness({
    connection: {
      server: 'a',
      session: { era, protocolVersion: '', foundBy: 'initialize' },
      ended: ended.promise,
      lose: (error) => void lost.push(error),
      request(method, _params, { signal }) {
        asked.push(method)
        if (answer === 'answers') return Promise.resolve({})
        if (answer !== 'is silent') return Promise.reject(answer)
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
      },
    },
    clock,
    signal: control.signal,
    care: {
      onDoubt(callback) {
        doubters.add(callback)
        return () => void doubters.delete(callback)
      },
      inTurn: (callback) => clock.after(300, callback),
    },
    note: () => {},
  })
  const wake = async (doubt: LivenessDoubt = 'woke'): Promise<void> => {
    for (const callback of doubters) callback(doubt)
    clock.advance(300)
    await turn()
    clock.advance(10_000)
    await turn()
  }
  return { wake, clock, control, lost, asked, doubters }
}

const lostHow = async (answer: Parameters<typeof waking>[0]): Promise<string[]> => {
  const { wake, lost } = waking(answer)
  await wake()
  return lost.map(({ code }) => code)
}

describe('after this computer woke or went to another network', () => {
  it.each<[Era, string]>([
    ['legacy', 'ping'],
    ['modern', 'server/discover'],
  ])('a server of the %s era is asked by %s, each time once', async (era, method) => {
    const { wake, asked, lost, clock } = waking('answers', era)
    await wake()
    await wake('network')
    expect([asked, lost, clock.pending]).toEqual([[method, method], [], 0])
  })

  it('one that is silent or not there is lost', async () => {
    expect(await lostHow('is silent')).toEqual(['server.connection-lost'])
    expect(await lostHow(new HostError('server.unreachable', 'gone'))).toEqual(['server.unreachable'])
  })

  it('one that answers in whatever way is kept', async () => {
    expect(await lostHow(new ProtocolError(-32601, 'Method not found'))).toEqual([])
    expect(await lostHow(new HostError('server.sign-in-needed', 'who'))).toEqual([])
    expect(await lostHow(new HostError('server.http-status', '500', { data: { status: 500 } }))).toEqual([])
  })

  it('a server that is being asked is not asked a second time', async () => {
    const { asked, doubters, clock } = waking('is silent')
    for (const doubt of ['network', 'woke', 'network'] as const) {
      for (const callback of doubters) callback(doubt)
      clock.advance(300)
      await turn()
    }
    expect(asked).toEqual(['ping'])
  })

  it('nobody is asked whose connection is over', async () => {
    const { wake, asked, control, doubters } = waking('answers')
    for (const callback of doubters) callback('network')
    control.abort()
    await wake()
    expect([asked, doubters.size]).toEqual([[], 0])
  })
})
