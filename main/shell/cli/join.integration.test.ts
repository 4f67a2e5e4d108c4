// Commands beside a running `assent serve`, whose host they join: without a keyring, with a key that only the command's environment has.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { orElse } from '#app/or-else.ts'
import { onWindows } from '#main/base/this-system.testing.ts'
import { call, say } from '../../../e2e/model-server/reply.ts'
import { type ModelServer, startModelServer } from '../../../e2e/model-server/server.ts'
import { buildIfNeeded } from '../../../scripts/build-if-needed.ts'
import { type CliBench, everythingServer, jsonLines, makeCliBench, onlyJson } from './cli.testing.ts'

const KEY = 'sk-lab-abcdefghijklmnop-81fd'
let bench: CliBench
let server: ModelServer
let dataDir: string
let host: ChildProcess
const hosts: ChildProcess[] = []

const messagesOf = (body: Record<string, unknown>) =>
  (body['messages'] as { role: string }[]).filter(({ role }) => role !== 'system').length
const heard: Parameters<ModelServer['setScript']>[0] = ({ body }) => say(`heard ${messagesOf(body)}`)

async function serve(folder: string): Promise<ChildProcess> {
  const child = bench.start(['serve', '--no-open', '--data-dir', folder], { ASSENT_LOCAL_MODEL_PORTS: '' })
  hosts.push(child)
  if (!child.stdout) throw new Error('no stdout')
  await once(createInterface({ input: child.stdout }), 'line')
  return child
}

beforeAll(async () => {
  await buildIfNeeded()
  bench = makeCliBench()
  server = await startModelServer({ script: heard, key: KEY })
  dataDir = join(bench.folder, 'profile')
  host = await serve(dataDir)
})
afterAll(async () => {
  for (const child of hosts) child.kill('SIGKILL')
  await server.close()
  await bench.remove()
})
beforeEach(() => server.setScript(heard))

const withKey = { LAB_KEY: KEY, ASSENT_LOCAL_MODEL_PORTS: '' }
const run = (...args: string[]) => bench.runShared([...args, '--data-dir', dataDir], withKey)
const profileText = (): string =>
  readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dataDir, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join()

