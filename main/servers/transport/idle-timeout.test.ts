import { expect, it, vi } from 'vitest'
import type { Clock } from '#main/base/clock.ts'
import { createIdleTimeout } from './idle-timeout.ts'

function fakeClock(): Clock & { pass(ms: number): void; readonly waiting: number } {
  let now = 0
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    pass(ms) {
      now += ms
      for (const timer of [...timers]) if (timer.at <= now && timers.delete(timer)) timer.run()
    },
    get waiting() {
      return timers.size
    },
  }
}

it('runs out after its time without a word', () => {
  const clock = fakeClock()
  const onLost = vi.fn()
  const patience = createIdleTimeout(clock, 100, onLost)
  clock.pass(99)
  patience.renew()
  clock.pass(99)
  expect(onLost).not.toHaveBeenCalled()
  clock.pass(1)
  expect(onLost).toHaveBeenCalledOnce()
})

it('stands still while anybody is asked, and begins anew after the last answer', () => {
  const clock = fakeClock()
  const onLost = vi.fn()
  const patience = createIdleTimeout(clock, 100, onLost)
  const first = patience.pause()
  const second = patience.pause()
  patience.renew()
  clock.pass(1000)
  first()
  first()
  clock.pass(1000)
  expect(onLost).not.toHaveBeenCalled()
  second()
  clock.pass(99)
  expect(onLost).not.toHaveBeenCalled()
  clock.pass(1)
  expect(onLost).toHaveBeenCalledOnce()
})

it('leaves no timer behind once stopped, also when an answer comes later', () => {
  const clock = fakeClock()
  const patience = createIdleTimeout(clock, 100, () => undefined)
  const resume = patience.pause()
  patience.stop()
  resume()
  patience.renew()
  expect(clock.waiting).toBe(0)
})

it('ends at its length in all, however much is said, and does not count the time that stood still', () => {
  const clock = fakeClock()
  const lost: string[] = []
  const patience = createIdleTimeout(clock, 100, (why) => lost.push(why), 250)
  const talk = (times: number): void => {
    for (let n = 0; n < times; n += 1) {
      clock.pass(50)
      patience.renew()
    }
  }
  talk(4)
  const resume = patience.pause()
  talk(10)
  resume()
  expect(lost).toEqual([])
  clock.pass(49)
  expect(lost).toEqual([])
  clock.pass(1)
  expect([lost, clock.waiting]).toEqual([['length'], 0])
})

it('says that there was no word when that comes first', () => {
  const clock = fakeClock()
  const lost: string[] = []
  createIdleTimeout(clock, 100, (why) => lost.push(why), 250)
  clock.pass(100)
  expect(lost).toEqual(['silence'])
})
