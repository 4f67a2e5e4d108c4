// `npm run conformance [--gate] [SCENARIO …]`: every client scenario of the official suite against our host, or with an agent at its gate. A scenario passes when the suite
// says so and at least one of its checks was really made: the suite itself passes what it skipped. Nothing is expected to
// fail. Closes with `N passed, M failed`, which `npm test` reads from test-results/conformance.json.
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { isOfTheHost, runScenario, type Scenario } from './client.ts'

interface Check {
  readonly id: string
  readonly name: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly description: string
  readonly errorMessage?: string
}

const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'
/** The suite gives its command to a shell. */
const client = `"${process.execPath}" e2e/conformance/relay.mjs`

const gate = process.argv.includes('--gate')

/** The client is one process for all scenarios, each with a host of its own: a start of one costs more than most scenarios. */
const clients = createServer({ allowHalfOpen: true }, async (socket) => {
  const problem = await json(socket)
    .then((scenario) => runScenario(scenario as Scenario, gate))
    .catch((error: unknown) => error)
  socket.end(problem === undefined ? 'done' : inspect(problem))
}).listen(0, '127.0.0.1')
await once(clients, 'listening')

/** Each scenario starts the suite: read once, it starts in half the time. */
const cache = mkdtempSync(join(tmpdir(), 'assent-compiled-'))
const env = { ...process.env, NODE_COMPILE_CACHE: cache, CONFORMANCE_PORT: String((clients.address() as AddressInfo).port) }

function allScenarios(): string[] {
  const listed: SpawnSyncReturns<string> = spawnSync(process.execPath, [suite, 'list', '--client'], { encoding: 'utf8' })
  const names = [...listed.stdout.matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1] ?? '')
  if (names.length === 0) throw new Error(`The suite lists no scenarios: ${listed.stderr}`)
  return names
}

/** Undefined: it passed. */
async function run(scenario: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-suite-'))
  try {
    const child = spawn(
      process.execPath,
      [suite, 'client', '--command', client, '--timeout', '90000', '--scenario', scenario, '-o', folder],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env,
      },
    )
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)))
    const code = await new Promise((resolve) => child.once('close', resolve))
    if (process.env['CONFORMANCE_VERBOSE']) process.stdout.write(said)
    const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('checks.json'))
    const checks = file === undefined ? [] : (JSON.parse(readFileSync(join(folder, file), 'utf8')) as Check[])
    const wrong = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    if (wrong.length > 0) return wrong.map(({ id, description, errorMessage }) => `${id}: ${errorMessage ?? description}`).join('\n')
    if (!checks.some(({ status }) => status === 'SUCCESS')) return `none of its ${checks.length} checks was made`
    return code === 0 ? undefined : `the client failed\n${said.slice(-2000)}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const wanted = process.argv.slice(2).filter((argument) => argument !== '--gate')
const scenarios = wanted.length > 0 ? wanted : allScenarios().filter((scenario) => !gate || !isOfTheHost(scenario))
const queue = [...scenarios]
let passed = 0
let failed = 0
async function work(): Promise<void> {
  for (let scenario = queue.shift(); scenario !== undefined; scenario = queue.shift()) {
    const problem = await run(scenario)
    if (problem === undefined) passed += 1
    else failed += 1
    process.stdout.write(
      problem === undefined ? `passed  ${scenario}\n` : `FAILED  ${scenario}\n        ${problem.replaceAll('\n', '\n        ')}\n`,
    )
  }
}
// A process of its own would have ended with it.
process.on('unhandledRejection', (error) => {
  failed += 1
  process.stdout.write(`FAILED  something that nobody waited for\n        ${inspect(error)}\n`)
})
await Promise.all(Array.from({ length: 3 }, work))
rmSync(cache, { recursive: true, force: true })
mkdirSync('test-results', { recursive: true })
writeFileSync('test-results/conformance.json', JSON.stringify({ passed, failed }))
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
