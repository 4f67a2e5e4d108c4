// How long servers may take to end is said once, and holds for those that are configured and for the one that ships.
import { afterEach, expect, it } from 'vitest'
import { systemClock } from '#main/base/clock.ts'
import type { ProcessCare } from '../process/server-process.ts'
import { launchStdio } from '../transport/stdio/stdio-process.ts'
import { closeServers, makeServers, raw } from './servers.testing.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

const grace = { stdin: 151, terminate: 501, kill: 1001 }

it('a server is given as long to end as the host was told to', async () => {
  const waits: number[] = []
  const clock = {
    now: systemClock.now,
    after(ms: number, callback: () => void) {
      waits.push(ms)
      return systemClock.after(ms, callback)
    },
  }
  const servers = makeServers({ one: raw('modern') }, { clock, grace })
  await servers.start('one')
  await servers.stop('one')
  expect([waits.includes(grace.stdin), waits.includes(2000)]).toEqual([true, false])
})

it('the server that comes with Assent is watched like any other, and given as long', async () => {
  let told: ProcessCare | undefined
  const servers = makeServers(
    { demo: { enabled: true, start: 'needed', trusted: true, transport: 'builtin', module: 'demo' } },
    {
      grace,
      launchBuiltin(_module, env, care) {
        told = care
        const { command, args } = raw('modern')
        return launchStdio({ command, args, env: { ...env }, cwd: import.meta.dirname, clock: systemClock })
      },
    },
  )
  await servers.start('demo')
  expect(told).toEqual({ watches: [expect.anything(), expect.anything(), expect.anything()], grace })
})
