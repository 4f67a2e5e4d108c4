import { afterEach, expect, it } from 'vitest'
import { systemClock } from '#main/base/clock.ts'
import { launchStdio } from '../transport/stdio/stdio-process.ts'
import { approve, closeServers, makeServers, raw } from './servers.testing.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

it('starts the server that comes with Assent without asking, and tells it where the profile is', async () => {
  const told: Readonly<Record<string, string>>[] = []
  const servers = makeServers(
    { demo: { enabled: true, start: 'launch', trusted: true, transport: 'builtin', module: 'demo' } },
    {
      launchBuiltin(_module, env) {
        told.push(env)
        const { command, args } = raw('modern')
        return launchStdio({ command, args, env: { ...env }, cwd: import.meta.dirname, clock: systemClock })
      },
    },
  )
  await servers.start('demo')
  expect([servers.broker.targets, told.map(({ ASSENT_DEMO_DIR }) => ASSENT_DEMO_DIR?.startsWith(servers.folder))]).toEqual([[], [true]])
  const { session } = await servers.call(approve(servers, 'demo', 'meta'), { signal: new AbortController().signal })
  expect(session.era).toBe('modern')
})
