// What can go wrong on the way to a server, what is said of it, and the way through a proxy.
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { approve, http, makeServers } from '#main/servers/lifecycle/servers.testing.ts'
import { older, type Reply } from './eras.ts'
import { proxy, type RawProxy } from './proxy.ts'
import { called, json, result, stream } from './raw-http.ts'
import { selfSigned } from './self-signed.ts'
import { call, closeAfterEach, host, serve, signal } from './support.ts'

const proxies: RawProxy[] = []
afterEach(async () => {
  await Promise.all(proxies.splice(0).map((each) => each.close()))
})
closeAfterEach()

const onCall: Reply = ({ message }, response) => json(response, called(message, 'ok'))
const begun = async (status?: number): Promise<RawProxy> => {
  const made = await proxy(status)
  proxies.push(made)
  return made
}
/** The server, by a name that only a proxy knows. */
const behind = (url: string): string => url.replace('127.0.0.1', 'raw.example.test')
const unreachable = (data: object) => expect.objectContaining({ code: 'server.unreachable', data: expect.objectContaining(data) })

describe('a server that is not reached', () => {
  it('because there is no such host says so, and that nothing was sent', async () => {
    const servers = makeServers({ raw: http('http://nowhere.invalid/mcp') })
    await expect(servers.start('raw')).rejects.toEqual(
      unreachable({ reason: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/), sent: false }),
    )
  })

  it('because nothing vouches for its certificate says so, and nothing was sent', async () => {
    const raw = await serve(older('2025-06-18', onCall), selfSigned)
    const servers = makeServers({ raw: http(raw.url, { authorization: 'Bearer secret' }) })
    await expect(servers.start('raw')).rejects.toEqual(unreachable({ reason: 'DEPTH_ZERO_SELF_SIGNED_CERT', sent: false }))
    expect(raw.seen).toEqual([])
  })

  it('because it does not speak TLS says so', async () => {
    const raw = await serve(older('2025-06-18', onCall))
    const servers = makeServers({ raw: http(raw.url.replace('http:', 'https:')) })
    await expect(servers.start('raw')).rejects.toEqual(unreachable({ reason: expect.stringMatching(/^(ERR_SSL|EPROTO)/), sent: false }))
    expect(raw.seen).toEqual([])
  })
})

it('a server that takes what is sent and says nothing fails its start at its time, before it has shown its era', async () => {
  const raw = await serve(() => true)
  const servers = makeServers({ raw: { ...http(raw.url), startTimeoutMs: 100 } })
  await expect(servers.start('raw')).rejects.toMatchObject({ code: 'server.start-timeout' })
  expect(servers.state('raw')).toMatchObject({ kind: 'failed', error: { code: 'server.start-timeout' } })
})

