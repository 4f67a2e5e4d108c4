import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeServer } from '#renderer/testing/builders.ts'
import { createUpdateBatcher } from './stores.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start() {
  const shown: string[][] = []
  const pace = createUpdateBatcher(
    (servers) => void shown.push(servers.map(({ name, state }) => `${name} ${state.kind}`)),
    () => Date.now(),
  )
  const take = (name: string, kind: 'waiting' | 'disabled' = 'waiting', isNews = false): void => {
    const state = kind === 'waiting' ? { kind, requestId: 'r1' } : { kind }
    pace.take(makeServer({ name, state }), isNews)
  }
  return { pace, shown, take, names: () => shown.map((servers) => servers.length) }
}

it('the steps of one server, and of two, are shown as they come', () => {
  const { take, names } = start()
  for (let step = 0; step < 10; step += 1) take(step % 2 ? 'a' : 'b')
  expect(names()).toEqual(Array(10).fill(1))
})

it('what comes thick is shown together, each server once and as it is now', () => {
  const { take, shown } = start()
  for (let n = 0; n < 10; n += 1) take(`s${n}`)
  shown.length = 0
  take('x')
  take('y')
  take('x', 'disabled')
  expect(shown).toEqual([])
  vi.advanceTimersByTime(125)
  expect(shown).toEqual([['x disabled', 'y waiting']])
})

it('a thousand steps in ten seconds are some eighty pictures, and the last of them is shown', () => {
  const { take, shown } = start()
  for (let n = 0; n < 1000; n += 1) {
    take(`s${n % 50}`, n === 999 ? 'disabled' : 'waiting')
    vi.advanceTimersByTime(10)
  }
  vi.advanceTimersByTime(125)
  expect(shown.length).toBeLessThan(100)
  expect(shown.flat().at(-1)).toBe('s49 disabled')
})

it('what is new, and whatever else comes, brings what is held back with it', () => {
  const { take, shown, pace } = start()
  for (let n = 0; n < 10; n += 1) take(`s${n}`)
  shown.length = 0
  take('held')
  take('new', 'waiting', true)
  take('held again')
  pace.flush()
  expect(shown).toEqual([['held waiting', 'new waiting'], ['held again waiting']])
  vi.advanceTimersByTime(1000)
  expect(shown.length).toBe(2)
})

it('after some quiet, steps are shown as they come again; what was dropped is not shown', () => {
  const { take, shown, pace } = start()
  for (let n = 0; n < 12; n += 1) take(`s${n}`)
  pace.drop()
  vi.advanceTimersByTime(2000)
  shown.length = 0
  for (let n = 0; n < 10; n += 1) take('a')
  expect(shown.length).toBe(10)
})
