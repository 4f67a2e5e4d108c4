// `assent import --from`: once as a script runs it, else on a host of the test's own.

import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Readable, Writable } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { afterAll, expect, it } from 'vitest'
import { homeVariables } from '#main/base/this-system.testing.ts'
import { makeTestHost } from '#main/host/host.testing.ts'
import { bytes, startFileServer } from '../../../e2e/servers/registry/file-server.ts'
import { makeCliBench } from './cli.testing.ts'
import { importServers } from './commands/import-servers.ts'
import { createCliOutput } from './output.ts'

const bench = makeCliBench()
const started = join(bench.folder, 'started')
const program = { command: process.execPath, args: ['-e', `require('fs').writeFileSync(${JSON.stringify(started)}, '')`] }
const cursor = join(bench.folder, '.cursor/mcp.json')
mkdirSync(join(bench.folder, '.cursor'))
writeFileSync(
  cursor,
  JSON.stringify({
    mcpServers: { notes: { ...program, env: { API_TOKEN: 'hunter22-0123456789' } }, 'Demo ': { url: 'https://far.example/mcp' } },
  }),
)
const { host, dataDir, remove } = makeTestHost({
  env: homeVariables(bench.folder),
  servers: JSON.stringify({ mcpServers: { demo: { url: 'https://here.example/mcp' } } }),
  policy: async () => ({ kind: 'deny' }),
})
afterAll(async () => {
  await remove()
  await bench.remove()
})

async function run(from: string, more: { readonly server?: string; readonly approve?: 'all' } = {}) {
  let text = ''
  const out = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  const { approve = 'none', ...options } = more
  const code = await importServers({
    host,
    options: { json: true, verbose: false, verify: false, open: false, port: 0, from, ...options },
    output: createCliOutput(true, out, new Writable({ write: (_chunk, _encoding, done) => done() })),
    approve,
    signal: new AbortController().signal,
    refused: () => false,
    joined: false,
    setModel: () => undefined,
  })
  return { code, told: JSON.parse(text || 'null') }
}

it('lists what a program has, and marks a name that looks like one that is here; nothing is written', async () => {
  const before = readFileSync(join(dataDir, 'servers.json'), 'utf8')
  const shown = { program: 'cursor', file: cursor, state: 'new' }
  expect(await run('cursor')).toMatchObject({
    code: 0,
    told: {
      servers: [
        { ...shown, name: 'notes', as: 'notes', secrets: ['API_TOKEN'], alike: [] },
        { ...shown, name: 'Demo', as: null, alike: ['demo'] },
      ],
      outcome: 'listed',
    },
  })
  expect((await run('all', { server: 'Demo' })).told.servers.map(({ as }: { as: string | null }) => as)).toEqual([null, 'Demo'])
  expect(readFileSync(join(dataDir, 'servers.json'), 'utf8')).toBe(before)
})

it('lists the servers that a site names, and writes none', async () => {
  const before = readFileSync(join(dataDir, 'servers.json'), 'utf8')
  const site = await startFileServer()
  const card = { name: 'com.example/weather', version: '1.0.0', remotes: [{ type: 'streamable-http', url: `${site.url}/mcp` }] }
  const entries = [{ type: 'application/mcp-server-card+json', data: card }]
  site.files.set('/.well-known/ai-catalog.json', bytes(JSON.stringify({ specVersion: '1.0', entries }), 'application/json'))
  const { code, told } = await run(site.url)
  await site.close()
  expect([code, told.servers.map(({ name, command }: { name: string; command: string }) => [name, command])]).toEqual([
    0,
    [['weather', `${site.url}/mcp`]],
  ])
  expect(readFileSync(join(dataDir, 'servers.json'), 'utf8')).toBe(before)
})

it('finds those of a file; a refusal is 3, a program that is none 2, nothing found 1', async () => {
  const file = bench.config({ far: { url: 'https://far.example/mcp' } })
  expect(await run(file)).toMatchObject({ code: 0, told: { servers: [{ name: 'far', program: 'other', as: 'far' }] } })
  expect((await run(file, { approve: 'all' })).code).toBe(3)
  expect([(await run('curser')).code, (await run('zed')).code]).toEqual([2, 1])
})

it('writes what is new with a yes from the command line, keeps no secret in the file, and starts nothing', async () => {
  const profile = join(bench.folder, 'profile')
  const { code, stdout, stderr } = await bench.run(['import', '--from', 'cursor', '--approve', 'all', '--data-dir', profile])
  const written = readFileSync(join(profile, 'servers.json'), 'utf8')
  expect([code, written.includes('"notes"'), existsSync(started)]).toEqual([0, true, false])
  expect(`${written}${stdout}${stderr}`).not.toContain('hunter22')
})

it('says what it reads on stdin, with notes and what will be asked for, and writes nothing', async () => {
  const profile = join(bench.folder, 'read-only')
  const child = bench.start(['import', '--from', '-', '--dry-run', '--json', '--data-dir', profile], {}, 'pipe')
  child.stdin?.end('claude mcp add far https://far.example/mcp -H "X-Key: <your-key>" --odd')
  const [out, [code]] = await Promise.all([readAll(child.stdout as Readable), once(child, 'exit')])
  const [server] = JSON.parse(out).servers
  expect([code, server.definition.url, server.inputs, server.notes]).toEqual([
    0,
    'https://far.example/mcp',
    ['x-key'],
    ['“--odd” was left out.'],
  ])
  expect(existsSync(join(profile, 'servers.json')) && readFileSync(join(profile, 'servers.json'), 'utf8')).not.toContain('far.example')
})
