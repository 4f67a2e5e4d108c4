import { afterEach, expect, it } from 'vitest'
import { approve, closeServers, makeServers, raw } from '#main/servers/lifecycle/servers.testing.ts'
import { clientCapabilities } from '../connection/establish-connection.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

const { signal } = new AbortController()

it('the extensions that are offered have names with a prefix', () => {
  const names = Object.keys(clientCapabilities.extensions ?? {})
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+\/[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/)
})

it('a server without skills has none, and works as it does without', async () => {
  const servers = makeServers({ a: raw('modern') })
  await servers.start('a')
  expect(await servers.skills('a', { signal })).toEqual([])
  const { result } = await servers.call(approve(servers, 'a', 'meta'), { signal })
  expect(result).toHaveProperty('content')
})