describe('beside a running host', () => {
  it('a model is added with a variable that only the command has, and listed; the key is on no disk', async () => {
    const added = await run('model', 'add', 'Lab', '--url', server.url, '--key-env', 'LAB_KEY', '--json')
    expect([added.code, onlyJson(added), added.stderr]).toEqual([
      0,
      { id: 'lab', models: 2, lent: true },
      expect.stringContaining('LAB_KEY is not set where Assent runs'),
    ])
    expect(onlyJson(await run('model', 'list', '--json'))).toMatchObject({
      defaultModel: 'lab/claude-large-1',
      providers: [{ id: 'anthropic' }, { id: 'lab', key: 'set', keyEnv: 'LAB_KEY', models: [{}, {}] }, { id: 'practice' }],
    })
    expect(profileText().includes('abcdefghijklmnop')).toBe(false)
  })

  it('a chat runs with it by a short name, and is gone on with by its id and its title', async () => {
    const first = await run('chat', '-p', 'one', '--model', 'small', '--json')
    const { conversationId, state } = jsonLines(first).at(-1) ?? {}
    expect([first.code, state, server.requests.at(-1)?.body['model']]).toEqual([0, 'idle', 'claude-small-1'])
    const second = await run('chat', '-p', 'two', '--conversation', String(conversationId))
    expect([second.code, second.stdout]).toEqual([0, 'heard 3\n'])
    const exported = onlyJson(await run('export', String(conversationId))) as { items: { conversation: { title: string } }[] }
    expect(exported.items).toMatchObject([{ conversation: { id: conversationId }, messages: [{}, {}, {}, {}] }])
    const third = await run('chat', '-p', 'three', '--conversation', exported.items[0]?.conversation.title ?? '')
    expect([third.code, third.stdout]).toEqual([0, 'heard 5\n'])
    expect((await run('model', 'remove', 'Lab')).code).toBe(0)
  })

  it('servers are listed as they run, and run on', async () => {
    const listed = onlyJson(await run('servers', '--json')) as { readonly state: { readonly pid?: number } }[]
    const [runs, again] = [listed[0]?.state.pid, onlyJson(await run('servers', '--json')) as typeof listed]
    expect([typeof runs, again[0]?.state.pid]).toEqual(['number', runs])
  })

  it('tools, doctor, read and prompt answer as with a host of their own', async () => {
    expect(onlyJson(await run('tools', 'demo', '--json'))).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ server: 'demo' })]),
    )
    expect(onlyJson(await run('doctor', 'demo', '--json'))).toMatchObject([{ server: 'demo', ok: true }])
    const [resource, prompt] = [await run('read', 'demo', 'nope://x', '--json'), await run('prompt', 'demo', 'nope', '--json')]
    expect([resource.code, onlyJson(resource), prompt.code]).toMatchObject([1, { error: { code: expect.any(Number) } }, 1])
  })

  it('a call is decided by the command’s own --approve, and on record as such', async () => {
    const refused = await run('call', 'demo', 'total_invoices', '--json')
    expect([refused.code, onlyJson(refused)]).toMatchObject([3, { error: { code: 'consent.denied' } }])
    const done = await run('call', 'demo', 'total_invoices', '--approve', 'all', '--json')
    expect([done.code, onlyJson(done)]).toMatchObject([
      0,
      { server: 'demo', tool: 'total_invoices', era: 'modern', transport: 'stdio', result: { content: [{ type: 'text' }] } },
    ])
    const rows = jsonLines(await run('audit', '--json')).filter(({ kind, tool }) => kind === 'decision' && tool === 'total_invoices')
    expect(rows.map(({ decision, by }) => [decision, by])).toEqual([
      ['denied', 'command-line'],
      ['allowed', 'command-line'],
    ])
  })

  it('a turn that was refused a call exits 3, and one that is allowed goes on', async () => {
    await run('model', 'add', 'Lab', '--url', server.url, '--key-env', 'LAB_KEY')
    server.setScript(({ body }) => (messagesOf(body) > 1 ? say('done') : call({ name: 'demo__total_invoices', input: {} })))
    const [refused, allowed] = [await run('chat', '-p', 'total', '--json'), await run('chat', '-p', 'total', '--json', '--approve', 'all')]
    const consent = (one: typeof refused) => jsonLines(one).find(({ type }) => type === 'consent')
    expect([refused.code, consent(refused), allowed.code, consent(allowed)]).toMatchObject([
      3,
      { decision: 'denied', by: 'command-line' },
      0,
      { decision: 'allowed', by: 'command-line', scope: 'once' },
    ])
  })

  it.skipIf(process.platform !== 'linux')('no server finds the socket or the token in its variables or descriptors', async () => {
    const listed = onlyJson(await run('servers', '--json')) as { readonly name: string; readonly state: { readonly pid?: number } }[]
    const pid = listed.find(({ name }) => name === 'demo')?.state.pid ?? 0
    const { token, address } = JSON.parse(readFileSync(join(dataDir, 'join.json'), 'utf8')) as { token: string; address: string }
    const [environment, words] = ['environ', 'cmdline'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8'))
    for (const secret of [token, address, 'join.json'])
      expect([environment?.includes(secret), words?.includes(secret)]).toEqual([false, false])
    // Descriptors that are closed meanwhile are no matter.
    const inodes = (of: number): (string | undefined)[] =>
      readdirSync(`/proc/${of}/fd`).map((fd) => orElse(() => readlinkSync(`/proc/${of}/fd/${fd}`), undefined))
    const listening = readFileSync('/proc/net/unix', 'utf8')
      .split('\n')
      .filter((line) => line.endsWith(address))
      .map((line) => `socket:[${line.trim().split(/\s+/)[6]}]`)
    expect([listening.some((one) => inodes(host.pid ?? 0).includes(one)), listening.some((one) => inodes(pid).includes(one))]).toEqual([
      true,
      false,
    ])
  })

  it('--approve all starts no server that nobody has allowed', async () => {
    writeFileSync(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { everything: everythingServer } }))
    await expect
      .poll(async () => (onlyJson(await run('servers', '--json')) as { name: string }[]).map(({ name }) => name))
      .toContain('everything')
    const refused = await run('call', 'everything', 'echo', '{"message":"x"}', '--approve', 'all', '--json')
    expect([refused.code, onlyJson(refused)]).toMatchObject([3, { error: { code: 'server.refused' } }])
  })

  it('--roots is refused, and a --config file gets a host of its own', async () => {
    const roots = await run('servers', '--roots', bench.folder)
    expect([roots.code, roots.stderr]).toEqual([1, expect.stringContaining('--roots')])
    const own = await bench.runShared(['servers', '--config', bench.config({}), '--json'])
    expect([own.code, onlyJson(own)]).toEqual([0, []])
  })

  /** Lets the model begin an answer to those words that does not end. `isGone`: the host has hung up. */
  function endless(words: string) {
    let request: { readonly gone: AbortSignal } | undefined
    const never = Promise.withResolvers<void>()
    server.setScript((asked) => {
      if (!JSON.stringify(asked.body).includes(words)) return say('a title')
      request ??= asked
      return {
        kind: 'message',
        blocks: [
          { type: 'text', text: 'begun' },
          { type: 'gate', until: never.promise },
        ],
      }
    })
    return { isAsked: () => request !== undefined, isGone: () => request?.gone.aborted, end: never.resolve }
  }

  it.skipIf(onWindows)(
    'a chat that is being answered is busy for another command; Ctrl-C stops its turn, which the host shows as ended',
    async () => {
      await run('model', 'add', 'Lab', '--url', server.url, '--key-env', 'LAB_KEY')
      const model = endless('to be stopped')
      const child = bench.start(['chat', '-p', 'to be stopped', '--json', '--data-dir', dataDir], withKey)
      if (!child.stdout) throw new Error('no stdout')
      const lines: string[] = []
      const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
      await once(reader, 'line')
      const busy = await run('chat', '-p', 'meanwhile', '--conversation', 'to be stopped', '--json')
      expect([busy.code, jsonLines(busy).at(-1)]).toMatchObject([1, { error: { code: 'chat.busy' } }])
      child.kill('SIGINT')
      expect((await once(child, 'exit'))[0]).toBe(1)
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'done', state: 'idle' })
      await expect.poll(model.isGone).toBe(true)
      model.end()
    },
  )

  it('a chat whose command is killed is stopped too', async () => {
    const model = endless('to be killed')
    const child = bench.start(['chat', '-p', 'to be killed', '--json', '--data-dir', dataDir], withKey)
    if (!child.stdout) throw new Error('no stdout')
    await once(createInterface({ input: child.stdout }), 'line')
    child.kill('SIGKILL')
    await expect.poll(model.isGone).toBe(true)
    model.end()
  })

  it('the death of the host is one error', async () => {
    const model = endless('cut off')
    const child = bench.start(['chat', '-p', 'cut off', '--data-dir', dataDir], withKey)
    let stderr = ''
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    await expect.poll(model.isAsked).toBe(true)
    host.kill('SIGKILL')
    expect((await once(child, 'close'))[0]).toBe(1)
    expect(stderr.match(/^.*has ended.*$/gm)).toEqual([
      'assent: Assent, which this command had joined, has ended. The command did not finish.',
    ])
    model.end()
  })

  it('what a killed host leaves behind keeps no later command or host away', async () => {
    expect(existsSync(join(dataDir, 'join.json'))).toBe(true)
    expect((await run('model', 'list')).code).toBe(0)
    host = await serve(dataDir)
    const joined = await run('model', 'list', '--json')
    expect([joined.code, host.exitCode]).toEqual([0, null])
    const started = Date.now()
    host.kill('SIGTERM')
    await once(host, 'exit')
    expect(Date.now() - started).toBeLessThan(5000)
    // A process of Windows is ended without a chance to remove anything.
    expect(existsSync(join(dataDir, 'join.json'))).toBe(onWindows)
  })
})
