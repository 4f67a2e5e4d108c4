import { expect, it } from 'vitest'
import { createDisconnectRace } from './disconnect-race.ts'

it('tells everyone who waits, and whoever comes later', async () => {
  const over = Promise.withResolvers<Error>()
  const losses = createDisconnectRace(over.promise)
  const before = losses.watch()
  const why = new Error('gone')
  over.resolve(why)
  await expect(before.promise).rejects.toBe(why)
  await expect(losses.watch().promise).rejects.toBe(why)
})

it('forgets whoever has their answer', () => {
  const losses = createDisconnectRace(new Promise(() => undefined))
  const first = losses.watch()
  losses.watch()
  expect(losses.size).toBe(2)
  first.release()
  expect(losses.size).toBe(1)
})
