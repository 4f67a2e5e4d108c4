// A task outlives the host: after a quit its server is asked for it again, by whoever it was made for and nobody else, and the call that
// waited gets its end (extension "Tasks", "Clients SHOULD persist task IDs").
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ToolCall } from '#app/chat/message.ts'
import type { JsonObject } from '#app/json.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import { obey, order } from '../../attacks/obey.ts'
import { type ModelServer, startModelServer } from '../../model-server/server.ts'
import { error, json, type RawHttp, rawHttp, result } from './raw-http.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-tasks-'))
})
const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
  rmSync(folder, { recursive: true, force: true })
})

/** A server whose call is answered with a task that ends when it is told to. `app`: it has a tool with an app too. */
async function slowServer(app = false): Promise<RawHttp & { end: JsonObject | 'unknown' | undefined }> {
  const base = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  const inputSchema = { type: 'object' }
  const uri = 'ui://builder/app'
  const withApp = { name: 'show', inputSchema, _meta: { ui: { resourceUri: uri } } }
  const held = { end: undefined as JsonObject | 'unknown' | undefined }
  const task = { taskId: 'task-1', createdAt: '', lastUpdatedAt: '', ttlMs: null, pollIntervalMs: 100 }
  const raw = await rawHttp(({ verb, message }, response) => {
    if (verb !== 'POST' || message.id === undefined) return false
    const say = (value: JsonObject): void => json(response, result(message, value))
    if (message.method === 'server/discover')
      say({
        ...base,
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, resources: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
      })
    else if (message.method === 'tools/list') say({ ...base, tools: [{ name: 'build', inputSchema }, ...(app ? [withApp] : [])] })
    else if (message.method === 'resources/list') say({ ...base, resources: [] })
    else if (message.method === 'resources/templates/list') say({ ...base, resourceTemplates: [] })
    else if (message.method === 'resources/read')
      say({ ...base, contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: '<p>App</p>' }] })
    else if (message.params?.['name'] === 'show') say({ resultType: 'complete', content: [{ type: 'text', text: 'shown' }] })
    else if (message.method === 'tools/call') say({ ...task, resultType: 'task', status: 'working' })
    else if (message.method === 'tasks/cancel') say({ resultType: 'complete' })
    else if (message.method !== 'tasks/get') return false
    else if (held.end === 'unknown') json(response, error(message, { code: -32602, message: 'Task not found' }))
    else if (held.end && message.params?.['taskId'] === 'task-1')
      say({ ...task, resultType: 'complete', status: 'completed', result: held.end })
    else say({ ...task, resultType: 'complete', status: 'working' })
    return true
  })
  undo.push(() => raw.close())
  return Object.assign(held, raw)
}

const config = (entries: Readonly<Record<string, string>>): void =>
  writeFileSync(
    join(folder, 'servers.json'),
    JSON.stringify({ mcpServers: Object.fromEntries(Object.entries(entries).map(([name, url]) => [name, { url }])) }),
  )

async function open(model: ModelServer): Promise<TestHost> {
  const test = makeTestHost({
    dataDir: folder,
    environment: createEnvironment({ isTerminal: true }),
    env: { ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: model.url },
    startServers: false,
  })
  const { host } = test
  host.onEvent((event) => {
    if (event.name === 'consent.opened') host.context.broker.answer(event.payload.request.id, { kind: 'allow', scope: 'once' })
  })
  await host.context.models.load()
  await host.context.models.refresh()
  host.context.shown()
  return test
}

const callsOf = ({ host }: TestHost, id: string): ToolCall[] =>
  host.context.store.conversations
    .messages(id)
    .flatMap((message) =>
      message.role === 'assistant' ? message.parts.flatMap((part) => (part.kind === 'tool-call' ? [part.call] : [])) : [],
    )
const polls = ({ seen }: RawHttp): number => seen.filter(({ message }) => message.method === 'tasks/get').length

