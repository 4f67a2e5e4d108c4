// Whom this computer trusts, told by `SSL_CERT_FILE` as OpenSSL reads it: a process asks once, so each is one of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DoctorReport } from '#app/server/doctor.ts'
import { proxy } from '../../../e2e/servers/http/proxy.ts'
import { handshake, json, type RawHttp, rawHttp } from '../../../e2e/servers/http/raw-http.ts'
import { selfSigned } from '../../../e2e/servers/http/self-signed.ts'
import { makeCliBench, onlyJson } from './cli.testing.ts'

const bench = makeCliBench()
const authority = join(bench.folder, 'authority.pem')
let server: RawHttp
beforeAll(async () => {
  writeFileSync(authority, selfSigned.cert)
  server = await rawHttp(({ verb, path, message }, response) => {
    if (verb === 'GET' && path.endsWith('/models')) json(response, { data: [{ id: 'ours' }] })
    else if (message.method !== undefined && message.id === undefined) response.writeHead(202).end()
    else {
      const answer = handshake(message, '2025-06-18')
      if (answer === undefined) return false
      json(response, answer)
    }
    return true
  }, selfSigned)
})
afterAll(async () => {
  await server.close()
  await bench.remove()
})

async function report(url: string, env: Record<string, string>): Promise<DoctorReport | undefined> {
  const config = bench.config({ a: { url } })
  const run = await bench.run(['doctor', '--config', config, '--approve', 'all', '--json'], env)
  return (onlyJson(run) as DoctorReport[])[0]
}

describe('a host that only an authority of this computer’s own vouches for', () => {
  it('is believed as a server', async () => {
    expect(await report(server.url, { SSL_CERT_FILE: authority })).toMatchObject({ ok: true, diagnosis: null })
  })

  it('is believed through a proxy, which may be what makes the certificate', async () => {
    const between = await proxy()
    try {
      const env = { SSL_CERT_FILE: authority, HTTPS_PROXY: `http://${between.host}` }
      expect(await report(server.url.replace('127.0.0.1', 'raw.example.test'), env)).toMatchObject({ ok: true })
      // Once before the computer was asked, and on from there.
      expect(between.seen.length).toBeGreaterThan(1)
    } finally {
      await between.close()
    }
  })

  it('is believed as a model’s endpoint', async () => {
    const program = join(bench.folder, 'list.mjs')
    const of = (path: string): string => JSON.stringify(join(import.meta.dirname, '../../..', path))
    const lines = `import { listEndpointModels } from ${of('main/models/openai-chat/list-models.ts')}
if (process.env['LATE']) process.env['NODE_EXTRA_CA_CERTS'] = process.env['LATE']
const listed = listEndpointModels(${JSON.stringify({ id: 'own', name: 'Own', baseUrl: server.url.replace('/mcp', '/v1'), key: '', timeoutMs: 20_000 })}, new AbortController().signal)
console.log(await listed.then((models) => models.map(({ id }) => id).join(), (error) => error.code))`
    writeFileSync(program, lines)
    const run = async (env: Record<string, string>): Promise<string> => {
      const child = spawn(process.execPath, [program], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] })
      const [said] = await Promise.all([text(child.stdout), once(child, 'close')])
      return said.trim()
    }
    // Electron removes the variable before Node reads it; the app puts it back.
    const late = await run({ LATE: authority })
    expect([await run({ SSL_CERT_FILE: authority }), late, await run({})]).toEqual(['own/ours', 'own/ours', 'model.endpoint-wrong'])
  })

  it('is not believed where this computer does not trust that one, and nothing is sent to it', async () => {
    const before = server.seen.length
    expect(await report(server.url, {})).toMatchObject({ ok: false, diagnosis: { code: 'tls-untrusted' } })
    expect(server.seen.length).toBe(before)
  })
})
