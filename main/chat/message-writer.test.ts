import { expect, test } from 'vitest'
import { type ManualClock, manualClock } from '#main/base/manual-clock.testing.ts'
import { createDeltaBatcher, type Delta, KEEP_EVERY_MS, TELL_EVERY_MS } from './message-writer.ts'

function make(): { clock: ManualClock; batcher: ReturnType<typeof createDeltaBatcher>; told: Delta[]; kept: number[] } {
  const clock = manualClock(0)
  const told: Delta[] = []
  const kept: number[] = []
  const batcher = createDeltaBatcher({ clock, onTell: (delta) => told.push(delta), onKeep: () => kept.push(clock.now()) })
  return { clock, batcher, told, kept }
}

test('the first piece is told at once, what follows in batches', () => {
  const { clock, batcher, told } = make()
  for (let at = 0; at < 10; at += 1) {
    batcher.add(0, at, String(at))
    clock.advance(10)
  }
  clock.advance(TELL_EVERY_MS)
  expect(told.map(({ offset, text }) => [offset, text])).toEqual([
    [0, '0'],
    [1, '123'],
    [4, '4567'],
    [8, '89'],
  ])
})

test('pieces of another part are never mixed in', () => {
  const { batcher, told } = make()
  batcher.add(0, 0, 'a')
  batcher.add(0, 1, 'b')
  batcher.add(1, 0, 'c')
  batcher.tell()
  expect(told).toEqual([
    { part: 0, offset: 0, text: 'a' },
    { part: 0, offset: 1, text: 'b' },
    { part: 1, offset: 0, text: 'c' },
  ])
})

test('a steady stream is kept a few times a second, not at every piece', () => {
  const { clock, batcher, kept } = make()
  for (let at = 0; at < 100; at += 1) {
    batcher.add(0, at, 'x')
    clock.advance(10)
  }
  expect(kept.length).toBe(1000 / KEEP_EVERY_MS)
})

test('clearing leaves no timer and tells nothing more', () => {
  const { clock, batcher, told } = make()
  batcher.add(0, 0, 'a')
  batcher.add(0, 1, 'b')
  batcher.clear()
  expect(clock.pending).toBe(0)
  clock.advance(1000)
  expect(told).toHaveLength(1)
})
