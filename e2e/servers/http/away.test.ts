// A computer that loses its network, or sleeps, and the servers that run elsewhere. The network and the sleep are the
// seam; the servers, the sockets and the proxy are real.
import { afterEach, describe, expect, it } from 'vitest'
import type { LivenessDoubt, NetworkMonitor } from '#main/servers/lifecycle/network-monitor.ts'
import { eventually, http, makeServers, quickClock } from '#main/servers/lifecycle/servers.testing.ts'
import { modern, older, type Reply } from './eras.ts'
import { proxy, type RawProxy } from './proxy.ts'
import { called, json } from './raw-http.ts'
import { call, closeAfterEach, serve } from './support.ts'

const proxies: RawProxy[] = []
afterEach(async () => {
  await Promise.all(proxies.splice(0).map((each) => each.close()))
})
closeAfterEach()

const onCall: Reply = ({ message }, response) => json(response, called(message, 'ok'))

/** A computer whose network and sleep are the test's to say. */
function computer() {
  const waiting = new Set<() => void>()
  const doubters = new Set<(doubt: LivenessDoubt) => void>()
  const kit = { offline: false }
  const listen =
    <T>(set: Set<T>) =>
    (callback: T) => {
      set.add(callback)
      return () => void set.delete(callback)
    }
  const networkMonitor: NetworkMonitor = {
    random: () => 0.5,
    isOffline: () => kit.offline,
    whenNetworkChanges: listen(waiting),
    onDoubt: listen(doubters),
    inTurn(callback) {
      callback()
      return () => {}
    },
  }
  return {
    care: networkMonitor,
    kit,
    waiting,
    doubt(why: LivenessDoubt) {
      for (const callback of [...doubters]) callback(why)
    },
    back() {
      kit.offline = false
      for (const callback of [...waiting]) callback()
    },
  }
}

describe('without a network', () => {
  it('a server says that it waits for it, tries nothing, and is there when the network is back', async () => {
    const { care, kit, waiting, back } = computer()
    const gone = await proxy()
    await gone.close()
    const variables = { HTTP_PROXY: `http://${gone.host}` }
    const raw = await serve(older('2025-06-18', onCall))
    const servers = makeServers(
      { raw: http(raw.url.replace('127.0.0.1', 'raw.example.test')) },
      { variables, networkMonitor: care, clock: quickClock },
    )
    kit.offline = true
    await expect(servers.start('raw')).rejects.toMatchObject({ code: 'server.unreachable' })
    expect(servers.state('raw')).toMatchObject({ kind: 'failed', offline: true })
    expect(servers.state('raw')).not.toHaveProperty('retryAt')
    const through = await proxy()
    proxies.push(through)
    variables.HTTP_PROXY = `http://${through.host}`
    back()
    await eventually(() => expect(servers.state('raw').kind).toBe('ready'))
    expect(servers.state('raw')).toMatchObject({ attempt: 1 })
    expect(waiting.size).toBe(0)
    expect(await call(servers, 'echo')).toBe('ok')
  })

  it('what a person stops waits for nothing any more', async () => {
    const { care, kit, waiting } = computer()
    kit.offline = true
    const servers = makeServers({ raw: http('http://nowhere.invalid/mcp') }, { networkMonitor: care })
    await servers.start('raw').catch(() => undefined)
    expect(waiting.size).toBe(1)
    await servers.stop('raw')
    expect([waiting.size, servers.state('raw')]).toEqual([0, { kind: 'stopped', reason: 'user' }])
  })

  it('a server of this computer is not taken for one that waits for it', async () => {
    const { care, kit } = computer()
    const raw = await serve(older('2025-06-18', onCall))
    await raw.close()
    kit.offline = true
    const servers = makeServers({ raw: http(raw.url) }, { networkMonitor: care })
    await expect(servers.start('raw')).rejects.toMatchObject({ code: 'server.unreachable' })
    expect(servers.state('raw')).toMatchObject({ kind: 'failed', retryAt: expect.any(Number) })
    expect(servers.state('raw')).not.toHaveProperty('offline')
  })
})

describe.each([
  ['a sleep', '2025-06-18', older('2025-06-18', onCall), 'ping', 'woke'],
  ['a sleep', '2026-07-28', modern(onCall), 'server/discover', 'woke'],
  ['a change of network', '2025-06-18', older('2025-06-18', onCall), 'ping', 'network'],
  ['a change of network', '2026-07-28', modern(onCall), 'server/discover', 'network'],
] as const)('after %s a server of %s', (_, _era, answer, method, why) => {
  it('that is there is asked once, and stays as it was', async () => {
    const { care, doubt } = computer()
    const raw = await serve(answer)
    const servers = makeServers({ raw: http(raw.url) }, { networkMonitor: care })
    await servers.start('raw')
    const asked = (): number => raw.seen.filter(({ message }) => message.method === method).length
    const before = asked()
    const state = servers.state('raw')
    doubt(why)
    await eventually(() => expect(asked()).toBe(before + 1))
    expect(await call(servers, 'echo')).toBe('ok')
    expect(servers.state('raw')).toEqual(state)
  })

  it('that is gone is found without a call, and that is no crash', async () => {
    const { care, doubt } = computer()
    const raw = await serve(answer)
    const servers = makeServers({ raw: http(raw.url) }, { networkMonitor: care })
    await servers.start('raw')
    await raw.close()
    doubt(why)
    await eventually(() => expect(servers.state('raw')).toMatchObject({ kind: 'failed', retryAt: expect.any(Number) }))
    expect(servers.state('raw')).not.toHaveProperty('loop')
  })
})
