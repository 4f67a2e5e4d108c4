// Tools run by hand, through the whole host, with the reference server: what a page asks, what it is told, what is kept.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isCallEnded } from '#app/chat/next-call-state.ts'
import type { ManualRun } from '#app/chat/tools/manual-run.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'
import { makeTestHost, type TestHost } from '../host/host.testing.ts'

const program = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url))
const server = 'everything'
const definition = { command: process.execPath, args: [program, 'stdio'] }

let test: TestHost
let told: ManualRun[] = []
beforeAll(async () => {
  test = open()
  test.host.onEvent((event) => {
    if (event.name === 'manualRun.changed') told.push(event.payload.run)
  })
  await test.host.request('server.start', { name: server })
}, 30_000)
afterAll(() => test.remove())

function open(dataDir?: string): TestHost {
  const made = makeTestHost({
    servers: JSON.stringify({ mcpServers: { [server]: definition } }),
    startServers: false,
    ...(dataDir === undefined ? {} : { dataDir }),
  })
  const { broker } = made.host.context
  made.host.onEvent((event) => {
    if (event.name === 'consent.opened' && event.payload.request.kind === 'launch')
      broker.answer(event.payload.request.id, { kind: 'allow', scope: 'always' })
  })
  return made
}

async function begin(tool: string, args: unknown): Promise<ManualRun> {
  const { host } = test
  const { fingerprint } = (await host.request('tool.get', { server, tool })).tool
  return (await host.request('tool.run', { server, tool, fingerprint, arguments: JSON.stringify(args) })).run
}
const stateOf = async (id: string): Promise<ManualRun['state']> => {
  const { run } = await test.host.request('tool.getRun', { id })
  if (!run) throw new Error('it is not kept')
  return run.state
}
const ended = (id: string): Promise<ManualRun['state']> =>
  eventually(async () => {
    const state = await stateOf(id)
    if (!isCallEnded(state)) throw new Error(`it is ${state.kind}`)
    return state
  })
const asked = (id: string, kind: ConsentRequest['kind']): Promise<ConsentRequest> =>
  eventually(() => {
    const found = test.host.snapshot().consentRequests.find((one) => one.callId === id && one.kind === kind)
    if (!found) throw new Error('nothing is asked')
    return found
  })

describe('a tool that the person runs', () => {
  it('is called with what was written, without another question, and says how it fares', async () => {
    told = []
    const { id } = await begin('echo', { message: 'by hand' })
    expect(await ended(id)).toMatchObject({
      kind: 'done',
      decision: { by: 'person', byHand: true },
      result: { content: [{ type: 'text', text: 'Echo: by hand' }], isError: false },
    })
    expect(told.filter((run) => run.id === id).map(({ state }) => state.kind)).toEqual(['running', 'done'])
    const { rows } = await test.host.request('audit.list', { limit: 3, filter: { kinds: ['call', 'result', 'decision'] } })
    expect(rows.map(({ kind, decision, by, detail }) => [kind, decision, by, detail['byHand']])).toEqual([
      ['result', 'done', null, undefined],
      ['call', 'sent', 'person', true],
      ['decision', 'allowed', 'person', true],
    ])
  })

  it('has progress, and ends when it is cancelled', async () => {
    told = []
    const { id } = await begin('trigger-long-running-operation', { duration: 600, steps: 6000 })
    await eventually(() => expect(told.at(-1)?.state).toMatchObject({ kind: 'running', progress: { total: 6000 } }))
    await test.host.request('tool.cancelRun', { id })
    expect(await ended(id)).toMatchObject({ kind: 'cancelled' })
  })

  it('may ask the person in its course, under its own id', async () => {
    const { id } = await begin('trigger-elicitation-request', {})
    const request = await asked(id, 'elicitation-form')
    expect([request.conversationId, request.server]).toEqual([undefined, server])
    await test.host.request('consent.answer', { id: request.id, answer: { kind: 'allow', scope: 'once', content: { name: 'Ada' } } })
    expect(JSON.stringify(await ended(id))).toContain('Ada')
  })

  it('whose question is open withdraws it when it is cancelled', async () => {
    const { id } = await begin('trigger-elicitation-request', {})
    await asked(id, 'elicitation-form')
    await test.host.request('tool.cancelRun', { id })
    await ended(id)
    await eventually(() => expect(test.host.snapshot().consentRequests).toEqual([]))
  })

  it('says what the server refuses', async () => {
    const { id } = await begin('get-sum', { a: 'x' })
    const state = await ended(id)
    expect(state.kind === 'done' ? state.result.isError : state.kind).toSatisfy((end) => end === true || end === 'failed')
  })

  it.each([
    ['is not the tool that was seen', { fingerprint: 'another' }, 'tool.changed'],
    ['is none of the server’s', { tool: 'none' }, 'tool.unknown'],
    ['is given no object', { arguments: '[1]' }, 'tool.arguments-invalid'],
    ['is given a number that cannot be sent', { arguments: '{"a": 12345678901234567890}' }, 'tool.arguments-invalid'],
  ])('is not run where it %s', async (_name, change, code) => {
    const { fingerprint } = (await test.host.request('tool.get', { server, tool: 'echo' })).tool
    const params = { server, tool: 'echo', fingerprint, arguments: '{}', ...change }
    await expect(test.host.request('tool.run', params)).rejects.toMatchObject({ code })
  })
})

