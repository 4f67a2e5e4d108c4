// Trying a server out before it is saved, through a whole host: what is asked, what is kept, and what is left behind.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import type { ConnectionTestSummary } from '#app/server/connection-test.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { inputReference } from '#app/server/inputs/variable-references.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { createTokenStore, type StoredSignIn } from '#main/servers/auth/token-store.ts'
import { eventually, http, isProcessAlive, raw } from '#main/servers/lifecycle/servers.testing.ts'
import { rawResource } from '../../../e2e/servers/http/oauth.ts'
import { rawIssuer } from '../../../e2e/servers/http/oauth-issuer.ts'

const { host, dataDir, platform, remove }: TestHost = makeTestHost({
  servers: JSON.stringify({ mcpServers: { there: { command: process.execPath, args: ['gone.mjs'] } } }),
})
const { context } = host
afterAll(remove)
afterEach(() => expect(context.broker.open()).toEqual([]))

const text = (): string => readFileSync(join(dataDir, 'servers.json'), 'utf8')
const begin = async (params: object): Promise<string> => ((await host.request('server.testConnection', params)) as { id: string }).id
const watch = async (id: string, after: number): Promise<ConnectionTestSummary> =>
  (await host.request('server.watchTest', { id, after })) as ConnectionTestSummary

/** Follows it to its end, as a page does; the person says `answer` when asked. */
async function follow(
  id: string,
  answer: 'allow' | 'deny' = 'allow',
): Promise<{ readonly last: ConnectionTestSummary; readonly asked: number }> {
  let asked = 0
  for (let last = await watch(id, -1); ; last = await watch(id, last.revision)) {
    if (last.over) return { last, asked }
    if (last.phase.kind !== 'waiting') continue
    const { requestId } = last.phase
    if (context.broker.open().some((one) => one.id === requestId)) {
      asked += 1
      context.broker.answer(requestId, answer === 'allow' ? { kind: 'allow', scope: 'always' } : { kind: 'deny' })
    }
  }
}
const pidIn = ({ report }: ConnectionTestSummary): number =>
  Number(/process (\d+)/.exec(report.steps.find(({ name }) => name === 'start process')?.detail ?? '')?.[1])

it('asks for the exact command, shows what the server offers, ends it, and saves nothing', async () => {
  const before = text()
  const id = await begin({ name: 'notes', definition: raw('tools') })
  let first = await watch(id, 0)
  while (first.phase.kind === 'starting') first = await watch(id, first.revision)
  expect(first.phase.kind).toBe('waiting')
  expect(context.broker.open()).toMatchObject([
    { kind: 'launch', server: 'notes', connectionTest: true, target: { args: raw('tools').args } },
  ])
  const { last, asked } = await follow(id)
  expect(last.phase).toMatchObject({ kind: 'works', offers: { counts: { tools: expect.any(Number) }, session: { transport: 'stdio' } } })
  expect([asked, last.report.ok, isProcessAlive(pidIn(last))]).toEqual([1, true, false])
  expect([text(), context.servers.view('notes'), context.store.rules.launch('notes')]).toEqual([before, undefined, undefined])
  // What was not saved is asked for again.
  expect((await follow(await begin({ name: 'notes', definition: raw('tools') }), 'deny')).last.phase).toEqual({ kind: 'refused' })
})

it('says why a server does not start, step by step', async () => {
  const { last } = await follow(await begin({ name: 'broken', definition: raw('crash-on-start') }))
  expect(last.phase).toMatchObject({ kind: 'failed', error: { code: 'server.exited' }, diagnosis: { actions: expect.any(Array) } })
  expect(last.report).toMatchObject({ exit: { code: 3 }, stderr: ['cannot find the ledger'] })
})