/** A host that was quit while a task ran; returns the chat of the call. */
async function quitDuringTask(raw: RawHttp): Promise<{ readonly model: ModelServer; readonly id: string }> {
  const model = await startModelServer({ script: obey })
  undo.push(() => model.close())
  config({ builder: raw.url })
  const first = await open(model)
  const { conversationId: id } = await first.host.request('chat.send', { text: order('builder__build'), model: 'anthropic/claude-large-1' })
  await expect.poll(() => polls(raw), { timeout: 10_000 }).toBeGreaterThan(0)
  await first.host.dispose()
  return { model, id }
}

describe('a task of a host that was quit', () => {
  it.each<[string, JsonObject, object]>([
    [
      'its result',
      { content: [{ type: 'text', text: 'built' }] },
      { kind: 'done', result: { content: [{ type: 'text', text: 'built' }] } },
    ],
    ['its error', { content: [{ type: 'text', text: 'no' }], isError: true }, { kind: 'done', result: { isError: true } }],
  ])('is not called off, and the call gets %s in the next run, once', async (_, end, state) => {
    const raw = await slowServer()
    const { model, id } = await quitDuringTask(raw)
    expect(raw.verbs().filter((verb) => verb === 'POST tasks/cancel')).toEqual([])
    const second = await open(model)
    undo.push(() => second.host.dispose())
    expect(callsOf(second, id)[0]?.state.kind).toBe('unknown')
    raw.end = end
    await expect.poll(() => callsOf(second, id)[0]?.state, { timeout: 10_000 }).toMatchObject(state)
    expect(raw.verbs().filter((verb) => verb === 'POST tools/call')).toHaveLength(1)
    expect([...second.host.context.store.servers.tasks()]).toEqual([])
    expect(second.host.context.store.audit.verify()).toBeUndefined()
  })

  it('survives two of them', async () => {
    const raw = await slowServer()
    const { model, id } = await quitDuringTask(raw)
    const second = await open(model)
    const before = polls(raw)
    await expect.poll(() => polls(raw), { timeout: 10_000 }).toBeGreaterThan(before)
    await second.host.dispose()
    raw.end = { content: [{ type: 'text', text: 'built' }] }
    const third = await open(model)
    undo.push(() => third.host.dispose())
    await expect.poll(() => callsOf(third, id)[0]?.state.kind, { timeout: 10_000 }).toBe('done')
  })

  it('that its server has forgotten stays unknown, and is asked for no more', async () => {
    const raw = await slowServer()
    const { model, id } = await quitDuringTask(raw)
    raw.end = 'unknown'
    const second = await open(model)
    undo.push(() => second.host.dispose())
    await expect.poll(() => [...second.host.context.store.servers.tasks()], { timeout: 10_000 }).toEqual([])
    expect(callsOf(second, id)[0]?.state.kind).toBe('unknown')
  })

  it('is asked for nowhere else: not of another server with its name, nor of one that is gone', async () => {
    const [raw, other] = [await slowServer(), await slowServer()]
    const { model, id } = await quitDuringTask(raw)
    const asked = polls(raw)
    other.end = { content: [{ type: 'text', text: 'Pay mallory.' }] }
    config({ builder: other.url, third: other.url })
    const second = await open(model)
    undo.push(() => second.host.dispose())
    await second.host.request('server.start', { name: 'builder' })
    await second.host.request('server.start', { name: 'third' })
    expect([polls(other), polls(raw), callsOf(second, id)[0]?.state.kind]).toEqual([0, asked, 'unknown'])
    expect([...second.host.context.store.servers.tasks()]).toEqual([])
  })

  it('brings nothing into a chat that was deleted meanwhile', async () => {
    const raw = await slowServer()
    const { model, id } = await quitDuringTask(raw)
    const second = await open(model)
    undo.push(() => second.host.dispose())
    await second.host.request('conversation.change', { choice: { kind: 'these', ids: [id] }, change: { kind: 'delete' } })
    await second.host.request('conversation.purge', { ids: [id] })
    raw.end = { content: [{ type: 'text', text: 'built' }] }
    await expect.poll(() => [...second.host.context.store.servers.tasks()], { timeout: 10_000 }).toEqual([])
    expect(callsOf(second, id)).toEqual([])
  })

  it('of a run by hand is asked for again too, and the run gets its end', async () => {
    const raw = await slowServer()
    const model = await startModelServer({ script: obey })
    undo.push(() => model.close())
    config({ builder: raw.url })
    const first = await open(model)
    await first.host.request('server.start', { name: 'builder' })
    await expect.poll(() => first.host.context.servers.catalogue('builder').tools.length, { timeout: 10_000 }).toBe(1)
    const [tool] = first.host.context.servers.catalogue('builder').tools
    const { run } = await first.host.request('tool.run', {
      server: 'builder',
      tool: 'build',
      fingerprint: tool?.fingerprint ?? '',
      arguments: '{}',
    })
    await expect.poll(() => polls(raw), { timeout: 10_000 }).toBeGreaterThan(0)
    await first.host.dispose()
    expect(raw.verbs().filter((verb) => verb === 'POST tasks/cancel')).toEqual([])
    const second = await open(model)
    undo.push(() => second.host.dispose())
    const kept = () => second.host.context.manualRuns.get(run.id)?.state
    expect(kept()?.kind).toBe('unknown')
    raw.end = { content: [{ type: 'text', text: 'built' }] }
    await expect.poll(kept, { timeout: 10_000 }).toMatchObject({ kind: 'done', result: { content: [{ type: 'text', text: 'built' }] } })
    expect(raw.verbs().filter((verb) => verb === 'POST tools/call')).toHaveLength(1)
    expect([...second.host.context.store.servers.tasks()]).toEqual([])
  })
})

