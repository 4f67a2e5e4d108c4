// Failures that come seldom, each of a program or a server that really fails so, as `assent doctor` tells of them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, copyFileSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DiagnosisCode, DoctorReport } from '#app/server/doctor.ts'
import { error, handshake, json, type RawHttp, rawHttp } from '../../../e2e/servers/http/raw-http.ts'
import { makeCliBench, onlyJson } from './cli.testing.ts'

const bench = makeCliBench()
const root = join(import.meta.dirname, '../../..')
const open: RawHttp[] = []
let deaf: ChildProcess | undefined
let written = -1
let reports: DoctorReport[] = []

/** A program of these lines, which answers whatever it is asked with what follows `answer` there. */
const answering = (name: string, answer: string): { command: string; args: string[] } => {
  const file = join(bench.folder, `${name}.mjs`)
  const lines = `import { createInterface } from 'node:readline'
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line)
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ${answer} }) + '\\n')
})`
  writeFileSync(file, lines)
  return { command: process.execPath, args: [file] }
}
/** A program that somebody still writes to. */
function busyProgram(): string {
  const file = join(bench.folder, 'half-copied')
  copyFileSync('/bin/true', file)
  chmodSync(file, 0o755)
  written = openSync(file, 'r+')
  return file
}
/** The address of a computer that takes no connection and refuses none. */
async function silentAddress(): Promise<string> {
  deaf = spawn(process.execPath, [join(root, 'e2e/servers/http/deaf-port.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(deaf.stdout ?? deaf, 'data')) as [Buffer]
  return `http://127.0.0.1:${String(port).trim()}/mcp`
}
async function serve(...options: Parameters<typeof rawHttp>): Promise<string> {
  const raw = await rawHttp(...options)
  open.push(raw)
  return raw.url
}
/** It breaks off in the middle of its answer to the greeting. */
const breaksOff = (): Promise<string> =>
  serve(({ message }, response) => {
    if (message.method !== 'initialize') json(response, error(message, { code: -32601, message: 'no' }))
    else {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
      response.write('{"jsonrpc":"2.0",', () => response.destroy())
    }
    return true
  })
/** The name of its session would be a header of its own. */
const oddSession = (): Promise<string> =>
  serve(({ message }, response) => {
    const answer = handshake(message, '2025-06-18')
    if (answer === undefined) return false
    json(response, answer, message.method === 'initialize' ? { 'mcp-session-id': 'caf\u00e9 au lait' } : {})
    return true
  })

beforeAll(async () => {
  const config = bench.config({
    busy: { command: busyProgram() },
    'odd-header': { url: 'https://mcp.example.test/mcp', headers: { 'X-Room': 'one\ntwo' } },
    'name-in-address': { url: 'https://ann:hunter22@mcp.example.test/mcp' },
    'neither-nor': answering('neither-nor', 'result: 5, error: "no"'),
    'odd-session': { url: await oddSession() },
    endless: answering('endless', 'result: { text: "x".repeat(17 * 1024 * 1024) }'),
    'breaks-off': { url: await breaksOff() },
    silent: { url: await silentAddress() },
  })
  const run = await bench.run(['doctor', '--config', config, '--approve', 'all', '--json'])
  expect(run.code).toBe(1)
  reports = onlyJson(run) as DoctorReport[]
}, 60_000)
afterAll(async () => {
  deaf?.kill('SIGKILL')
  if (written !== -1) closeSync(written)
  await Promise.all(open.map((each) => each.close()))
  await bench.remove()
})

/** Of a server, what the doctor says of it: its code, and what its words must hold. */
it.each<[string, DiagnosisCode, string[]]>([
  ['busy', 'could-not-start', ['half-copied', 'ETXTBSY', 'Try again later']],
  ['odd-header', 'invalid-value', ['X-Room', 'Correct the value']],
  ['name-in-address', 'invalid-value', ['Authorization', 'Edit']],
  ['neither-nor', 'broke-the-protocol', ['an invalid message', 'report it']],
  ['odd-session', 'broke-the-protocol', ['visible ASCII', 'report it']],
  ['endless', 'sent-too-much', ['sent too much', 'Ask for less at once']],
  ['breaks-off', 'connection-lost', ['closed the connection', 'Try again']],
  ['silent', 'no-answer', ['Check the address', 'Check the address']],
])('%s: %s', (name, code, words) => {
  const { ok, diagnosis } = reports.find(({ server }) => server === name) ?? {}
  expect([ok, diagnosis?.code]).toEqual([false, code])
  for (const word of words) expect(JSON.stringify(diagnosis)).toContain(word)
})
it('nothing of a secret is told', () => expect(JSON.stringify(reports)).not.toContain('hunter22'))

it('what nobody foresaw is told in the words of the error: the profile is changed by another program while a server starts', async () => {
  const profile = join(bench.folder, 'profile')
  const file = join(bench.folder, 'meddles.mjs')
  const lines = `import { DatabaseSync } from 'node:sqlite'
new DatabaseSync(${JSON.stringify(join(profile, 'assent.db'))}).exec('DROP TABLE server_memory')
await import(${JSON.stringify(join(root, 'e2e/servers/raw/tools.ts'))})`
  writeFileSync(file, lines)
  const config = bench.config({ meddles: { command: process.execPath, args: [file] } })
  const run = await bench.run(['doctor', '--config', config, '--data-dir', profile, '--approve', 'all', '--json'])
  const [report] = onlyJson(run) as DoctorReport[]
  expect([report?.ok, report?.diagnosis?.code]).toEqual([false, 'unexplained'])
  expect(report?.diagnosis).toMatchObject({ why: expect.stringContaining('SQLite'), actions: [{ kind: 'retry' }, { kind: 'log' }] })
})

it('one that nobody allowed to run was not run', async () => {
  const config = bench.config({ a: answering('a', 'result: {}') })
  const run = await bench.run(['doctor', '--config', config, '--approve', 'none', '--json'])
  const [report] = onlyJson(run) as DoctorReport[]
  expect([run.code, report?.diagnosis?.code, report?.exit, report?.resolved]).toEqual([3, 'refused-by-you', null, null])
})
