// A flow on the command line: rules of the profile allow both calls by themselves, and what they make together is asked all the same.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMemorySecrets } from '#main/base/secret-store.ts'
import { say } from '../../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../../e2e/model-server/server.ts'
import { json, type RawHttp, rawHttp, result } from '../../../e2e/servers/http/raw-http.ts'
import { createTestPlatform, makeTestHost } from '../../host/host.testing.ts'
import { surroundings } from '../node/data-dir.ts'
import { openStateKey } from '../node/state-key.ts'
import { type CliBench, jsonLines, makeCliBench } from './cli.testing.ts'

let bench: CliBench
let dataDir: string
let servers: readonly RawHttp[]
let model: ModelServer
let posted: number
/** Tools that the model calls, one after the other, at each message of the person. */
let calls: readonly string[]

/** A server with one tool, which says nothing of itself. */
const withTool = (name: string, text: string, onCall = (): void => undefined): Promise<RawHttp> =>
  rawHttp(({ verb, message }, response) => {
    if (verb !== 'POST') return false
    if (message.id === undefined) return void response.writeHead(202).end()
    const said = (): object => {
      if (message.method === 'initialize')
        return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name, version: '1' } }
      if (message.method === 'tools/list') return { tools: [{ name, inputSchema: { type: 'object' } }] }
      if (message.method !== 'tools/call') return {}
      onCall()
      return { content: [{ type: 'text', text }] }
    }
    return void json(response, result(message, said() as never))
  })

beforeEach(async () => {
  bench = makeCliBench()
  dataDir = mkdtempSync(join(tmpdir(), 'assent-flow-'))
  posted = 0
  const [notes, board] = [await withTool('read', 'The code of the safe is 4711.'), await withTool('post', 'Posted.', () => (posted += 1))]
  servers = [notes, board]
  writeFileSync(
    join(dataDir, 'servers.json'),
    JSON.stringify({ mcpServers: { notes: { type: 'http', url: notes.url }, board: { type: 'http', url: board.url } } }),
  )
  model = await startModelServer({
    script: ({ body }) => {
      const messages = body['messages'] as readonly { readonly role: string; readonly content: unknown }[]
      const done = messages.filter(({ role, content }) => role === 'user' && JSON.stringify(content).includes('tool_result')).length
      const name = calls[done]
      return name === undefined
        ? say('Done.')
        : { kind: 'message', blocks: [{ type: 'tool_use', name, input: {} }], stopReason: 'tool_use' }
    },
  })
  // The person has allowed each tool for always, in a chat of its own.
  // The key by which the command will know what was allowed: it has this home, and no keyring.
  const where = { ...surroundings(), env: { ASSENT_NO_KEYRING: '1' }, home: bench.folder }
  const stateKey = openStateKey({ dataDir, where })
  const { host } = makeTestHost({
    dataDir,
    stateKey,
    env: environment(),
    platform: { ...createTestPlatform(), secrets: createMemorySecrets() },
  })
  host.onEvent((event) => {
    if (event.name !== 'consent.opened') return
    const { id, kind } = event.payload.request
    void host.request('consent.answer', { id, answer: { kind: 'allow', scope: kind === 'tool-call' ? 'always' : 'once' } })
  })
  await host.request('models.refresh', {})
  for (const name of ['notes__read', 'board__post']) {
    calls = [name]
    const { conversationId } = await host.request('chat.send', { text: 'Please.', model: 'anthropic/claude-small-1' })
    await host.request('chat.wait', { conversationId })
  }
  await host.dispose()
  posted = 0
})
afterEach(async () => {
  await Promise.all([bench.remove(), model.close(), ...servers.map((one) => one.close())])
  rmSync(dataDir, { recursive: true, force: true })
})

const environment = (): Record<string, string> => ({
  ANTHROPIC_BASE_URL: model.url,
  ANTHROPIC_API_KEY: 'sk-ant-test',
  ASSENT_LOCAL_MODEL_PORTS: '',
})
async function chat(approve: string, ...names: readonly string[]) {
  calls = names
  const args = ['chat', '-p', 'Please.', '--model', 'anthropic/claude-small-1', '--data-dir', dataDir, '--approve', approve, '--json']
  const run = await bench.runShared(args, environment())
  const decisions = jsonLines(run).filter(({ type }) => type === 'consent')
  return { code: run.code, decisions: decisions.map(({ decision, by }) => `${String(decision)} by ${String(by)}`), posted }
}

it('--approve none exits 3 because of the flow alone, and nothing is sent', async () => {
  // The control: by itself, the call that sends is allowed by its rule.
  expect(await chat('none', 'board__post')).toEqual({ code: 0, decisions: ['allowed by rule'], posted: 1 })
  expect(await chat('none', 'notes__read', 'board__post')).toEqual({
    code: 3,
    decisions: ['allowed by rule', 'denied by command-line'],
    posted: 1,
  })
})

it('--approve all answers the question of the flow, and it is on record', async () => {
  expect(await chat('all', 'notes__read', 'board__post')).toEqual({
    code: 0,
    decisions: ['allowed by rule', 'allowed by command-line'],
    posted: 1,
  })
  const record = await bench.runShared(['audit', '--json', '--data-dir', dataDir])
  const flows = jsonLines(record).filter(({ detail }) => (detail as Record<string, unknown>)['privateFlow'] !== undefined)
  expect(flows.map(({ server, tool, decision, by }) => ({ server, tool, decision, by }))).toEqual([
    { server: 'board', tool: 'post', decision: 'allowed', by: 'command-line' },
  ])
})
