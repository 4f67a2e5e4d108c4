// Whether a server is trusted is the person's answer. A file that other programs can write in does not count: recorded
// where a repository's own list trusted itself (bobmatnyc/trusty-tools issue 3926, langchain-ai/deepagents pull 4507), and
// CurXecute (CVE-2025-54135): an agent wrote into the list of servers.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createTestPlatform, makeTestHost, type TestHost } from './host.testing.ts'

const open: TestHost[] = []
const make = (options: Parameters<typeof makeTestHost>[0]): TestHost => {
  const made = makeTestHost({ startServers: false, ...options })
  open.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((test) => test.remove()))
})

const entry = { command: 'node', args: ['server.js'], trusted: true }
const text = (more: object = {}): string => JSON.stringify({ mcpServers: { notes: { ...entry, ...more } } })
const viewOf = ({ host }: TestHost) => host.snapshot().servers.find(({ name }) => name === 'notes')
const trusts = (host: TestHost): boolean | undefined => viewOf(host)?.definition.trusted

test('what the file of the profile says does not count, and is said', () => {
  const host = make({ servers: text() })
  expect([trusts(host), viewOf(host)?.warnings]).toEqual([false, ['Its file says “trusted”. Switch that on under Tools.']])
})

test('the person’s switch counts, also after a restart, until another program stands behind the name', async () => {
  const first = make({ servers: text() })
  const definition = viewOf(first)?.definition
  if (!definition) throw new Error('there is no such server')
  await first.host.request('server.save', { name: 'notes', definition: { ...definition, trusted: true } })
  expect([trusts(first), viewOf(first)?.warnings]).toEqual([true, []])
  await first.host.dispose()
  const { dataDir } = first
  const second = make({ dataDir })
  expect(trusts(second)).toBe(true)
  await second.host.request('config.save', { text: text({ args: ['evil.js'] }) })
  expect(trusts(second)).toBe(false)
  await second.host.request('config.save', { text: text() })
  expect(trusts(second)).toBe(true)
  // Taken back in the file: to write it there again is no answer.
  await second.host.request('config.save', { text: text({ trusted: false }) })
  await second.host.request('config.save', { text: text() })
  expect(trusts(second)).toBe(false)
})

test('a removed server leaves no trust behind, and has it again when its removal is undone', async () => {
  const host = make({ servers: text() })
  const definition = viewOf(host)?.definition
  if (!definition) throw new Error('there is no such server')
  await host.host.request('server.save', { name: 'notes', definition: { ...definition, trusted: true } })
  const { text: before } = await host.host.request('server.remove', { name: 'notes' })
  expect(host.host.context.store.servers.trusted().size).toBe(0)
  await host.host.request('config.save', { text: before })
  expect(trusts(host)).toBe(true)
  await host.host.request('server.remove', { name: 'notes' })
  await host.host.request('config.save', { text: text({ args: ['other.js'] }) })
  expect(trusts(host)).toBe(false)
})

test('in a file that the caller named it counts', () => {
  const profile = make({})
  const file = join(profile.dataDir, 'mine.json')
  writeFileSync(file, text())
  const caller = make({ configFile: file, platform: createTestPlatform() })
  expect([trusts(caller), readFileSync(file, 'utf8')]).toEqual([true, text()])
})
