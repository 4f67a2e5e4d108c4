// What an agent that lies, repeats, floods or guesses gets of the host: nothing that nobody allowed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConsentAnswer, ConsentRequest } from '#app/consent/request.ts'
import { requestNames } from '#app/contract/requests.ts'
import type { GateClientDraft } from '#app/gate.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import type { AgentEvent } from './agent-link.ts'

const program = new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url).pathname
const server = { command: process.execPath, args: [program, 'stdio'] }

let one: TestHost
let folder: string
const asked: ConsentRequest[] = []
let answer: ConsentAnswer | undefined
const open: AbortController[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-agent-'))
  const off = { ...server, disabled: true }
  one = makeTestHost({ servers: JSON.stringify({ mcpServers: { files: server, mail: server, off } }), startServers: false })
  one.host.onEvent((event) => {
    if (event.name !== 'consent.opened') return
    const { request } = event.payload
    asked.push(request)
    const given = request.kind === 'launch' ? ({ kind: 'allow', scope: 'always' } as const) : answer
    if (given) queueMicrotask(() => one.host.context.broker.answer(request.id, given))
  })
  await one.host.request('server.start', { name: 'files' })
  await one.host.request('server.start', { name: 'mail' })
}, 30_000)
afterAll(async () => {
  await one.remove()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  answer = { kind: 'allow', scope: 'once' }
  asked.length = 0
})
afterEach(async () => {
  for (const control of open.splice(0)) control.abort()
  for (const { id } of one.host.context.gate.clients.list()) await one.host.request('gate.remove', { id })
  for (const { id } of one.host.context.broker.rules()) if (id) one.host.context.broker.removeRule(id)
})

async function agent(draft: Partial<GateClientDraft> = {}, hello: object = {}) {
  const added = (await one.host.request('gate.add', { draft: { name: 'Code', servers: ['files'], ...draft } })) as {
    client: { id: string }
    token: string
  }
  return { ...added, ...(await connect(added.token, hello)) }
}
async function connect(token: string, hello: object = {}) {
  const control = new AbortController()
  open.push(control)
  const ended: true[] = []
  const end = (): void => {
    ended.push(true)
    control.abort()
  }
  const link = one.host.openAgent(token, { signal: control.signal, transport: 'stdio', end })
  if (!link) throw new Error('refused')
  await link.request('agent.hello', hello)
  const events: AgentEvent[] = []
  link.onEvent((event) => events.push(event))
  let last = 0
  const call = (params: object = {}) => {
    last += 1
    return link.request('agent.call', { id: `c${last}`, server: 'files', tool: 'echo', arguments: { message: 'a' }, ...params })
  }
  return { link, call, events, ended, leave: () => control.abort() }
}
const calls = async () => (await one.host.request('audit.list', { limit: 500, filter: { kinds: ['call'] } })).rows.length
const ran = { kind: 'ran', result: { content: [{ type: 'text', text: 'Echo: a' }] } }

