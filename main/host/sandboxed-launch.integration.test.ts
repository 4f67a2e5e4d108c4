// Launches of a host as a person has it, in a real sandbox: what is asked, what is answered, and what the server can then do.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ConsentAnswer, LaunchRequest } from '#app/consent/request.ts'
import { noGrants, type SandboxGrants, type SandboxSettings } from '#app/server/sandbox/sandbox-settings.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import { findEngine } from '#main/servers/process/sandbox/find-engine.ts'
import { makeSceneFolder } from '#main/servers/process/sandbox/scene-folder.testing.ts'
import { makeTestHost, type TestHost, type TestHostOptions } from './host.testing.ts'

const program = `
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const tried = (work) => { try { return work() ?? 'done' } catch (error) { return error.code } }
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'probe', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'probe', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ arguments: { read, write } }) => ({
    content: [{ type: 'text', text: [tried(() => readFileSync(read, 'utf8')), tried(() => writeFileSync(write, 'written'))].join(' ') }],
  }),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = answers[method]
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(answer ? { result: answer(params) } : { error: { code: -32601, message: 'no' } }) }))
}
`

const root = makeSceneFolder()
const [home, notes, secret] = [join(root, 'home'), join(root, 'home/notes'), join(root, 'home/secret')]
let hosts: TestHost[] = []
let profiles = 0

beforeAll(() => {
  vi.stubEnv('HOME', home)
  for (const folder of [notes, join(root, 'server')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(root, 'server/probe.mjs'), program)
  writeFileSync(join(notes, 'a'), 'a note')
  writeFileSync(secret, 'a secret')
})
afterEach(async () => {
  await Promise.all(hosts.map((one) => one.host.dispose()))
  hosts = []
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

const on = (grants: Partial<SandboxGrants> = {}): SandboxSettings => ({ kind: 'on', grants: { ...noGrants, ...grants } })
const allow = (sandbox?: SandboxSettings): ConsentAnswer => ({ kind: 'allow', scope: 'always', ...(sandbox ? { sandbox } : {}) })

function newProfile(): string {
  profiles += 1
  const dataDir = join(root, `profile-${profiles}`)
  mkdirSync(dataDir)
  const probe = { command: process.execPath, args: [join(root, 'server/probe.mjs'), '~/notes'] }
  writeFileSync(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { probe } }))
  return dataDir
}

/** A host on a profile, whose person answers launches so, and allows every call. */
function open(dataDir: string, answer: ConsentAnswer, options: TestHostOptions = { sandboxed: true }) {
  const test = makeTestHost({ dataDir, startServers: false, environment: createEnvironment({ isTerminal: true }), ...options })
  hosts.push(test)
  const { host } = test
  const asked: LaunchRequest[] = []
  const refused: string[] = []
  host.onEvent((event) => {
    if (event.name !== 'consent.opened') return
    const { request } = event.payload
    if (request.kind === 'launch') asked.push(request)
    const given = request.kind === 'launch' ? answer : ({ kind: 'allow', scope: 'once' } as const)
    host.request('consent.answer', { id: request.id, answer: given }).catch(async ({ code }) => {
      refused.push(code)
      await host.request('consent.answer', { id: request.id, answer: { kind: 'deny' } })
    })
  })
  return {
    host,
    asked,
    /** Codes of answers that the host did not take. */
    refused,
    start: () => host.request('server.start', { name: 'probe' }),
    summary: () => host.snapshot().servers.find(({ name }) => name === 'probe'),
    /** Reads one file and writes another. */
    async probe(read: string, write: string): Promise<string> {
      const called = await host.request('tool.call', { server: 'probe', tool: 'probe', arguments: { read, write } })
      const [text] = 'result' in called ? (called.result['content'] as { text: string }[]) : []
      return text?.text ?? JSON.stringify(called)
    },
  }
}

describe.skipIf((await findEngine()).kind !== 'bubblewrap')('a local server', () => {
  it('is asked with suggestions, and runs with exactly what the person made of them', async () => {
    const { start, asked, probe, summary } = open(newProfile(), allow(on({ read: [notes] })))
    await start()
    expect(asked).toMatchObject([
      {
        why: { kind: 'first-launch' },
        target: { sandbox: { kind: 'on', write: [notes], hosts: [] } },
        suggested: [{ list: 'write', value: notes, reason: 'argument' }],
      },
    ])
    expect([await probe(join(notes, 'a'), join(notes, 'b')), await probe(secret, join(home, 'own'))]).toEqual([
      'a note EROFS',
      'ENOENT done',
    ])
    expect(summary()?.sandbox).toEqual({ kind: 'on', grants: { ...noGrants, read: [notes] } })
  })

  it('runs as suggested when the person allows what was shown', async () => {
    const { start, probe } = open(newProfile(), allow())
    await start()
    expect(await probe(join(notes, 'a'), join(notes, 'c'))).toBe('a note done')
    expect(readFileSync(join(notes, 'c'), 'utf8')).toBe('written')
  })

  it.each([
    ['in the sandbox', undefined, { kind: 'on' }, 'ENOENT'],
    ['without one', { kind: 'off' } as const, { kind: 'off', by: 'person' }, 'a secret'],
  ])('that was approved before is asked once: %s', async (_how, sandbox, shown, read) => {
    const dataDir = newProfile()
    const before = open(dataDir, allow(), {})
    await before.start()
    expect([before.asked.length, before.summary()?.sandbox]).toEqual([1, { kind: 'off', by: 'option' }])
    await before.host.dispose()
    const first = open(dataDir, allow(sandbox))
    await first.start()
    expect([first.asked.map(({ why }) => why.kind), first.summary()?.sandbox]).toMatchObject([['launch-sandbox'], shown])
    expect(await first.probe(secret, join(notes, 'd'))).toBe(`${read} done`)
    await first.host.dispose()
    const later = open(dataDir, allow())
    await later.start()
    expect([later.asked, later.summary()?.sandbox]).toMatchObject([[], shown])
  })

  it('gets another sandbox at its next start, unasked', async () => {
    const { host, start, asked, probe, summary } = open(newProfile(), allow(on()))
    await start()
    await host.request('server.setSandbox', { name: 'probe', sandbox: on({ write: [notes] }) })
    expect(summary()).toMatchObject({ sandbox: { grants: { write: [] } }, nextSandbox: { grants: { write: [notes] } } })
    await host.request('server.restart', { name: 'probe' })
    expect([await probe(join(notes, 'a'), join(notes, 'e')), asked.length]).toEqual(['a note done', 1])
    expect(summary()?.nextSandbox).toBeUndefined()
  })

  it('is not given the data folder, and does not start with that answer', async () => {
    const dataDir = newProfile()
    const first = open(dataDir, allow(on({ read: [dataDir] })))
    await expect(first.start()).rejects.toMatchObject({ code: 'server.refused' })
    expect([first.refused, first.summary()?.state.kind]).toEqual([['server.sandbox-grant'], 'refused'])
    await first.host.dispose()
    const { host, start, summary } = open(dataDir, allow())
    await start()
    const wider = host.request('server.setSandbox', { name: 'probe', sandbox: on({ read: [join(dataDir, 'assent.db')] }) })
    await expect(wider).rejects.toMatchObject({ code: 'server.sandbox-grant' })
    expect(summary()?.nextSandbox).toBeUndefined()
  })
})