describe('the history of runs', () => {
  it('has the newest first, in parts, without what they came to', async () => {
    const ids = []
    for (const message of ['1', '2', '3']) {
      const { id } = await begin('echo', { message })
      ids.unshift(id)
      await ended(id)
    }
    const first = await test.host.request('tool.runs', { server, tool: 'echo', limit: 2 })
    expect([first.runs.map(({ id }) => id), first.more]).toEqual([ids.slice(0, 2), true])
    expect(first.runs[0]?.state).toMatchObject({ kind: 'done', result: { content: [], bytes: expect.any(Number) } })
    const last = first.runs.at(-1)
    const next = await test.host.request('tool.runs', { server, tool: 'echo', limit: 1, ...(last ? { before: last } : {}) })
    expect(next.runs.map(({ id }) => id)).toEqual(ids.slice(2))
  })

  it('keeps no secret of the arguments', async () => {
    const { id } = await begin('echo', { message: 'sk-abcdefghijklmnopqrstuvwxyz', password: 'hunter2' })
    await ended(id)
    const { run } = await test.host.request('tool.getRun', { id })
    expect([run?.arguments, run?.masked]).toEqual([{ message: '•••', password: '•••' }, true])
  })

  it('keeps pictures of a result until it is forgotten', async () => {
    const { id } = await begin('get-tiny-image', {})
    const state = await ended(id)
    const image = state.kind === 'done' ? state.result.content.find(({ type }) => type === 'image') : undefined
    const sha256 = image?.type === 'image' ? image.blob.sha256 : ''
    expect(test.host.blob(sha256)?.mimeType).toBe('image/png')
    expect(await test.host.request('tool.forgetRuns', { of: { server, tool: 'get-tiny-image' } })).toEqual({ gone: 1 })
    expect([test.host.blob(sha256), (await test.host.request('tool.getRun', { id })).run]).toEqual([undefined, null])
  })

  it('says of what was under way at the end of Assent that nobody knows how it ended', async () => {
    const { id } = await begin('trigger-long-running-operation', { duration: 600, steps: 6000 })
    await eventually(async () => expect((await stateOf(id)).kind).toBe('running'))
    const { dataDir } = test
    await test.host.dispose()
    const next = open(dataDir)
    expect((await next.host.request('tool.getRun', { id })).run?.state.kind).toBe('unknown')
    await next.host.dispose()
  })
})
