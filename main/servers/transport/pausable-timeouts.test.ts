import { expect, it, vi } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { createIdleTimeout } from './idle-timeout.ts'
import { createPausableTimeouts, createRunningTimeouts, limitTime } from './pausable-timeouts.ts'

function setUp() {
  const clock = manualClock()
  const waits = createPausableTimeouts()
  const control = new AbortController()
  const onLapse = vi.fn(() => new Error('late'))
  const limit = (ms = 100) => limitTime(ms, { clock, waits, signals: [control.signal], onLapse })
  return { clock, waits, control, limit }
}

it('time runs out, and says so', () => {
  const { clock, limit } = setUp()
  const limited = limit()
  clock.advance(99)
  expect([limited.signal.aborted, limited.lapsed]).toEqual([false, false])
  clock.advance(1)
  expect([limited.signal.reason, limited.lapsed]).toEqual([new Error('late'), true])
})

it('time stands still while somebody is asked, also for what begins meanwhile, until the last question is answered', () => {
  const { clock, waits, limit } = setUp()
  const before = limit()
  const first = waits.pause()
  const second = waits.pause()
  const during = limit()
  clock.advance(1_000_000)
  first()
  first()
  clock.advance(1_000_000)
  expect([before.signal.aborted, during.signal.aborted]).toEqual([false, false])
  second()
  clock.advance(100)
  expect([before.lapsed, during.lapsed]).toEqual([true, true])
})

it('what has stopped is not timed again by an answer, and leaves no timer', () => {
  const { clock, waits, limit } = setUp()
  const resume = waits.pause()
  const stopped = limit()
  const other = limit()
  stopped.stop()
  resume()
  other.stop()
  expect(clock.pending).toBe(0)
  clock.advance(1000)
  expect([stopped.signal.aborted, other.signal.aborted]).toEqual([false, false])
})

it('a signal from elsewhere ends it with its own reason, and is no lapse', () => {
  const { control, limit } = setUp()
  const limited = limit()
  control.abort('left')
  expect([limited.signal.reason, limited.lapsed]).toEqual(['left', false])
  limited.stop()
})

it('a question of the server stops the time of what runs, and of nothing that begins while it is open', () => {
  const clock = manualClock()
  const running = createRunningTimeouts()
  const lapsed: string[] = []
  const begin = (name: string): void => void running.add(createIdleTimeout(clock, 100, () => lapsed.push(name)))
  begin('before')
  const answered = running.pause()
  begin('meanwhile')
  clock.advance(1000)
  expect(lapsed).toEqual(['meanwhile'])
  answered()
  clock.advance(100)
  expect([lapsed, running.busy()]).toEqual([['meanwhile', 'before'], true])
})
