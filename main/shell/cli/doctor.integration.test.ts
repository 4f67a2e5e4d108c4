// Certificates that an authority of the person's own vouches for, and that are wrong all the same: such an authority can
// only be named when a process begins.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expired, otherName } from '../../../e2e/servers/http/bad-certificates.ts'
import { rawHttp } from '../../../e2e/servers/http/raw-http.ts'
import { makeCliBench, onlyJson } from './cli.testing.ts'

it.each([
  ['has expired', 'tls-expired', expired],
  ['is for another name', 'tls-wrong-name', otherName],
] as const)('a server whose certificate %s is told of', async (_title, code, tls) => {
  const bench = makeCliBench()
  const server = await rawHttp(() => false, tls)
  try {
    const authority = join(bench.folder, 'authority.pem')
    writeFileSync(authority, tls.cert)
    const config = bench.config({ a: { url: server.url } })
    const run = await bench.run(['doctor', '--config', config, '--approve', 'all', '--json'], { NODE_EXTRA_CA_CERTS: authority })
    expect([run.code, onlyJson(run)]).toMatchObject([1, [{ server: 'a', ok: false, diagnosis: { code } }]])
  } finally {
    await server.close()
    await bench.remove()
  }
})
