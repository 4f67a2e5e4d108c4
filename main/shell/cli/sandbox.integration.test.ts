// A server in its sandbox, through the whole command line.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNpmRegistry } from '#main/servers/lifecycle/packages/npm-registry.testing.ts'
import { findEngine } from '#main/servers/process/sandbox/find-engine.ts'
import { type CliBench, makeCliBench, onlyJson } from './cli.testing.ts'

let bench: CliBench
beforeAll(() => {
  bench = makeCliBench({ sandboxed: true })
})
afterAll(() => bench.remove())

const program = `
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
const [file, port] = process.argv.slice(2)
const reach = () => new Promise((resolve) => connect(Number(port), '127.0.0.1').on('connect', () => resolve('reached')).on('error', (error) => resolve(error.code)))
const read = () => { try { return readFileSync(file, 'utf8') } catch (error) { return error.code } }
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'probe', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'probe', inputSchema: { type: 'object' } }] }),
  'tools/call': async () => {
    const text = [read(), await reach()].join(' ')
    return { content: [{ type: 'text', text: process.env.FAILS ? 'ENOENT: no such file, open ' + JSON.stringify(file) : text }], isError: !!process.env.FAILS }
  },
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = answers[method]
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(answer ? { result: await answer(params) } : { error: { code: -32601, message: 'no' } }) }))
}
`

describe.skipIf((await findEngine()).kind !== 'bubblewrap')('an entry with sandboxEnabled', () => {
  it.each([
    [true, 'ENOENT ECONNREFUSED'],
    [false, 'S3CRET reached'],
  ])('%s: reads outside and reaches hosts only without it', async (sandboxEnabled, found) => {
    const [folder, secret] = [join(bench.folder, 'server'), join(bench.folder, 'secret')]
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'probe.mjs'), program)
    writeFileSync(secret, 'S3CRET')
    const outside = createServer((client) => client.end())
    await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
    const { port } = outside.address() as { port: number }
    const args = [join(folder, 'probe.mjs'), secret, String(port)]
    const config = bench.config({ a: { command: process.execPath, args, cwd: folder, sandboxEnabled } })
    const call = await bench.runShared(['call', 'a', 'probe', '{}', '--config', config, '--approve', 'all'])
    const servers = await bench.runShared(['servers', '--config', config, '--approve', 'all', '--json'])
    outside.close()
    expect([call.code, call.stdout.trim(), call.stderr]).toEqual([0, found, expect.anything()])
    expect(onlyJson(servers)).toMatchObject([{ name: 'a', sandbox: { kind: sandboxEnabled ? 'on' : 'off' } }])
  })

  it('says on stderr what a failed call was refused, and how it is allowed', async () => {
    const [folder, secret] = [join(bench.folder, 'failing'), join(bench.folder, 'secret')]
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'probe.mjs'), program)
    writeFileSync(secret, 'S3CRET')
    const entry = { command: process.execPath, args: [join(folder, 'probe.mjs'), secret, '9'], cwd: folder, env: { FAILS: '1' } }
    const run = (sandboxEnabled: boolean) =>
      bench.runShared(['call', 'a', 'probe', '{}', '--config', bench.config({ a: { ...entry, sandboxEnabled } }), '--approve', 'all'])
    const blocked = `“a”: sandbox blocked: Read ${secret}`
    const [inside, outside] = [await run(true), await run(false)]
    expect([inside.code, inside.stderr.includes(blocked), inside.stderr]).toEqual([
      1,
      true,
      expect.stringContaining('“sandbox” of its entry'),
    ])
    expect([outside.code, outside.stderr.includes('blocked')]).toEqual([1, false])
  })

  it('that is not there: runs in one with what is suggested, and none with --sandbox off', async () => {
    const [folder, notes] = [join(bench.folder, 'default'), join(bench.folder, 'notes')]
    for (const each of [join(folder, 'sub'), notes]) mkdirSync(each, { recursive: true })
    writeFileSync(join(folder, 'probe.mjs'), program)
    writeFileSync(join(notes, 'a'), 'a note')
    writeFileSync(join(bench.folder, 'hidden'), 'S3CRET')
    const run = async (file: string, ...more: string[]) => {
      const config = bench.config({ a: { command: process.execPath, args: [join(folder, 'probe.mjs'), file, '9', notes], cwd: folder } })
      const options = ['--config', config, '--approve', 'all', ...more]
      const call = await bench.runShared(['call', 'a', 'probe', '{}', ...options])
      const [server] = onlyJson(await bench.runShared(['servers', '--json', ...options])) as { sandbox: unknown }[]
      return [call.stdout.trim().split(' ')[0], server?.sandbox]
    }
    const grants = { kind: 'on', grants: { write: [notes] } }
    expect(await run(join(notes, 'a'))).toMatchObject(['a', grants])
    const config = bench.config({ a: { command: process.execPath, args: [join(folder, 'probe.mjs'), '/', '9', notes] } })
    const doctor = await bench.runShared(['doctor', 'a', '--json', '--config', config, '--approve', 'all'])
    expect(onlyJson(doctor)).toMatchObject([{ ok: true, sandbox: { ...grants, attempts: [] } }])
    expect(await run('sub/../../hidden')).toMatchObject(['ENOENT', grants])
    expect(await run('sub/../../hidden', '--sandbox', 'off')).toEqual(['S3CRET', { kind: 'off', by: 'option' }])
  })

  it('starts a package that npx fetches, which is installed before: inside, its registry is not reached', async () => {
    const registry = await startNpmRegistry()
    registry.publish('1.2.3')
    const config = bench.config({ notes: { command: 'npx', args: ['-y', 'notes-mcp'], cwd: bench.folder, sandboxEnabled: true } })
    const env = { npm_config_registry: registry.url, npm_config_cache: join(bench.folder, 'npm') }
    const call = await bench.runShared(['call', 'notes', 'say', '{}', '--config', config, '--approve', 'all'], env)
    await registry.close()
    expect([call.code, call.stdout.trim(), call.stderr]).toEqual([0, '1.2.3', expect.anything()])
  })
})
