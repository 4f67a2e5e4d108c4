// `npm run conformance:servers`: the official suite's server scenarios against the fixture directly, and against the gate over HTTP with the
// fixture behind it. A check that fails through the gate and not directly has to stand in `differences` with its
// reason, and each of those has to fail still.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openGate, openHost } from './host.ts'
import { serveFixture } from './server-fixture.ts'

const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'

/** Gives each request the token of an agent, which the suite cannot send. Host and Origin go on as they came, but for the relay's own. */
async function relay(url: string, token: string) {
  const { port } = new URL(url)
  const server = createServer((incoming, response) => {
    const own = String((server.address() as AddressInfo).port)
    const theirs = (value: string): string =>
      value.replace(/\b(localhost|127\.0\.0\.1):\d+/, (all, name: string) => (all === `${name}:${own}` ? `${name}:${port}` : all))
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, name === 'host' || name === 'origin' ? theirs(String(value)) : value]),
    )
    const onward = request({
      host: '127.0.0.1',
      port,
      path: '/mcp',
      method: incoming.method,
      headers: { ...headers, authorization: `Bearer ${token}` },
    })
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      response.flushHeaders()
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.once('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, close: () => server.closeAllConnections() }
}

/** A host with the fixture as its one server, and an agent's token at its port. */
async function openRelayed(fixture: string) {
  const { host, dispose } = openHost(fixture)
  const { url, token } = await openGate(host)
  const through = await relay(url, token)
  return {
    url: through.url,
    async close() {
      through.close()
      await dispose()
    },
  }
}

/** Outcome of each check, by scenario and id. */
async function run(url: string, revision: string): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-suite-'))
  const args = [suite, 'server', '--url', url, '--suite', 'all', '--spec-version', revision, '-o', folder]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  await new Promise((resolve) => child.once('close', resolve))
  const found = new Map<string, string>()
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('checks.json'))
    .sort()) {
    const scenario = path.replace(/^server-/, '').replace(/-\d{4}-.*$/, '')
    for (const { id, status, errorMessage } of JSON.parse(readFileSync(join(folder, path), 'utf8')))
      found.set(`${scenario}:${id}`, status === 'FAILURE' ? `FAILURE ${errorMessage ?? ''}` : status)
  }
  rmSync(folder, { recursive: true, force: true })
  return found
}

/** Checks whose outcome through the gate is another one, and why. One that is the same again fails the run: it has to go. */
const differences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '2025-11-25': {},
  '2026-07-28': {
    'input-required-result-ignore-extra-params:sep-2322-ignore-unexpected-params':
      'the suite answers what was not asked: the gate passes on answers to open questions alone',
    'server-stateless:sep-2575-server-rejects-undeclared-capability': 'sampling that an agent cannot do is asked in Assent',
    'server-stateless:sep-2575-missing-capability-http-400': 'the same',
    'server-stateless:sep-2575-server-sends-prompts-list-changed-on-subscription':
      'the fixture says so of a list that is the same; the gate tells of changes',
    'server-stateless:sep-2575-server-sends-tools-list-changed-on-subscription': 'the same',
  },
}

let wrong = 0
for (const [revision, known] of Object.entries(differences)) {
  const fixture = await serveFixture(revision < '2026')
  const gate = await openRelayed(fixture.url)
  const [direct, through] = [await run(fixture.url, revision), await run(gate.url, revision)]
  await gate.close()
  await fixture.close()
  const passed = (all: Map<string, string>): number => [...all.values()].filter((status) => status === 'SUCCESS').length
  process.stdout.write(
    `${revision}: ${passed(direct)} of ${direct.size} checks passed directly, ${passed(through)} of ${through.size} through the gate\n`,
  )
  const say = (what: string, check: string, why = ''): void => {
    wrong += 1
    process.stdout.write(`FAILED  ${what}: ${check} ${why}\n`)
  }
  for (const [check, status] of direct) if (status.startsWith('FAILURE')) say('directly', check, status)
  for (const check of new Set([...direct.keys(), ...through.keys(), ...Object.keys(known)])) {
    const [one = 'absent', other = 'absent'] = [direct.get(check), through.get(check)]
    // A check may come under another name where it fails.
    const isSame = one === other || (one === 'absent' && !other.startsWith('FAILURE'))
    if (!isSame && known[check] === undefined) say('through the gate', check, `${one}, ${other}`)
    if (isSame && known[check] !== undefined) say('no longer differs', check)
  }
}
process.stdout.write(`${wrong === 0 ? 'passed' : 'FAILED'}\n`)
process.exit(wrong === 0 ? 0 : 1)
