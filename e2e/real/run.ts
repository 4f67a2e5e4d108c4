// `npm run real [-- --only WORDS --cache DIR --sandbox off --markdown FILE]`: real servers from npm, each started as a person would start it:
// one entry, the sandbox that is suggested for it, one yes. What it then is refused is allowed once at most, which counts as a question.
// Each that was given arguments or variables is then started without any, as after a paste, to see which reason is told.
// Not part of `npm test`: it needs the registry of npm, and takes minutes.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { JsonObject } from '#app/json.ts'
import { orElse } from '#app/or-else.ts'
import { newId } from '#main/base/ids.ts'
import { createMemorySecrets } from '#main/base/secret-store.ts'
import { createHost, type Host } from '#main/host.ts'
import { createNodePlatform } from '#main/shell/node/node-platform.ts'

interface RealServer {
  readonly name: string
  readonly package: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly call?: readonly [tool: string, args: JsonObject]
}

interface Row {
  readonly name: string
  readonly package: string
  readonly version: string
  readonly started: boolean
  readonly tools: number
  readonly call: string
  readonly ms: number
  readonly sandbox: string
  readonly granted: readonly string[]
  readonly refused: readonly string[]
  readonly questions: number
  /** Sentence of the doctor; empty when it started. */
  readonly said: string
  /** Processes that carry the mark of this run after the server was stopped. Linux only. */
  readonly leftovers: number
  /** Started without its arguments and variables; undefined when it has none. */
  readonly bare?: { readonly started: boolean; readonly ms: number; readonly said: string }
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    cache: { type: 'string', default: join(tmpdir(), 'assent-real-servers') },
    sandbox: { type: 'string' },
    markdown: { type: 'string' },
  },
})

const cache = resolve(values.cache)
const dataDir = join(cache, 'profile')
const folder = join(cache, 'folder')

/** Keeps nothing of an earlier run but its installed packages. */
function prepare(): void {
  mkdirSync(folder, { recursive: true })
  mkdirSync(dataDir, { recursive: true })
  for (const name of readdirSync(dataDir)) if (name !== 'packages') rmSync(join(dataDir, name), { recursive: true, force: true })
  mkdirSync(join(folder, '.obsidian'), { recursive: true })
  writeFileSync(join(folder, 'note.md'), '# A note\n')
  const client = { client_id: 'none', client_secret: 'none', redirect_uris: ['http://localhost:3000/oauth2callback'] }
  writeFileSync(join(folder, 'gcp-oauth.keys.json'), JSON.stringify({ installed: client }))
  const openapi = { openapi: '3.0.0', info: { title: 'a', version: '1' }, paths: { '/a': { get: { operationId: 'a', responses: {} } } } }
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openapi))
}

const withFolder = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('$FOLDER', folder))

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`nothing within ${ms / 1000} s`)), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

const mark = newId()
/** Variable that marks the processes of this run. */
const marked = (): Record<string, string> => ({ ASSENT_REAL: mark })

