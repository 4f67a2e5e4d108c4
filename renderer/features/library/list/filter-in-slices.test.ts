import { expect, test } from 'vitest'
import { inSlices } from './library-sections.ts'

const busy = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('others get their turn while much is worked on, and all of it is done in order', async () => {
  const done: number[] = []
  let turns = 0
  const working = inSlices(
    1000,
    (index) => {
      if (index % 128 === 0) busy(8)
      done.push(index)
    },
    new AbortController().signal,
  )
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    turns += 1
    port1.close()
  }
  port2.postMessage(undefined)
  expect(await working).toBe(true)
  expect([done.length, done.at(-1), turns]).toEqual([1000, 999, 1])
})

test('what is called off is not done to its end', async () => {
  const control = new AbortController()
  let done = 0
  const whole = await inSlices(
    100,
    () => {
      done += 1
      if (done === 10) control.abort()
    },
    control.signal,
  )
  expect([whole, done]).toEqual([false, 10])
})
