import { expect, it } from 'vitest'
import { createLosses } from './losses.ts'

it('tells everyone who waits, and whoever comes later', async () => {
  const over = Promise.withResolvers<Error>()
  const losses = createLosses(over.promise)
  const before = losses.watch()
  const why = new Error('gone')
  over.resolve(why)
  await expect(before.promise).rejects.toBe(why)
  await expect(losses.watch().promise).rejects.toBe(why)
})

it('forgets whoever has their answer', () => {
  const losses = createLosses(new Promise(() => undefined))
  const first = losses.watch()
  losses.watch()
  expect(losses.size).toBe(2)
  first.release()
  expect(losses.size).toBe(1)
})
