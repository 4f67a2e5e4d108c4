import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { createStartQueue, type StartSlot } from './start-queue.ts'

const holdMs = 500

function makeTurns(count: number) {
  const clock = manualClock()
  const turns = createStartQueue({ clock, places: 2, holdMs })
  const control = new AbortController()
  const came: number[] = []
  const asked = Array.from({ length: count }, (_, n): StartSlot => {
    const turn = turns.ask(n === count - 1 ? control.signal : new AbortController().signal)
    void turn.came.then(() => came.push(n))
    return turn
  })
  const settle = async (): Promise<number[]> => {
    for (let n = 0; n < count + 1; n += 1) await nextTurn()
    return came
  }
  return { clock, asked, settle, abort: () => control.abort() }
}

it('two start at a time, and the next when one of them is over', async () => {
  const { asked, settle } = makeTurns(5)
  expect(await settle()).toEqual([0, 1])
  asked[1]?.over()
  asked[1]?.over()
  expect(await settle()).toEqual([0, 1, 2])
})

it('one that takes long makes way', async () => {
  const { clock, settle } = makeTurns(5)
  await settle()
  clock.advance(holdMs)
  expect(await settle()).toEqual([0, 1, 2, 3])
})

it('one that somebody waits for takes nobody’s turn', async () => {
  const { asked, settle } = makeTurns(5)
  await settle()
  asked[4]?.hurry()
  expect(await settle()).toEqual([0, 1, 4])
  asked[4]?.over()
  expect(await settle()).toEqual([0, 1, 4])
  asked[0]?.over()
  expect(await settle()).toEqual([0, 1, 4, 2])
})

it('one that is called off is let go at once, and leaves its place to others', async () => {
  const { asked, settle, abort, clock } = makeTurns(3)
  await settle()
  abort()
  expect(await settle()).toEqual([0, 1, 2])
  for (const turn of asked) turn.over()
  expect(clock.pending).toBe(0)
})