describe('an agent may not', () => {
  it('ask for anything of the contract of pages and commands', async () => {
    const { link } = await agent()
    const names = [...requestNames, 'host.yield', 'toString', '__proto__', 'agent.nothing']
    const refused = await Promise.all(names.map((name) => link.request(name, {}).catch((error: { code: string }) => error.code)))
    expect(new Set(refused)).toEqual(new Set(['contract.unknown-request']))
  })

  it.each([
    ['that is not offered to it', { server: 'mail' }],
    ['that is switched off', { server: 'off' }],
    ['that is not there', { server: 'nothing' }],
    ['by the name of a member', { server: 'constructor' }],
  ])('reach a server %s, nor learn which it is', async (_what, params) => {
    const { call, link } = await agent()
    const before = await calls()
    const server = (params as { server: string }).server
    const outcomes = await Promise.all([
      call(params),
      link.request('agent.read', { id: 'r', server, uri: 'demo://x' }),
      link.request('agent.prompt', { id: 'p', server, name: 'simple-prompt', arguments: {} }),
      link.request('agent.complete', { server, query: { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } } }),
      link.request('agent.subscribe', { server, uri: 'demo://x', on: true }),
    ])
    for (const outcome of outcomes)
      expect(outcome).toEqual({ kind: 'failed', code: 'server.unknown', message: `There is no server named “${server}”.` })
    expect([asked, (await calls()) - before]).toEqual([[], 0])
  })

  it('say who it is: entry, name, program, folder and proof are the host’s', async () => {
    const { call, client } = await agent(
      {},
      {
        pid: process.pid,
        claimed: 'Assent',
        program: '/usr/bin/assent',
        folder: '/trusted',
        client: 'other',
        name: 'Assent',
        verified: true,
      },
    )
    await call({ agent: { client: 'other' }, joined: 'me', verified: true, trusted: true })
    expect(asked[0]).toMatchObject({ agent: { client: client.id, name: 'Code', verified: false, claimed: 'Assent' } })
  })

  it('become another process by a later hello', async () => {
    const { call, link } = await agent({}, { folder: '/first' })
    await link.request('agent.hello', { folder: '/second', pid: process.pid })
    await call()
    expect(asked[0]).toMatchObject({ agent: { folder: '/first', verified: false } })
  })

  it('use an approval that was given to Assent, to another entry or in another folder', async () => {
    const first = await agent()
    const { rules } = one.host.context.store
    const tool = one.host.context.servers.catalogue('files').tools.find(({ name }) => name === 'echo')
    const about = { effect: 'allow', server: 'files', tool: 'echo', scope: { kind: 'always' }, createdAt: 1 } as const
    const bound = { fingerprint: tool?.fingerprint ?? '' }
    rules.put({ ...about, ...bound, id: 'assent' })
    rules.put({ ...about, ...bound, id: 'other', agent: { client: 'other' } })
    rules.put({ ...about, ...bound, id: 'folder', agent: { client: first.client.id, folder: '/work' } })
    const liar = await connect(first.token, { folder: '/work' })
    answer = { kind: 'deny' }
    expect(await liar.call()).toMatchObject({ kind: 'denied', by: 'person' })
    rules.put({ ...about, ...bound, id: 'own', agent: { client: first.client.id } })
    expect(await liar.call()).toMatchObject(ran)
    // A refusal for everybody holds for agents.
    rules.put({ ...about, effect: 'deny', id: 'no' })
    expect(await liar.call()).toMatchObject({ kind: 'denied', by: 'rule' })
    for (const id of ['assent', 'other', 'folder', 'own', 'no']) rules.remove(id)
  })

  it('repeat a call under an id that goes on, or answer for another', async () => {
    const [first, second] = [await agent(), await agent({ name: 'Other' })]
    answer = undefined
    const waiting = first.call({ id: 'same' })
    await expect.poll(() => asked.length).toBe(1)
    expect(await first.call({ id: 'same' })).toMatchObject({ kind: 'failed', code: 'tool.too-many' })
    await second.link.request('agent.cancel', { id: 'same' })
    await second.link.request('agent.reply', { id: asked[0]?.id, result: { action: 'accept' } })
    expect(one.host.snapshot().consentRequests).toHaveLength(1)
    await first.link.request('agent.cancel', { id: 'same' })
    expect(await waiting).toMatchObject({ kind: 'failed' })
    expect(one.host.snapshot().consentRequests).toEqual([])
  })

  it('flood the person: beyond a number of open questions nothing more is asked', async () => {
    const { call } = await agent()
    answer = undefined
    const before = await calls()
    const many = Array.from({ length: 80 }, () => call())
    await expect.poll(() => one.host.snapshot().consentRequests.length).toBe(16)
    open.at(-1)?.abort()
    const outcomes = (await Promise.all(many)) as { kind: string }[]
    expect([new Set(outcomes.map(({ kind }) => kind)), one.host.snapshot().consentRequests, (await calls()) - before]).toEqual([
      new Set(['failed']),
      [],
      0,
    ])
  })

  it('flood the host: beyond a number of requests in a second, and of hellos in all, none is taken', async () => {
    const { link } = await agent()
    const told: string[] = []
    const stop = one.host.onEvent(({ name }) => void (name === 'gate.changed' && told.push(name)))
    const outcome = (work: Promise<unknown>) =>
      work.then(
        () => 'taken',
        (error: { code: string }) => error.code,
      )
    const hellos = await Promise.all(Array.from({ length: 300 }, (_, n) => outcome(link.request('agent.hello', { claimed: `${n}` }))))
    stop()
    expect([hellos.filter((one) => one === 'taken').length, told.length]).toEqual([199, 199])
    const cancels = await Promise.all(Array.from({ length: 4000 }, () => outcome(link.request('agent.cancel', { id: 'x' }))))
    expect(cancels).toContain('tool.too-many')
  })

  it('open connections without end', async () => {
    const { token } = await agent()
    const more = await Promise.all(
      Array.from({ length: 40 }, () =>
        connect(token).then(
          () => 'open',
          () => 'refused',
        ),
      ),
    )
    expect([more.filter((one) => one === 'open').length, more.filter((one) => one === 'refused').length]).toEqual([31, 9])
  })

  it('be heard before it says hello, with parameters that do not fit, or once its entry is gone', async () => {
    const { token, link, client, ended } = await agent()
    const early = one.host.openAgent(token, { signal: new AbortController().signal, transport: 'stdio', end: () => undefined })
    await expect(early?.request('agent.catalogue', {})).rejects.toMatchObject({ code: 'contract.invalid' })
    for (const params of [
      {},
      { id: 1 },
      { id: 'x', server: 'files', tool: 'echo', arguments: [] },
      { id: 'x'.repeat(101), server: 'files', tool: 'echo', arguments: {} },
    ])
      await expect(link.request('agent.call', params)).rejects.toMatchObject({ code: 'contract.invalid' })
    await one.host.request('gate.remove', { id: client.id })
    expect(ended).toEqual([true])
    await expect(link.request('agent.catalogue', {})).rejects.toMatchObject({ code: 'link.closed' })
    expect(one.host.openAgent(token, { signal: new AbortController().signal, transport: 'stdio', end: () => undefined })).toBe(undefined)
  })

  it('subscribe to an address that holds what it wants to tell a server', async () => {
    const { link } = await agent()
    expect(await link.request('agent.subscribe', { server: 'files', uri: 'demo://secret-data', on: true })).toMatchObject({
      kind: 'failed',
      code: 'server.not-offered',
    })
  })
})

describe('what the agents of an entry have read', () => {
  it('is kept once a source, however often it is read', async () => {
    const { client, call } = await agent()
    for (let at = 0; at < 3; at += 1) await call()
    const kept = one.host.context.store.settings.fact('gate/reads') as Record<string, unknown[]>
    expect(kept[client.id]).toHaveLength(1)
  })

  it('counts in their next connection: a call that can send is asked, whatever rules say', async () => {
    const first = await agent({ servers: 'all' })
    const { rules } = one.host.context.store
    const tool = one.host.context.servers.catalogue('mail').tools.find(({ name }) => name === 'echo')
    rules.put({
      ...{ id: 'mail', effect: 'allow', server: 'mail', tool: 'echo', scope: { kind: 'always' }, createdAt: 1 },
      fingerprint: tool?.fingerprint ?? '',
      agent: { client: first.client.id },
    })
    await first.call()
    first.leave()
    const again = await connect(first.token)
    asked.length = 0
    await again.call({ server: 'mail' })
    expect(asked[0]).toMatchObject({ server: 'mail', why: { kind: 'flow' }, privateFlow: { from: [{ server: 'files' }] } })
    rules.remove('mail')
  })
})
