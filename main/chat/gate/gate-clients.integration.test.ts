// Entries of agents: what is kept of them, and what ends with them.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { GateClientDraft } from '#app/gate.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'

let one: TestHost
beforeEach(() => {
  one = makeTestHost({ startServers: false })
})
afterEach(() => one.remove())

const draft: GateClientDraft = { name: 'Claude Code', servers: ['files'] }
const clients = () => one.host.context.gate.clients

test('a token is told once, opens its own entry, and ends with its renewal', async () => {
  const { client, token } = await one.host.request('gate.add', { draft })
  const other = await one.host.request('gate.add', { draft: { name: 'Codex', servers: 'all' } })
  expect([token, other.token].map((text) => clients().withToken(text)?.name)).toEqual(['Claude Code', 'Codex'])
  expect(JSON.stringify(await one.host.request('gate.list', {}))).not.toContain(token)
  const renewed = await one.host.request('gate.renewToken', { id: client.id })
  expect([token, renewed.token, '', 'x'.repeat(54)].map((text) => clients().withToken(text)?.id)).toEqual([
    undefined,
    client.id,
    undefined,
    undefined,
  ])
})

test('entries outlive a restart, follow the new name of a server, and each change is on record', async () => {
  const { client } = await one.host.request('gate.add', { draft })
  await one.host.request('gate.change', { id: client.id, draft: { ...draft, projects: [{ folder: '/work', servers: ['files', 'mail'] }] } })
  one.host.context.store.servers.rename('files', 'disk')
  await one.host.dispose()
  one = makeTestHost({ startServers: false, dataDir: one.dataDir })
  const again = one.host
  expect((await again.request('gate.list', {})).clients).toEqual([
    { ...client, servers: ['disk'], projects: [{ folder: '/work', servers: ['disk', 'mail'] }], connections: [] },
  ])
  const { rows } = await again.request('audit.list', { limit: 5, filter: { kinds: ['config'] } })
  expect(rows.map(({ decision, detail }) => [decision, detail['client']])).toEqual([
    ['gate-client-changed', client.id],
    ['gate-client-added', client.id],
  ])
})

test('an entry that goes takes its approvals and its connections along, and leaves refusals', async () => {
  const { client } = await one.host.request('gate.add', { draft })
  const { rules } = one.host.context.store
  const about = { server: 'files', tool: 'move', scope: { kind: 'always' as const }, agent: { client: client.id }, createdAt: 1 }
  rules.put({ ...about, id: 'a', effect: 'allow' })
  rules.put({ ...about, id: 'd', effect: 'deny' })
  const ended: string[] = []
  const agent = { client: client.id, name: client.name, verified: false }
  clients().connect({ ...agent, id: 'c', since: 1, transport: 'stdio' }, () => ended.push('c'))
  await one.host.request('gate.remove', { id: client.id })
  expect([rules.list().map(({ id }) => id), ended, clients().get(client.id)]).toEqual([['d'], ['c'], undefined])
})
