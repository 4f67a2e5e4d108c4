// Folders that the person offers, from the settings to what a server hears.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { raw } from '#main/servers/test-support.ts'
import { makeTestHost, type TestHost } from './testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'assent-folders-'))
const record = join(folder, 'seen.jsonl')
const { command, args } = raw('manners', record)
const open: TestHost[] = []
const make = (options: Parameters<typeof makeTestHost>[0]): TestHost => {
  const made = makeTestHost({ policy: () => ({ kind: 'allow', scope: 'once' }), ...options })
  open.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((test) => test.remove()))
  rmSync(folder, { recursive: true, force: true })
})

const told = (): number => readFileSync(record, 'utf8').split('notifications/roots/list_changed').length - 1

it('a folder that is added is kept and told of, and a server that asks learns of it beside those of the command line', async () => {
  const { host, dataDir } = make({ servers: JSON.stringify({ mcpServers: { raw: { command, args } } }), roots: [tmpdir()] })
  await host.request('server.start', { name: 'raw' })
  await host.request('settings.set', { roots: [`${folder}/`] })
  await expect.poll(told, { timeout: 15_000 }).toBe(1)
  await host.request('settings.set', { roots: [folder], stepLimit: 7 })
  await expect(host.request('settings.set', { roots: [folder, 'not/absolute'] })).rejects.toMatchObject({ code: 'folder.not-found' })
  const roots = await host.parts.chat.handlers.roots({ server: 'raw', signal: new AbortController().signal })
  expect(roots.roots.map(({ uri }) => uri)).toEqual([tmpdir(), folder].map((path) => `file://${path}`))
  await host.request('settings.set', { roots: [] })
  await expect.poll(told, { timeout: 15_000 }).toBe(2)
  await host.request('settings.set', { roots: [folder] })
  await host.dispose()
  expect(make({ dataDir }).host.snapshot().settings.roots).toEqual([folder])
})