function leftovers(): number {
  const pids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  return pids.filter((pid) => {
    const environment = orElse(() => readFileSync(`/proc/${pid}/environ`, 'latin1'), '')
    return environment.split('\0').includes(`ASSENT_REAL=${mark}`)
  }).length
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''

async function callTool(host: Host, { name: server, call }: RealServer): Promise<string> {
  if (!call) return ''
  const { broker, servers } = host.context
  const tool = servers.catalogue(server).tools.find((entry) => entry.name === call[0])
  if (!tool) return `no ${call[0]}`
  const { signal } = new AbortController()
  const args = withFolder(call[1]) as JsonObject
  const verdict = await broker.toolCall({ server, callId: newId(), tool, trusted: false, local: true, arguments: args, signal })
  if (verdict.kind !== 'allowed') return verdict.kind
  const outcome = await inTime(servers.call(verdict.approval, { ...verdict.approval, signal }), 30_000)
  return JSON.stringify(outcome).includes('"isError":true') ? 'error' : 'ok'
}

async function attemptsOf(host: Host, name: string) {
  const { attempts } = await host.request('server.sandboxAttempts', { name })
  return attempts.filter(({ refused }) => refused !== undefined)
}

async function explain(host: Host, name: string, error: unknown): Promise<string> {
  const report = await host.request('server.doctor', { name }).catch(() => undefined)
  if (!report?.diagnosis) return reason(error)
  const { code, message, why, remedy } = report.diagnosis
  return `${code}: ${message} ${why} → ${remedy}`.replaceAll(folder, 'FOLDER')
}

/** Starts it without arguments and variables, in the same installation. */
async function playBare(host: Host, { name, package: id, args = [], env = {} }: RealServer): Promise<Row['bare']> {
  const whole = host.context.config.definitions().get(name)
  if ((args.length === 0 && Object.keys(env).length === 0) || whole?.transport !== 'stdio') return undefined
  await host.request('server.save', { name, definition: { ...whole, args: ['-y', id], env: marked() } })
  const begun = performance.now()
  const said = await inTime(host.context.servers.start(name), 300_000).then(
    () => '',
    (error: unknown) => explain(host, name, error),
  )
  const ms = Math.round(performance.now() - begun)
  await inTime(host.context.servers.stop(name), 10_000).catch(() => undefined)
  return { started: said === '', ms, said }
}

async function play(host: Host, server: RealServer): Promise<Row> {
  const { name } = server
  const begun = performance.now()
  let questions = 0
  let said = ''
  let isStarted = false
  for (;;) {
    try {
      await inTime(host.context.servers.start(name), 300_000)
      isStarted = true
      said = ''
    } catch (error) {
      said = await explain(host, name, error)
    }
    const open = isStarted || questions > 0 ? [] : (await attemptsOf(host, name)).filter(({ allowance }) => allowance === 'click')
    if (open.length === 0) break
    questions += 1
    for (const { kind, target, port } of open)
      await host.request('server.answerSandboxAttempt', {
        name,
        attempt: { kind, target, ...(port === undefined ? {} : { port }) },
        answer: 'once',
      })
  }
  const ms = Math.round(performance.now() - begun)
  const call = isStarted ? await callTool(host, server).catch(reason) : ''
  const refused = (await attemptsOf(host, name)).map(
    ({ kind, target, port, count, refused: why }) => `${kind} ${target}${port ? `:${port}` : ''} ×${count} (${why})`,
  )
  const kept = host.context.store.rules.launch(name)?.target
  const sandbox = kept?.transport === 'stdio' ? kept.sandbox : undefined
  const granted =
    sandbox?.kind === 'on'
      ? [...sandbox.read.map((path) => `read ${path}`), ...sandbox.write.map((path) => `write ${path}`), ...sandbox.hosts]
      : []
  const tools = isStarted ? host.context.servers.catalogue(name).tools.length : 0
  await inTime(host.context.servers.stop(name), 10_000).catch((error: unknown) => (said = `not stopped: ${reason(error)}`))
  return {
    name,
    package: server.package,
    version: kept?.transport === 'stdio' ? (kept.package?.version ?? '') : '',
    started: isStarted,
    tools,
    call,
    ms,
    sandbox: sandbox?.kind ?? 'none',
    granted: granted.map((one) => one.replaceAll(folder, 'FOLDER')),
    refused: refused.map((one) => one.replaceAll(folder, 'FOLDER')),
    questions,
    said,
    leftovers: leftovers(),
  }
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const markdown = (rows: readonly Row[]): string =>
  [
    '| package | version | sandbox | tools | call | seconds | left | granted | refused | questions | what the doctor says | without arguments and variables |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows.map((row) =>
      [
        '',
        row.package,
        row.version,
        row.sandbox,
        row.started ? row.tools : 'not started',
        row.call,
        (row.ms / 1000).toFixed(1),
        row.leftovers,
        row.granted.join(', '),
        row.refused.join(', '),
        row.questions,
        row.said,
        row.bare === undefined ? '' : row.bare.said || 'starts',
        '',
      ]
        .map((one) => cell(String(one)))
        .join(' | ')
        .trim(),
    ),
  ].join('\n')

prepare()
const all = (JSON.parse(readFileSync(join(import.meta.dirname, 'servers.json'), 'utf8')) as RealServer[]).filter(({ name }) =>
  values.only === '' ? true : values.only.split(',').includes(name),
)
const entries = all.map(({ name, package: id, args = [], env = {} }) => [
  name,
  {
    command: 'npx',
    args: ['-y', id, ...(withFolder([...args]) as string[])],
    env: { ...(withFolder(env) as object), ...marked() },
    startTimeout: 60_000,
  },
])
const configFile = join(cache, 'servers.json')
writeFileSync(configFile, JSON.stringify({ mcpServers: Object.fromEntries(entries) }, null, 2))
const host = createHost({
  dataDir,
  configFile,
  version: 'real',
  startServers: false,
  platform: createNodePlatform({ kind: 'cli', secrets: createMemorySecrets() }),
  policy: () => ({ kind: 'allow', scope: 'always' }),
  ...(values.sandbox === 'on' || values.sandbox === 'off' ? { sandbox: values.sandbox } : {}),
})
const rows: Row[] = []
for (const server of all) {
  const played = await play(host, server)
  const bare = await playBare(host, server)
  const row: Row = { ...played, ...(bare && { bare }), leftovers: Math.max(played.leftovers, leftovers()) }
  rows.push(row)
  process.stdout.write(`${JSON.stringify(row)}\n`)
}
await host.dispose()
const good = rows.filter(({ started, tools, questions }) => started && tools > 0 && questions === 0)
process.stdout.write(
  `${rows.length} servers; ${good.length} answered with the suggested grants alone, ${rows.filter((row) => row.started && row.questions > 0).length} after one question\n`,
)
if (values.markdown !== undefined) writeFileSync(resolve(values.markdown), `${markdown(rows)}\n`)
if (existsSync(configFile)) rmSync(configFile)