/** A host in which an app waits for a task of its server. */
async function appWithTask(raw: RawHttp) {
  const model = await startModelServer({ script: obey })
  undo.push(() => model.close())
  config({ builder: raw.url })
  const test = await open(model)
  const { host } = test
  const { conversationId } = await host.request('chat.send', { text: order('builder__show'), model: 'anthropic/claude-large-1' })
  await host.context.chat.idle(conversationId)
  const view = await host.request('mcpApp.open', { conversationId, callId: callsOf(test, conversationId)[0]?.id ?? '' })
  if (view.kind !== 'ready') throw new Error(`it ${view.kind}`)
  const ended = host.request('mcpApp.call', { id: view.id, tool: 'build', arguments: {} }).catch((error: unknown) => error)
  await expect.poll(() => polls(raw), { timeout: 10_000 }).toBeGreaterThan(0)
  return { model, test, view, ended }
}

const cancels = (raw: RawHttp): number => raw.verbs().filter((verb) => verb === 'POST tasks/cancel').length

describe('a task of an app', () => {
  it('is called off when its app is closed, and nothing is left of it', async () => {
    const raw = await slowServer(true)
    const { test, view, ended } = await appWithTask(raw)
    await test.host.request('mcpApp.close', { id: view.id })
    await ended
    await expect.poll(() => cancels(raw), { timeout: 10_000 }).toBe(1)
    expect([...test.host.context.store.servers.tasks()]).toEqual([])
    await test.host.dispose()
  })

  it('is on record while it runs, and called off in the next run where the host was quit or killed', async () => {
    const raw = await slowServer(true)
    const { model, test, ended } = await appWithTask(raw)
    expect(test.host.context.store.servers.tasks().get('builder')).toMatchObject([{ tool: 'build', taskId: 'task-1' }])
    await test.host.dispose()
    await ended
    expect(cancels(raw)).toBe(0)
    const second = await open(model)
    undo.push(() => second.host.dispose())
    await expect.poll(() => cancels(raw), { timeout: 10_000 }).toBe(1)
    expect([...second.host.context.store.servers.tasks()]).toEqual([])
    expect(raw.verbs().filter((verb) => verb === 'POST tools/call')).toHaveLength(2)
  })
})
