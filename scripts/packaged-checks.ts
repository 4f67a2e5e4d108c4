// What differs between Node and a packaged Electron, asked of a running host by the contract's requests alone: worker threads out of the
// archive with their memory limits, SQLite's backup and search, certificates, a local server. `start-packaged.ts` runs it in the app.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { RequestName, RequestParams, RequestResult } from '#app/contract/requests.ts'
import { selfSigned } from '../e2e/servers/http/self-signed.ts'

export type Ask = <N extends RequestName>(name: N, params: RequestParams<N>) => Promise<RequestResult<N>>

const limit = 60_000
const server = 'checked'
/** Fails at 4000 times 2^12 leaves, each with an error that is kept: its worker runs out of memory or of time. */
const depths = 13
const vast = {
  type: 'object',
  $defs: Object.fromEntries(Array.from({ length: depths }, (_, depth) => [`a${depth}`, fork(depth)])),
  allOf: Array(4000).fill({ $ref: '#/$defs/a0' }),
}
function fork(depth: number): object {
  const next = { $ref: `#/$defs/a${depth + 1}` }
  return depth === depths - 1 ? { required: ['missing'] } : { anyOf: [next, { allOf: [next] }] }
}
const outputs: Readonly<Record<string, object>> = {
  fine: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  wrong: { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] },
  vast,
}

/** A server over stdio: lines of JSON-RPC, three tools that answer alike and declare different results. */
const program = `
const tools = ${JSON.stringify(Object.entries(outputs).map(([name, outputSchema]) => ({ name, inputSchema: { type: 'object' }, outputSchema })))}
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'checked', version: '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': () => ({ content: [{ type: 'text', text: '{"n":1}' }], structuredContent: { n: 1 } }),
  ping: () => ({}),
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const error = { code: -32601, message: 'Method not found' }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(answer ? { result: answer(params) } : { error }) }) + '\\n')
})`

/** Writes the server and the configuration that starts it by `node`. Call before the host starts. */
export function prepareProfile(dataDir: string, node: string): void {
  const file = join(dataDir, 'checked-server.cjs')
  writeFileSync(file, program)
  writeFileSync(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { [server]: { command: node, args: [file] } } }))
}

/** Answers of a person who allows everything, until it is stopped. */
function allowAll(ask: Ask) {
  let stopped = false
  const done = (async () => {
    while (!stopped) {
      const { consentRequests } = await ask('app.snapshot', {})
      for (const { id } of consentRequests) await ask('consent.answer', { id, answer: { kind: 'allow', scope: 'once' } })
      await wait(100)
    }
  })()
  return async (): Promise<void> => {
    stopped = true
    await done
  }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + limit
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Not within ${limit / 1000} s: ${what}`)
    await wait(100)
  }
}

/** `says` gets each check that holds. @throws Error at the first that does not */
export async function checkHost(ask: Ask, says: (line: string) => void): Promise<void> {
  const must = (holds: boolean, line: string): void => {
    if (!holds) throw new Error(`Not so: ${line}`)
    says(line)
  }
  const stop = allowAll(ask)
  try {
    await ask('server.start', { name: server })
    await until('the local server is ready', async () => {
      const { servers } = await ask('app.snapshot', {})
      return servers.find(({ name }) => name === server)?.state.kind === 'ready'
    })
    const call = async (tool: string): Promise<string> =>
      JSON.stringify(await ask('tool.call', { server, tool, arguments: {} }).catch(String))
    must((await call('fine')).includes('"n":1'), 'a local server runs, and its result fits its schema')
    must(!(await call('wrong')).includes('"structuredContent"'), 'a result that does not fit is refused: the worker validates')
    await call('vast')
    must((await call('fine')).includes('"n":1'), 'a schema that takes all memory and time ends its worker, and nothing else')

    await ask('import.begin', { mode: 'import' }).then(async ({ id }) => {
      const chat = { uuid: 'c', name: 'Imported', created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' }
      const message = { uuid: 'm', sender: 'human', text: 'a kestrel hovers', created_at: '2026-01-01T00:00:00Z' }
      const file = JSON.stringify([{ ...chat, chat_messages: [message] }])
      await ask('import.push', { id, base64: Buffer.from(file).toString('base64') })
      must((await ask('import.end', { id })).conversations === 1, 'a chat of another application is imported')
    })
    await until('a search finds it', async () => {
      const { hits } = await ask('search.find', { searcher: 'checks', text: 'kestrel', where: 'all' })
      return hits.length === 1
    })
    says('a search finds it')
    const backup = await ask('backup.write', { run: 'checks' })
    must((await ask('backup.check', { path: backup.path })).conversations === 1, 'a backup is written and can be read')

    const strange = createServer(selfSigned, (_request, response) => response.end('{"data":[]}'))
    await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve))
    const { port } = strange.address() as AddressInfo
    const code = await ask('endpoint.save', { name: 'Strange', baseUrl: `https://127.0.0.1:${port}/v1` }).then(
      () => 'saved',
      (error: { code?: string }) => error.code ?? String(error),
    )
    strange.close()
    must(/^model\./.test(code), `a host that no authority vouches for is refused (${code})`)
  } finally {
    await stop()
  }
}
