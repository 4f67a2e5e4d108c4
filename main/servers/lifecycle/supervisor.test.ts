import { expect, test } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import type { NetworkMonitor } from './network-monitor.ts'
import { retryLater } from './supervisor.ts'

function plan(state: Parameters<typeof retryLater>[0], clock = manualClock(0)) {
  const seen: string[] = []
  let changed: (() => void) | undefined
  const care = {
    inTurn(work: () => void) {
      seen.push('in turn')
      work()
      return () => undefined
    },
    whenNetworkChanges(work: () => void) {
      changed = work
      return () => {
        changed = undefined
      }
    },
  } as Partial<NetworkMonitor> as NetworkMonitor
  const undo = retryLater(state, { clock, care, again: () => void seen.push('again') })
  return { seen, clock, undo, network: () => changed?.() }
}

test('starts again at its time, and not before', () => {
  const { seen, clock } = plan({ retryAt: 1000 })
  clock.advance(999)
  expect(seen).toEqual([])
  clock.advance(1)
  expect(seen).toEqual(['again'])
})

test('waits its turn where the timer slept with the computer', () => {
  const clock = manualClock(0)
  const late = { ...clock, after: (ms: number, work: () => void) => clock.after(ms + 60_000, work) }
  const { seen } = plan({ retryAt: 1000 }, late as typeof clock)
  clock.advance(61_000)
  expect(seen).toEqual(['in turn', 'again'])
})

test('starts again once the network is another one, where it was offline', () => {
  const { seen, network } = plan({ retryAt: undefined, offline: true })
  network()
  expect(seen).toEqual(['in turn', 'again'])
})

test('does nothing after its undo', () => {
  const { seen, clock, undo, network } = plan({ retryAt: 1000, offline: true })
  undo()
  clock.advance(2000)
  network()
  expect([seen, clock.pending]).toEqual([[], 0])
})
