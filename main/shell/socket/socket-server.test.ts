import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createUnauthenticatedConnections, MOST_UNAUTHENTICATED } from './socket-server.ts'

test('a connection whose request is being answered stays, however many idle ones come; afterwards it is one of them', async () => {
  const strangers = createUnauthenticatedConnections()
  const come = (): void => {
    for (let at = 0; at < 2 * MOST_UNAUTHENTICATED; at += 1) strangers.add(new Socket())
  }
  const [asking, known] = [new Socket(), new Socket()]
  for (const socket of [asking, known]) strangers.add(socket)
  const answer = Promise.withResolvers<string>()
  const kept = [asking, known].map((socket) => strangers.keep(socket, answer.promise))
  come()
  strangers.vouch(known)
  answer.resolve('answer')
  expect(await Promise.all(kept)).toEqual(['answer', 'answer'])
  expect([asking.destroyed, known.destroyed, strangers.count]).toEqual([false, false, MOST_UNAUTHENTICATED])
  come()
  expect([asking.destroyed, known.destroyed]).toEqual([true, false])
})
