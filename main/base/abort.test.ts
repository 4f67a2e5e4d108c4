import { expect, it } from 'vitest'
import { doneWithin, orAborted, wait } from './abort.ts'
import { manualClock } from './manual-clock.testing.ts'

const never = new Promise<never>(() => undefined)

it('work that goes on is left when the signal aborts, with the reason that was asked for', async () => {
  const control = new AbortController()
  const plain = orAborted(never, control.signal)
  const named = orAborted(never, control.signal, () => control.signal.reason)
  control.abort('enough')
  await expect(plain).rejects.toMatchObject({ code: 'cancelled' })
  await expect(named).rejects.toBe('enough')
})

it('a wait ends at its time, or with the reason of its signal, and leaves no timer', async () => {
  const clock = manualClock()
  const control = new AbortController()
  const first = wait(clock, 10)
  clock.advance(10)
  await first
  const second = wait(clock, 10, control.signal)
  control.abort('enough')
  await expect(second).rejects.toBe('enough')
  expect(clock.pending).toBe(0)
})

it('says whether work is done in time, and fails as it does', async () => {
  const clock = manualClock()
  expect(await doneWithin(Promise.resolve(), clock, 10)).toBe(true)
  const late = doneWithin(never, clock, 10)
  clock.advance(10)
  expect(await late).toBe(false)
  await expect(doneWithin(Promise.reject(new Error('broken')), clock, 10)).rejects.toThrow('broken')
  expect(clock.pending).toBe(0)
})