it('does not ask a second time for what was agreed to and then saved as it was, secrets and values too', async () => {
  const definition: ServerDefinition = { ...raw('tools'), env: { API_KEY: 'hush', OTHER: inputReference('other') } }
  const params = { name: 'kept', definition, keepSecrets: ['API_KEY'], values: { other: 'entered', unused: 'no' } }
  const id = await begin(params)
  expect((await follow(id)).last.phase.kind).toBe('works')
  await host.request('server.save', { ...params, connectionTests: [id] })
  await host.request('server.start', { name: 'kept' })
  expect([context.servers.view('kept')?.state.kind, await platform.secrets.get('input/kept/api-key')]).toEqual(['ready', 'hush'])
  expect([await platform.secrets.get('input/kept/other'), await platform.secrets.get('input/kept/unused')]).toEqual(['entered', undefined])
  expect(text()).not.toMatch(/hush|entered/)
  await host.request('server.remove', { name: 'kept' })
})

it('asks again for what was changed after the test run', async () => {
  const id = await begin({ name: 'changed', definition: raw('tools') })
  await follow(id)
  await host.request('server.save', { name: 'changed', definition: { ...raw('tools'), env: { MORE: '1' } }, connectionTests: [id] })
  const started = host.request('server.start', { name: 'changed' }).catch(() => undefined)
  await eventually(() => expect(context.broker.open()).toMatchObject([{ server: 'changed', why: { kind: 'first-launch' } }]))
  await host.request('server.remove', { name: 'changed' })
  await started
})

it('asks once for the same in one set-up, also when the run was ended, and again once that set-up is over', async () => {
  const params = { name: 'one', definition: raw('tools') }
  const first = await begin(params)
  const asked = [(await follow(first)).asked]
  await host.request('server.endTest', { id: first })
  const second = await begin({ ...params, connectionTests: [first] })
  asked.push((await follow(second)).asked)
  const other = await begin({ ...params, definition: { ...raw('tools'), env: { MORE: '1' } }, connectionTests: [first, second] })
  asked.push((await follow(other)).asked)
  expect(asked).toEqual([1, 0, 1])
  await host.request('server.endTest', { id: second })
  // Among several that were found it is saved last, under a name of its own, long after its run.
  await host.request('server.save', { ...params, name: 'mine', connectionTests: [second, other] })
  await host.request('server.start', { name: 'mine' })
  expect(context.servers.view('mine')?.state.kind).toBe('ready')
  await host.request('server.remove', { name: 'mine' })
  await host.request('server.forgetTests', { connectionTests: [first, second, other] })
  expect((await follow(await begin({ ...params, connectionTests: [first, second] }), 'deny')).last.phase).toEqual({ kind: 'refused' })
})

it('shows nobody what a server asks for while it is tried out: it is answered no, with no folder and no word', async () => {
  const { last, asked } = await follow(await begin({ name: 'early', definition: raw('asks-early') }))
  const told = last.phase.kind === 'works' ? last.phase.offers.tools[0]?.description : undefined
  expect([asked, JSON.parse(told ?? 'null')]).toEqual([1, [-1, { action: 'decline' }, { action: 'decline' }, { roots: [] }]])
  expect(platform.opened).toEqual([])
})

it('withdraws the question, and ends the program, when it is called off', async () => {
  const asked = await begin({ name: 'waits', definition: raw('tools') })
  await watch(asked, 0)
  await host.request('server.endTest', { id: asked })
  expect(context.broker.open()).toEqual([])
  const id = await begin({ name: 'silent', definition: raw('silent') })
  const followed = follow(id).catch((error: unknown) => error)
  let pid = Number.NaN
  await eventually(() => {
    pid = pidIn(context.servers.connectionTests.get(id)?.view() as ConnectionTestSummary)
    expect(isProcessAlive(pid)).toBe(true)
  })
  await host.request('server.endTest', { id })
  expect([await followed, isProcessAlive(pid)]).toEqual([expect.objectContaining({ code: 'cancelled' }), false])
})

it('compares a server that is there with what was allowed of it, under the name that it has', async () => {
  const started = host.request('server.start', { name: 'there' }).catch(() => undefined)
  await eventually(() => expect(context.broker.open()).toHaveLength(1))
  context.broker.answer(context.broker.open()[0]?.id ?? '', { kind: 'allow', scope: 'always' })
  await started
  const definition = raw('tools')
  const id = await begin({ name: 'renamed', previousName: 'there', definition })
  await watch(id, 0)
  expect(context.broker.open()).toMatchObject([{ server: 'there', previous: { args: ['gone.mjs'] } }])
  await follow(id)
  await host.request('server.save', { name: 'renamed', previousName: 'there', definition, connectionTests: [id] })
  await host.request('server.start', { name: 'renamed' })
  expect(context.servers.view('renamed')?.state.kind).toBe('ready')
})

