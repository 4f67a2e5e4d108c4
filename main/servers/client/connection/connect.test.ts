import { expect, it, vi } from 'vitest'
import { HostError } from '#app/errors.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { noHandlers } from '#main/servers/lifecycle/servers.testing.ts'
import { createPausableTimeouts } from '#main/servers/transport/pausable-timeouts.ts'
import { connectProcess } from './connect.ts'
import type { ChannelEnd, ServerChannel } from './server-channel.ts'

it('a process whose pipes are closed long before its end is known failed by that end, not by its pipes', async () => {
  const clock = manualClock()
  const ended = Promise.withResolvers<ChannelEnd>()
  const lost = (): Promise<never> => Promise.reject(new HostError('server.connection-lost', 'not connected'))
  const channel: ServerChannel<never> = {
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
    requests: { audit: { append: vi.fn() }, logLevel: () => 'info', refreshTool: async (tool) => tool },
    signal: new AbortController().signal,
    waits: createPausableTimeouts(),
    onNegotiating: () => undefined,
    launch: () => Promise.resolve(channel),
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
