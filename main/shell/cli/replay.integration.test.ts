// Calls that were made by hand while the inspector looked on, made again by the command line: by the line that is copied from a row,
// in a real shell, and from the saved file.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { callCommand } from '#app/server/call-command.ts'
import { messageLines, recordedCalls, type WireMessage } from '#app/server/wire-message.ts'
import { approve, closeServers, makeServers } from '#main/servers/lifecycle/servers.testing.ts'
import { type CliBench, entry, everythingServer, jsonLines, makeCliBench, onlyJson } from './cli.testing.ts'

const server = 'everything'
const secret = 'hunter2-hunter2'
const made: readonly (readonly [string, JsonObject])[] = [
  ['echo', { message: `it's "$HOME" \`id\` ‘x’\n\u202e` }],
  ['get-sum', { a: 2, b: 0.5 }],
  ['get-structured-content', { location: 'Chicago' }],
]
let bench: CliBench
let config: string
let messages: WireMessage[]
beforeAll(async () => {
  bench = makeCliBench()
  config = bench.config({ [server]: everythingServer })
  const servers = makeServers({
    [server]: { transport: 'stdio', enabled: true, start: 'needed', trusted: false, env: { MY_TOKEN: secret }, ...everythingServer },
  })
  servers.inspector(server).inspect('on')
  await servers.start(server)
  const { signal } = new AbortController()
  for (const [tool, args] of [...made, ['echo', { message: secret }] as const])
    await servers.call(approve(servers, server, tool, args), { signal })
  messages = servers.inspector(server).journal.all()
  await closeServers()
})
afterAll(() => bench.remove())

const resultsOnTheWire = (): unknown[] =>
  messages.filter(({ kind, method }) => kind === 'result' && method === 'tools/call').map(({ text }) => JSON.parse(text).result)

it('a row’s copied line calls the same, and gets the same', () => {
  const calls = recordedCalls(messageLines(messages))?.flatMap((one) => (one.kind === 'call' ? [one] : [])) ?? []
  expect(calls.map(({ tool, arguments: args }) => [tool, args])).toEqual(made)
  const [first] = calls
  const line = first && callCommand({ server, ...first }, 'posix')
  const { stdout } = spawnSync(
    'sh',
    ['-c', `assent() { '${process.execPath}' '${entry}' "$@"; }\n${line} --config ${config} --approve all`],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: bench.folder, ASSENT_NO_KEYRING: '1', ASSENT_DATA_DIR: '' },
    },
  )
  expect(JSON.parse(stdout).result).toEqual(resultsOnTheWire()[0])
})

it('the saved file makes all of its calls again, but for one whose secret was not saved', async () => {
  const file = join(bench.folder, 'messages.jsonl')
  writeFileSync(file, messageLines(messages))
  const run = await bench.run(['call', server, '--from', file, '--config', config, '--approve', 'all', '--json'])
  expect(jsonLines(run).map(({ tool, result }) => [tool, result])).toEqual(made.map(([tool], at) => [tool, resultsOnTheWire()[at]]))
  expect([run.code, run.stderr !== '']).toEqual([1, true])
})

it('a file that is none calls nothing', async () => {
  const run = await bench.run(['call', server, '--from', config, '--config', config, '--approve', 'all', '--json'])
  expect([run.code, JSON.parse(run.stdout).error.code]).toEqual([1, 'call.not-recorded'])
})

it('a call ends after the time that its own line gives it, in place of its server’s', async () => {
  const post = { command: process.execPath, args: [join(import.meta.dirname, '../../../e2e/servers/raw/holds.ts')], timeout: 600_000 }
  const slow = bench.config({ post })
  const run = await bench.runShared(['call', 'post', 'hold', '--timeout', '0.3', '--config', slow, '--approve', 'all', '--json'])
  expect([run.code, onlyJson(run)]).toMatchObject([1, { error: { code: 'tool.timeout' } }])
})
