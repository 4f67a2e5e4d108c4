import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createUnauthenticatedConnections, MOST_UNAUTHENTICATED } from './unauthenticated-connections.ts'

test('a connection whose request is being answered stays, however many idle ones come; afterwards it is one of them', () => {
  const strangers = createUnauthenticatedConnections()
  const come = (): void => {
    for (let at = 0; at < 2 * MOST_UNAUTHENTICATED; at += 1) strangers.add(new Socket())
  }
  const [asking, known] = [new Socket(), new Socket()]
  for (const socket of [asking, known]) strangers.add(socket)
  const [done, doneToo] = [asking, known].map((socket) => strangers.keep(socket))
  come()
  strangers.vouch(known)
  done?.()
  doneToo?.()
  expect([asking.destroyed, known.destroyed, strangers.count]).toEqual([false, false, MOST_UNAUTHENTICATED])
  come()
  expect([asking.destroyed, known.destroyed]).toEqual([true, false])
})
