import { expect, it, vi } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { createIdleStop } from './idle-stop.ts'

const minute = 60_000

function make(minutes: number | undefined = 10) {
  const clock = manualClock()
  const facts: { ready: boolean; needed: boolean; minutes: number | undefined } = { ready: true, needed: false, minutes }
  const stop = vi.fn(() => {
    facts.ready = false
    idle.changed()
  })
  const idle = createIdleStop({
    clock,
    isReady: () => facts.ready,
    idleMinutes: () => facts.minutes,
    isNeeded: () => facts.needed,
    stop,
  })
  idle.changed()
  return { clock, facts, stop, idle }
}

it('stops a server that nobody uses, once', () => {
  const { clock, stop } = make()
  clock.advance(10 * minute - 1)
  expect(stop).not.toHaveBeenCalled()
  clock.advance(100 * minute)
  expect([stop.mock.calls.length, clock.pending]).toEqual([1, 0])
})

it('never stops one whose definition does not say so, until it does', () => {
  const { clock, stop, facts, idle } = make()
  facts.minutes = undefined
  idle.changed()
  expect(clock.pending).toBe(0)
  clock.advance(1000 * minute)
  expect(stop).not.toHaveBeenCalled()
  facts.minutes = 5
  idle.changed()
  expect(stop).toHaveBeenCalledOnce()
})

it('counts from the end of the last use, however long that took', () => {
  const { clock, stop, idle } = make()
  const one = idle.use()
  const other = idle.use()
  clock.advance(35 * minute)
  one()
  one()
  clock.advance(35 * minute)
  expect(stop).not.toHaveBeenCalled()
  other()
  clock.advance(10 * minute - 1)
  expect(stop).not.toHaveBeenCalled()
  clock.advance(10 * minute)
  expect(stop).toHaveBeenCalledOnce()
})

it('leaves one alone that is subscribed to, or asks something', () => {
  const { clock, stop, facts } = make()
  facts.needed = true
  clock.advance(100 * minute)
  facts.needed = false
  clock.advance(5 * minute)
  expect(stop).not.toHaveBeenCalled()
  clock.advance(10 * minute)
  expect(stop).toHaveBeenCalledOnce()
})

it('gives one that was started anew all its time', () => {
  const { clock, stop, facts, idle } = make()
  clock.advance(9 * minute)
  facts.ready = false
  idle.changed()
  expect(clock.pending).toBe(0)
  facts.ready = true
  idle.changed()
  clock.advance(9 * minute)
  expect(stop).not.toHaveBeenCalled()
})
