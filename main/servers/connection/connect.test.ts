import { expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import { manualClock } from '#main/base/manual-clock.ts'
import { noHandlers } from '../test-support.ts'
import { connectProcess } from './connect.ts'
import type { Ending, Link } from './link.ts'
import { createWaits } from './waits.ts'

it('a process whose pipes are closed long before its end is known failed by that end, not by its pipes', async () => {
  const clock = manualClock()
  const ended = Promise.withResolvers<Ending>()
  const lost = (): Promise<never> => Promise.reject(new HostError('server.connection-lost', 'not connected'))
  const link: Link<never> = {
    kind: 'stdio',
    transport: { start: () => Promise.resolve(), send: lost, close: () => Promise.resolve() } as never,
    pid: 1,
    ended: ended.promise,
    close: () => Promise.resolve(),
  }
  const starting = connectProcess({
    server: 'a',
    version: '1',
    handlers: noHandlers,
    clock,
    signal: new AbortController().signal,
    waits: createWaits(),
    onNegotiating: () => undefined,
    launch: () => Promise.resolve(link),
    remembered: undefined,
    shunsProbe: true,
    onShunned: () => undefined,
  })
  const failed = expect(starting).rejects.toMatchObject({ code: 'server.exited' })
  await new Promise(setImmediate)
  clock.advance(4000)
  await new Promise(setImmediate)
  ended.resolve({ error: new HostError('server.exited', 'ended with exit code 3'), exit: { code: 3, signal: null } })
  await failed
})
