// Programs that know no proxy, in a real sandbox: they connect to a database's host and port as they would outside.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { runToEnd } from './run-confined.ts'
import { createSandbox } from './sandbox.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'assent-forwards-')))
const [home, dataDir] = [join(root, 'home'), join(root, 'home/.data')]
mkdirSync(dataDir, { recursive: true })
const sandbox = createSandbox({ dataDir, home, resolve: async () => ['127.0.0.1'] })
const hasEngine = (await sandbox.engine()).kind === 'bubblewrap'

let database: Server
let port: number
beforeAll(async () => {
  database = createServer((client) => client.end('hello'))
  await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve))
  port = (database.address() as { port: number }).port
})
afterAll(() => {
  database.close()
  rmSync(root, { recursive: true, force: true })
})

/** What a plain connection to a host says within a sandbox with these hosts. */
async function connectTo(host: string, hosts: readonly string[]): Promise<string> {
  const code = `require('node:net').connect(${port}, ${JSON.stringify(host)}).on('data', (bytes) => console.log(String(bytes))).on('error', (error) => console.log(error.code)).on('end', () => process.exit())`
  const path = process.env['PATH'] ?? ''
  const launch = { command: process.execPath, args: ['-e', code], env: { PATH: path }, cwd: home, path, pathSource: 'terminal' as const }
  const confined = await sandbox.confine({ server: 'one', grants: { ...noGrants, hosts: [...hosts] }, launch, onAttempt: () => {} })
  return (await runToEnd(launch, { signal: AbortSignal.timeout(20_000), timeoutMs: 20_000, confined })).stdout.trim()
}

describe.skipIf(!hasEngine)('a plain connection', () => {
  it('reaches a host that is granted with its port', async () => {
    const address = `127.0.0.1:${port}`
    expect([
      await connectTo('localhost', [`localhost:${port}`]),
      await connectTo('127.0.0.1', [address]),
      // Its name leads into this computer, so the address is granted as well.
      await connectTo('db.example', [`db.example:${port}`, address]),
    ]).toEqual(['hello', 'hello', 'hello'])
  })

  it('reaches none that is not', async () => {
    expect([
      await connectTo('localhost', []),
      await connectTo('localhost', ['localhost']),
      await connectTo('db.example', [`other.example:${port}`]),
      // The name alone does not lead into this computer: what listens there ends the connection.
      await connectTo('db.example', [`db.example:${port}`]),
    ]).toEqual(['ECONNREFUSED', 'ECONNREFUSED', 'EAI_AGAIN', ''])
  })
})
