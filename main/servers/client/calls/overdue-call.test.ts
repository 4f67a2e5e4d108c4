import { expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import type { CallTimeout } from '../requests/running-calls.ts'
import { createCallTimeout } from './overdue-call.ts'

function make({ asks = true, most = 100_000 } = {}) {
  const clock = manualClock(0)
  const told: (CallTimeout | undefined)[] = []
  const lost: unknown[] = []
  const patience = createCallTimeout({
    clock,
    ms: 100,
    most,
    onLost: (...how) => lost.push([...how, clock.now()]),
    ...(asks ? { onOverdue: (overdue) => told.push(overdue) } : {}),
  })
  const times = () => told.map((overdue) => overdue && [overdue.since, overdue.endsAt])
  return { clock, told, lost, patience, times }
}

it('ends at its timeout where nobody can be asked', () => {
  const { clock, lost } = make({ asks: false })
  clock.advance(1000)
  expect(lost).toEqual([['silence', 100, 100]])
})

it('is overdue at its timeout, and ends as long after it when nobody says anything', () => {
  const { clock, lost, times } = make()
  clock.advance(199)
  expect([times(), lost]).toEqual([[[0, 200]], []])
  clock.advance(1)
  expect(lost).toEqual([['silence', 200, 200]])
})

it('has another period each time that somebody waits', () => {
  const { clock, lost, told, times } = make()
  clock.advance(150)
  told[0]?.wait()
  told[0]?.wait()
  clock.advance(99)
  expect(times()).toEqual([[0, 200], undefined])
  clock.advance(1)
  told[2]?.wait()
  told[0]?.wait()
  clock.advance(299)
  expect([times(), lost]).toEqual([[[0, 200], undefined, [0, 350], undefined, [0, 450]], [['silence', 450, 450]]])
})

it('is overdue no longer when word comes, and the old offer to wait is void', () => {
  const { clock, lost, told, patience, times } = make()
  clock.advance(150)
  patience.renew()
  clock.advance(90)
  told[0]?.wait()
  clock.advance(10)
  expect([times(), lost]).toEqual([[[0, 200], undefined, [150, 350]], []])
})

it('is overdue no longer while a person is asked, and begins anew after it', () => {
  const { clock, lost, patience, times } = make()
  clock.advance(150)
  const resume = patience.pause()
  clock.advance(5000)
  resume()
  clock.advance(199)
  expect([times(), lost]).toEqual([[[0, 200], undefined, [5150, 5350]], []])
})

it('ends at the most that it may take in all, however often somebody waits', () => {
  const { clock, lost, told } = make({ most: 350 })
  for (let i = 0; i < 10; i += 1) {
    clock.advance(100)
    told.at(-1)?.wait()
  }
  expect(lost).toEqual([['length', 350, 350]])
})

it('says nothing once it is stopped', () => {
  const { clock, lost, told, patience } = make()
  clock.advance(150)
  patience.stop()
  told[0]?.wait()
  clock.advance(1000)
  expect([told.length, lost, clock.pending]).toEqual([1, [], 0])
})