it('tells that a sign-in is wanted, opens no page for it, and keeps nothing of it', async () => {
  const issuer = await rawIssuer()
  const resource = await rawResource({ issuer })
  const { last } = await follow(await begin({ name: 'web', definition: http(resource.url) }))
  await Promise.all([resource.close(), issuer.close()])
  expect(last.phase).toEqual({ kind: 'asks-sign-in', issuer: issuer.issuer })
  expect([platform.opened, context.broker.open(), last.over]).toEqual([[], [], true])
})

it('a server that is renamed takes its sign-in along, one whose removal is undone has it again, and no other has it', async () => {
  const definition = http('https://mcp.example.test/mcp')
  const vault = (server: string) => createTokenStore(platform.secrets, definition.url, { server, scope: '', inherits: () => false })
  const issuer = 'https://as.example.test'
  const held: StoredSignIn = {
    ...{ issuer, server: issuer, grant: 'authorization-code', client: { client_id: 'c' } },
    ...{ accessToken: 'token', obtainedAt: 1, scopes: [] },
  }
  await host.request('server.save', { name: 'work', definition })
  await vault('work').put(held)
  await host.request('server.save', { name: 'office', previousName: 'work', definition })
  await host.request('server.save', { name: 'work', definition })
  expect([await vault('work').signedIn(), await vault('office').signedIn()]).toEqual([undefined, held])

  await host.request('server.remove', { name: 'office' })
  await eventually(async () => expect(await vault('office').signedIn()).toBeUndefined())
  await host.request('server.save', { name: 'office', definition })
  await eventually(async () => expect(await vault('office').signedIn()).toEqual(held))
})

const spellings = [
  '<your-key>',
  '{{API_KEY}}',
  '[your token]',
  'your-api-key',
  'YOUR_API_KEY',
  'xoxc-...',
  'sk-…',
  `\${MY_KEY_HERE}`,
  'changeme',
  '/path/to/file',
]
const stdio = (change: object): object => ({ mcpServers: { filled: { command: 'npx', args: ['-y', 'notes-mcp'], ...change } } })
const remote = (change: object): object => ({ mcpServers: { filled: { url: 'https://notes.example/mcp', ...change } } })

it.each(
  spellings.flatMap((word): [string, string, object][] => [
    [word, 'an argument', stdio({ args: ['-y', 'notes-mcp', '--key', word] })],
    [word, 'a variable', stdio({ env: { API_KEY: word } })],
    [word, 'a header', remote({ headers: { Authorization: `Bearer ${word}` } })],
  ]),
)('%s in %s is marked, saved as what is asked for, and nothing is started before', async (word, _where, pasted) => {
  const { servers } = await host.request('config.parse', { text: JSON.stringify(pasted) })
  const [found] = servers
  if (!found) throw new Error('nothing was read')
  expect(JSON.stringify(found.definition)).not.toContain(word)
  expect(JSON.stringify(found.definition)).toMatch(/\$\{(?:input|env):/)
  await host.request('server.save', { name: 'filled', definition: found.definition })
  expect(text()).not.toContain(word)
  await host.request('server.remove', { name: 'filled' })
})

it.each<[string, ServerDefinition]>([
  ['a program', { ...raw('tools'), command: '/path/to/server' }],
  ['a program in brackets', { ...raw('tools'), command: '<command>' }],
  ['a host', http('https://your-host.example/mcp')],
  ['a host in brackets', http('https://<your-host>/mcp')],
  ['a host in braces', http('https://{tenant}.example.com/mcp')],
])('%s that is a placeholder is refused, whoever sends it', async (_what, definition) => {
  const before = text()
  await expect(host.request('server.save', { name: 'unfilled', definition })).rejects.toMatchObject({
    code: 'config.invalid',
    message: expect.stringContaining('placeholder'),
  })
  expect([text(), context.servers.view('unfilled')]).toEqual([before, undefined])
})
