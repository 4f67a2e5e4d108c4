// Remote servers that really fail, each in its own way, and what the doctor says of them.
import { afterEach, describe, expect, it } from 'vitest'
import type { DiagnosisCode, DoctorReport } from '#app/server/doctor.ts'
import { proxy, type RawProxy } from '../../../e2e/servers/http/proxy.ts'
import { type Answer, error, json, type RawHttp, rawHttp } from '../../../e2e/servers/http/raw-http.ts'
import { selfSigned } from '../../../e2e/servers/http/self-signed.ts'
import { closeServers, http, makeServers } from '../lifecycle/servers.testing.ts'
import type { ServersContext } from '../lifecycle/servers-context.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  expect(await closeServers()).toEqual([])
  await Promise.all(open.splice(0).map((each) => each.close()))
})

async function serve(answer: Answer, tls?: Parameters<typeof rawHttp>[1]): Promise<RawHttp> {
  const raw = await rawHttp(answer, tls)
  open.push(raw)
  return raw
}
const between = async (status: number): Promise<RawProxy> => {
  const made = await proxy(status)
  open.push(made)
  return made
}
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_seen, response) => {
    response.writeHead(code, headers).end()
    return true
  }
const page: Answer = (_seen, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>')
  return true
}

async function failed(url: string, more: Partial<ServersContext> = {}): Promise<DoctorReport> {
  const servers = makeServers({ a: http(url, { authorization: 'Bearer hush-hush-hush' }) }, { variables: {}, ...more })
  await expect(servers.start('a')).rejects.toBeDefined()
  const report = servers.doctor('a')
  expect(JSON.stringify(report)).not.toContain('hush-hush-hush')
  await servers.stop('a')
  return report
}

/** Where a server was, a moment ago. */
async function gone(): Promise<string> {
  const raw = await rawHttp(page)
  await raw.close()
  return raw.url
}

describe('a remote server', () => {
  it.each<[string, DiagnosisCode, () => Promise<string>, string]>([
    ['where nothing listens', 'nothing-listens', gone, 'ECONNREFUSED'],
    ['whose port is kept for something else', 'unreachable', async () => 'http://127.0.0.1:9/mcp', 'port'],
    ['whose name nobody knows', 'host-unknown', async () => 'https://nowhere.invalid/mcp', 'nowhere.invalid'],
    ['that vouches for itself', 'tls-untrusted', async () => (await serve(page, selfSigned)).url, 'NODE_EXTRA_CA_CERTS'],
    ['that does not speak TLS', 'tls-plain-http', async () => (await serve(page)).url.replace('http:', 'https:'), 'http://'],
    ['that is at another path', 'wrong-url', async () => (await serve(status(404))).url, '404'],
    ['that is a web page', 'not-mcp', async () => (await serve(page)).url, '/mcp'],
    ['that is a web page, with how it begins', 'not-mcp', async () => (await serve(page)).url, '<title>Welcome</title>'],
    [
      'that answers in JSON which is no message',
      'not-mcp',
      async () =>
        (
          await serve((_seen, response) => {
            json(response, { healthy: 'quite' })
            return true
          })
        ).url,
      'quite',
    ],
    [
      'that has moved',
      'moved',
      async () => (await serve(status(301, { location: 'https://new.example/mcp' }))).url,
      'https://new.example/mcp',
    ],
    ['that does not take the token', 'credentials-refused', async () => (await serve(status(403))).url, '403'],
    ['that is asked too often', 'too-many-requests', async () => (await serve(status(429, { 'retry-after': '3600' }))).url, '429'],
    ['that is none, and says so in a way of its own', 'http-error', async () => (await serve(status(418))).url, '418'],
    ['that has a fault', 'server-error', async () => (await serve(status(500))).url, '500'],
    [
      'that hangs up',
      'unreachable',
      async () =>
        (
          await serve((_seen, response) => {
            response.socket?.resetAndDestroy()
            return true
          })
        ).url,
      'closed the connection',
    ],
    [
      'of a revision that nobody speaks',
      'version-mismatch',
      async () =>
        (
          await serve(({ message }, response) => {
            json(response, error(message, { code: -32022, message: 'no', data: { supported: ['2031-01-01'] } }), {}, 400)
            return true
          })
        ).url,
      '2031-01-01',
    ],
  ])('%s', async (_title, code, url, word) => {
    const report = await failed(await url())
    expect(report.diagnosis?.code).toBe(code)
    expect(JSON.stringify(report.diagnosis)).toContain(word)
    expect([report.ok, report.resolved, report.steps.length > 1]).toEqual([false, null, true])
  })

  it('behind a proxy that refuses', async () => {
    const { host } = await between(407)
    const report = await failed('http://raw.example.test/mcp', { variables: { HTTP_PROXY: `http://ann:hunter22@${host}` } })
    expect(report.diagnosis?.code).toBe('proxy-refused')
    expect(JSON.stringify(report)).not.toContain('hunter22')
  })

  it('where only a SOCKS proxy is set, which is not used', async () => {
    const socks = { ALL_PROXY: 'socks5://ann:hunter22@127.0.0.1:1080' }
    const report = await failed('https://nowhere.invalid/mcp', { variables: socks })
    expect(report.diagnosis).toMatchObject({ code: 'proxy-unusable', why: expect.stringContaining('127.0.0.1:1080') })
    expect(report.steps).toContainEqual(expect.objectContaining({ name: 'proxy', detail: expect.stringContaining('127.0.0.1:1080') }))
    expect(JSON.stringify(report)).not.toContain('hunter22')
  })

  it('where a SOCKS proxy is named for HTTPS itself: nothing is sent past it', async () => {
    const report = await failed('https://nowhere.invalid/mcp', { variables: { HTTPS_PROXY: 'socks5://ann:hunter22@127.0.0.1:1080' } })
    expect(report.diagnosis?.code).toBe('proxy-unusable')
    expect(JSON.stringify(report)).not.toContain('hunter22')
  })

  it('behind a proxy that is not there', async () => {
    const { host } = new URL(await gone())
    const report = await failed('http://raw.example.test/mcp', { variables: { HTTP_PROXY: `http://${host}` } })
    expect(report.diagnosis?.code).toBe('proxy-unreachable')
  })

  it('that wants a sign-in which it does not offer', async () => {
    const raw = await serve(status(401, { 'www-authenticate': 'Bearer' }))
    const servers = makeServers({ a: http(raw.url) }, { variables: {} })
    await expect(servers.start('a')).rejects.toBeDefined()
    expect(servers.doctor('a').diagnosis?.code).toBe('sign-in-needed')
  })
})
