import { expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { createLateResponses, type LateReceiver, longestLateMs, mostLate } from './late-responses.ts'

const receiver = (wanted = true): LateReceiver => ({ wanted: () => wanted, take: () => undefined })

it('knows only what was cancelled while its answer was wanted, and each once', () => {
  const late = createLateResponses(manualClock())
  const mine = receiver()
  late.cancelled(1, mine)
  late.cancelled(2, receiver(false))
  late.cancelled(3, undefined)
  expect([1, 1, 2, 3, 4].map((id) => late.receiverOf(id))).toEqual([mine, undefined, undefined, undefined, undefined])
})

it('gives up what does not come in time', () => {
  const clock = manualClock()
  const late = createLateResponses(clock)
  late.cancelled(1, receiver())
  clock.advance(longestLateMs / 2)
  late.cancelled(2, receiver())
  clock.advance(longestLateMs / 2 + 1)
  expect([late.receiverOf(1), late.receiverOf(2)]).toEqual([undefined, expect.anything()])
})

it('gives up the oldest when there are too many', () => {
  const late = createLateResponses(manualClock())
  for (let id = 0; id <= mostLate; id += 1) late.cancelled(id, receiver())
  expect([late.receiverOf(0), late.receiverOf(1), late.receiverOf(mostLate)]).toEqual([undefined, expect.anything(), expect.anything()])
})