describe('a connection that breaks', () => {
  const tear = (response: { readonly socket: Socket | null }): void => void response.socket?.resetAndDestroy()

  it.each<[string, Reply]>([
    ['before anything was answered', (_seen, response) => tear(response)],
    [
      'in the middle of the answer',
      (_seen, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
          .write('{"jsonrpc":"2.0",', () => tear(response)),
    ],
    ['in the middle of a stream', (_seen, response) => void stream(response).write(': soon\n\n', () => tear(response))],
  ])('%s leaves a call with an unknown outcome: it is not made again', async (_when, breaks) => {
    let calls = 0
    const raw = await serve(
      older('2025-06-18', (seen, response) => {
        calls += 1
        if (calls === 2) breaks(seen, response)
        else onCall(seen, response)
      }),
    )
    const servers = host(raw)
    await servers.start('raw')
    expect(await call(servers, 'echo')).toBe('ok')
    await expect(call(servers, 'echo')).rejects.toMatchObject({ code: 'tool.outcome-unknown' })
    expect([calls, servers.state('raw').kind]).toEqual([2, 'ready'])
    expect(await call(servers, 'echo')).toBe('ok')
  })

  it('is made again, once, for what does no harm when it is asked twice', async () => {
    let reads = 0
    const inner = older('2025-06-18', onCall)
    const raw = await serve((seen, response) => {
      if (seen.message.method !== 'resources/read') return inner(seen, response)
      reads += 1
      if (reads === 2) json(response, result(seen.message, { contents: [{ uri: 'raw://one', text: 'ok' }] }))
      else tear(response)
      return true
    })
    const servers = host(raw)
    await servers.start('raw')
    expect(await servers.readResource('raw', 'raw://one', { signal })).toMatchObject({ contents: [{ text: 'ok' }] })
    await expect(servers.readResource('raw', 'raw://one', { signal })).rejects.toEqual(unreachable({ sent: true }))
    expect([reads, servers.state('raw').kind]).toEqual([4, 'ready'])
  })

  it('or only stands still ends the call at its time, and nothing else', async () => {
    let calls = 0
    const raw = await serve(
      older('2025-06-18', (seen, response) => {
        calls += 1
        if (calls > 1) onCall(seen, response)
      }),
    )
    const servers = host(raw)
    await servers.start('raw')
    await expect(servers.call(approve(servers, 'raw', 'echo'), { signal, timeoutMs: 100 })).rejects.toMatchObject({ code: 'tool.timeout' })
    expect(await call(servers, 'echo')).toBe('ok')
    expect(servers.state('raw').kind).toBe('ready')
  })
})

describe('a proxy that the environment names', () => {
  it('is what a remote server is reached through; its password is for it alone', async () => {
    const between = await begun()
    const raw = await serve(older('2025-06-18', onCall))
    const url = behind(raw.url)
    const servers = makeServers({ raw: http(url) }, { variables: { HTTP_PROXY: `http://ann:s%C3%A9cret@${between.host}` } })
    await servers.start('raw')
    expect(await call(servers, 'echo')).toBe('ok')
    const { host: target } = new URL(url)
    expect(new Set(between.seen.map((each) => each.target))).toEqual(new Set([target]))
    expect(between.seen[0]?.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('ann:sécret').toString('base64')}`)
    expect(raw.seen.filter(({ headers }) => headers['proxy-authorization'] !== undefined || headers.host !== target)).toEqual([])
  })

  it('carries TLS through, and does not vouch for what is behind', async () => {
    const between = await begun()
    const raw = await serve(older('2025-06-18', onCall), selfSigned)
    const servers = makeServers({ raw: http(behind(raw.url)) }, { variables: { https_proxy: `http://${between.host}` } })
    await expect(servers.start('raw')).rejects.toEqual(
      unreachable({ reason: 'DEPTH_ZERO_SELF_SIGNED_CERT', sent: false, proxy: between.host }),
    )
    expect([between.seen.length > 0, raw.seen]).toEqual([true, []])
  })

  it('is not asked for what is on this computer, or is excepted', async () => {
    const between = await begun()
    const raw = await serve(older('2025-06-18', onCall))
    const variables = { HTTP_PROXY: `http://${between.host}`, NO_PROXY: 'example.test' }
    const servers = makeServers({ raw: http(raw.url), excepted: http('http://raw.example.test/mcp') }, { variables })
    await servers.start('raw')
    expect(await call(servers, 'echo')).toBe('ok')
    await expect(servers.start('excepted')).rejects.toMatchObject({ code: 'server.unreachable' })
    expect(between.seen).toEqual([])
  })

  it.each([407, 502])('that refuses with %d is told of, without its password', async (status) => {
    const between = await begun(status)
    const servers = makeServers(
      { raw: http('http://raw.example.test/mcp') },
      { variables: { HTTP_PROXY: `http://ann:hunter2@${between.host}` } },
    )
    const failure: unknown = await servers.start('raw').catch((error: unknown) => error)
    expect(failure).toEqual(unreachable({ reason: 'proxy', sent: false, proxy: between.host }))
    const told = JSON.stringify([servers.view('raw'), servers.log('raw'), servers.audit.entries, String((failure as Error).message)])
    expect(told).not.toMatch(/hunter2|YW5uOmh1bnRlcjI/)
  })

  it('that is not there is told of', async () => {
    const gone = await proxy()
    await gone.close()
    const servers = makeServers({ raw: http('http://raw.example.test/mcp') }, { variables: { HTTP_PROXY: `http://${gone.host}` } })
    await expect(servers.start('raw')).rejects.toEqual(unreachable({ reason: 'ECONNREFUSED', sent: false, proxy: gone.host }))
  })
})
