// Folders that the person offers, from the settings to what a server hears.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import type { FolderOwner } from '#app/shared-folders.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { raw } from '#main/servers/lifecycle/servers.testing.ts'
import { offeredFolders } from './shared-folders.ts'

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
  const set = (paths: string[]) => host.request('folder.set', { owner: { kind: 'everyone' }, paths })
  await host.request('server.start', { name: 'raw' })
  await set([`${folder}/`])
  await expect.poll(told).toBe(1)
  await expect(set([folder, 'not/absolute'])).rejects.toMatchObject({ code: 'folder.not-found' })
  const roots = await host.context.chat.handlers.roots({ server: 'raw', signal: new AbortController().signal })
  expect(roots.roots.map(({ uri }) => uri)).toEqual([tmpdir(), folder].map((path) => pathToFileURL(path).href))
  await set([])
  await expect.poll(told).toBe(2)
  await set([folder])
  await host.dispose()
  expect(make({ dataDir }).host.snapshot().settings.roots).toEqual([folder])
})

it('a server’s own come in place of those, a chat’s own in place of both, and either is kept', async () => {
  const [own, chats] = [join(folder, 'own'), join(folder, 'a chat’s')]
  for (const path of [own, chats]) mkdirSync(path, { recursive: true })
  const { host, dataDir } = make({ servers: JSON.stringify({ mcpServers: { raw: { command, args } } }) })
  const set = (owner: FolderOwner, paths: string[]) => host.request('folder.set', { owner, paths })
  const offered = (server: string, conversationId?: string) => offeredFolders(host.context.store, server, conversationId)
  const { conversationId: id } = await host.request('chat.send', { text: 'Hello' })
  const server: FolderOwner = { kind: 'server', name: 'raw' }
  await set({ kind: 'everyone' }, [folder])
  await set(server, [own])
  await set({ kind: 'conversation', id }, [chats])
  expect([offered('raw'), offered('other'), offered('raw', id), offered('raw', 'another')]).toEqual([[own], [folder], [chats], [own]])
  rmSync(own, { recursive: true })
  expect((await host.request('folder.list', { owner: server })).folders).toEqual([{ path: own, there: false }])
  const [view] = host.snapshot().servers.filter(({ name }) => name === 'raw')
  if (!view) throw new Error('no server')
  await host.request('server.save', { name: 'renamed', previousName: 'raw', definition: view.definition })
  expect(offered('renamed')).toEqual([own])
  await host.context.chat.idle(id)
  await host.dispose()
  const again = make({ dataDir })
  expect([offeredFolders(again.host.context.store, 'renamed', undefined), offeredFolders(again.host.context.store, 'renamed', id)]).toEqual(
    [[own], [chats]],
  )
})
