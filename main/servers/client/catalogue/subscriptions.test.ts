import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { type Filter, keepListening, nextRest } from './subscriptions.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function listening(first: Filter = { toolsListChanged: true }) {
  const clock = manualClock(0)
  const control = new AbortController()
  const asked: Filter[] = []
  const closed: number[] = []
  const ends: ((cause: 'local' | 'graceful' | 'remote') => void)[] = []
  let wanted = first
  let gaps = 0
  let failure: Error | undefined
  const client: Parameters<typeof keepListening>[0]['client'] = {
    listen(filter) {
      asked.push(filter)
      if (failure) return Promise.reject(failure)
      const end = Promise.withResolvers<'local' | 'graceful' | 'remote'>()
      const number = ends.push(end.resolve) - 1
      return Promise.resolve({
        honoredFilter: filter,
        closed: end.promise,
        close() {
          closed.push(number)
          end.resolve('local')
          return Promise.resolve()
        },
      })
    },
  }
  const onGap = (): void => {
    gaps += 1
  }
  const { renew } = keepListening({ client, clock, signal: control.signal, filter: () => wanted, onGap })
  return {
    clock,
    control,
    asked,
    closed,
    ends,
    renew,
    gaps: () => gaps,
    want(filter: Filter) {
      wanted = filter
    },
    fail(error: Error | undefined) {
      failure = error
    },
  }
}

describe('nextRest', () => {
  it('doubles up to a minute, and begins anew after a calm', () => {
    const rests: number[] = []
    for (let rest = nextRest(0, 0); rests.length < 8; rest = nextRest(rest, 0)) rests.push(rest)
    expect(rests).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    expect(nextRest(60_000, 30_000)).toBe(1000)
  })
})

describe('a stream', () => {
  it.each(['remote', 'graceful'] as const)('that ends (%s) is opened again after a rest, and what was missed is fetched', async (cause) => {
    const kit = listening()
    await settled()
    kit.ends[0]?.(cause)
    await settled()
    kit.clock.advance(999)
    await settled()
    expect([kit.asked.length, kit.gaps()]).toEqual([1, 0])
    kit.clock.advance(1)
    await settled()
    expect([kit.asked.length, kit.gaps()]).toEqual([2, 1])
  })

  it('that ends each time is opened again without end, ever slower', async () => {
    const kit = listening()
    await settled()
    const opened: number[] = []
    while (kit.clock.now() < 600_000) {
      kit.ends.at(-1)?.('remote')
      await settled()
      const before = kit.asked.length
      kit.clock.advance(1000)
      await settled()
      if (kit.asked.length > before) opened.push(kit.clock.now())
    }
    expect(opened.slice(0, 7)).toEqual([1000, 3000, 7000, 15_000, 31_000, 63_000, 123_000])
    expect(opened.length).toBeLessThan(16)
  })

  it('that cannot be opened is tried again', async () => {
    const kit = listening()
    kit.fail(new Error('busy'))
    await settled()
    kit.fail(undefined)
    kit.clock.advance(1000)
    await settled()
    expect(kit.asked).toHaveLength(2)
  })

  it('is not asked for again of a server that does not know the request', async () => {
    const kit = listening()
    kit.fail(new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found'))
    await settled()
    kit.clock.advance(600_000)
    await settled()
    expect(kit.asked).toHaveLength(1)
  })

  it('with another filter stands before the old one is left', async () => {
    const kit = listening()
    await settled()
    kit.want({ toolsListChanged: true, resourceSubscriptions: ['a:1'] })
    expect(await kit.renew()).toEqual({ toolsListChanged: true, resourceSubscriptions: ['a:1'] })
    await settled()
    expect([kit.asked.length, kit.closed, kit.gaps()]).toEqual([2, [0], 0])
    kit.clock.advance(600_000)
    await settled()
    expect(kit.asked).toHaveLength(2)
  })

  it('is closed when nothing is wanted any more', async () => {
    const kit = listening()
    await settled()
    kit.want({ resourceSubscriptions: [] })
    await kit.renew()
    expect([kit.asked.length, kit.closed]).toEqual([1, [0]])
  })

  it('is not opened again once the connection is over', async () => {
    const kit = listening()
    await settled()
    kit.ends[0]?.('remote')
    await settled()
    kit.control.abort()
    kit.clock.advance(600_000)
    await settled()
    expect([kit.asked.length, kit.clock.pending]).toEqual([1, 0])
  })
})
