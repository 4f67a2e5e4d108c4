// A server whose list of tools fails, as each command tells of it. The answers are those of @supabase/mcp-server-supabase
// 0.13.0 and firebase-tools 15.34.2: see the program.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CliBench, everythingServer, makeCliBench, onlyJson } from './cli.testing.ts'

let bench: CliBench
beforeAll(() => {
  bench = makeCliBench()
})
afterAll(() => bench.remove())

const lists = join(import.meta.dirname, '../../../e2e/servers/raw/lists.ts')
const listing = (kind: string) => ({ command: process.execPath, args: [lists, kind] })

it.each([
  ['supabase', 'fetch failed'],
  ['firebase', 'Failed to fetch remote tools'],
])('a server whose list of tools fails (%s) is a failed one', async (kind, words) => {
  const ask = (command: string, servers: Record<string, unknown>) =>
    bench.runShared([command, '--config', bench.config(servers), '--approve', 'all', '--json'])
  const told = `assent: “a”: did not list its tools. It wrote: “${words}`

  const tools = await ask('tools', { a: listing(kind) })
  expect([tools.code, onlyJson(tools), tools.stderr.includes(told)]).toEqual([1, [], true])
  const servers = await ask('servers', { a: listing(kind) })
  expect([servers.code, servers.stderr.includes(told)]).toEqual([0, true])
  expect(onlyJson(servers)).toMatchObject([{ name: 'a', state: { kind: 'failed' }, tools: 0, error: { code: 'server.list-failed' } }])
  const doctor = await ask('doctor', { a: listing(kind) })
  expect([doctor.code, doctor.stderr.includes(told)]).toEqual([1, true])
  expect(onlyJson(doctor)).toMatchObject([{ server: 'a', ok: false, diagnosis: { code: 'list-failed' } }])

  const some = await ask('tools', { a: listing(kind), everything: everythingServer })
  expect([some.code, some.stderr.includes(told)]).toEqual([0, true])
  expect(new Set((onlyJson(some) as { server: string }[]).map(({ server }) => server))).toEqual(new Set(['everything']))
})

it('a list of resources or prompts that fails is a warning', async () => {
  const config = bench.config({ a: listing('half') })
  const run = await bench.runShared(['servers', '--config', config, '--approve', 'all', '--json'])
  expect(onlyJson(run)).toMatchObject([
    { name: 'a', state: { kind: 'ready' }, tools: 1, error: null, warnings: [expect.stringContaining('prompts/list: no poems')] },
  ])
})

it('a chat that is answered without a server says so on stderr, and ends', async () => {
  const config = bench.config({ a: listing('mixed'), b: listing('supabase') })
  const ask = (approve: string) =>
    bench.runShared(['chat', '-p', 'Hello', '--model', 'practice/practice', '--config', config, '--approve', approve, '--json'])
  const [none, all] = [await ask('none'), await ask('all')]
  const summaries = [none, all].map(({ stderr }) => /^assent: It answered without (.*)\.$/m.exec(stderr)?.[1])
  expect(summaries).toEqual(['a (not allowed), b (not allowed)', 'b (did not list its tools)'])
  expect(all.stderr).toContain('assent: “b”: did not list its tools. It wrote: “fetch failed”. Check its key')
  expect([none.code, all.code]).toEqual([3, 0])
})

it('a call of a server that does not start says why, and what to do', async () => {
  const program = 'console.error("Error: LEDGER_API_KEY environment variable is required"); process.exit(1)'
  const config = bench.config({ a: { command: process.execPath, args: ['-e', program] } })
  const run = await bench.runShared(['call', 'a', 'sum', '{}', '--config', config, '--approve', 'all', '--json'])
  const told =
    '“a”: needs LEDGER_API_KEY. It wrote: “Error: LEDGER_API_KEY environment variable is required”. Add LEDGER_API_KEY to its environment.'
  expect([run.code, onlyJson(run), run.stderr.trim()]).toMatchObject([
    1,
    { error: { code: 'server.exited', message: told } },
    `assent: ${told}`,
  ])
})
