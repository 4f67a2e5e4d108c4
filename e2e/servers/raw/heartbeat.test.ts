// Pings to an idle server of an older revision (MCP, "Ping"), against real processes. Time is a twentieth of what it is.
import { afterEach, expect, it } from 'vitest'
import { defaultSettings } from '#app/settings.ts'
import { type Clock, systemClock } from '#main/base/clock.ts'
import { closeServers, eventually, isProcessAlive, makeServers, raw } from '#main/servers/lifecycle/servers.testing.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

const clock: Clock = { now: systemClock.now, after: (ms, callback) => systemClock.after(ms / 20, callback) }
const settings = () => ({ ...defaultSettings, pingSeconds: 5 })
const pingNotes = (servers: ReturnType<typeof makeServers>): number =>
  servers.log('a').lines.filter(({ source, text }) => source === 'host' && text.includes(' answer ')).length

it('a server that stops answering is ended and started again', async () => {
  const servers = makeServers({ a: raw('deafens') }, { clock, settings })
  await servers.start('a')
  const [first] = servers.pids()
  await eventually(() => expect(servers.kinds('a').slice(0, 6)).toEqual(['stopped', 'starting', 'ready', 'failed', 'starting', 'ready']))
  expect(isProcessAlive(first ?? 0)).toBe(false)
  expect(pingNotes(servers)).toBeGreaterThan(0)
})

it('one that never answered a ping stays', async () => {
  const servers = makeServers({ a: raw('deafens', 'never') }, { clock, settings })
  await servers.start('a')
  await eventually(() => expect(pingNotes(servers)).toBe(1))
  expect(servers.kinds('a')).toEqual(['stopped', 'starting', 'ready'])
})

it('one whose lists could not be read is not pinged after its start has failed, and nothing is asked of a closed store', async () => {
  let asked = 0
  const counted = () => {
    asked += 1
    return settings()
  }
  const servers = makeServers({ a: raw('lists', 'supabase') }, { clock, settings: counted })
  await expect(servers.start('a')).rejects.toMatchObject({ code: 'server.list-failed' })
  await servers.dispose()
  const before = asked
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(asked).toBe(before)
})
