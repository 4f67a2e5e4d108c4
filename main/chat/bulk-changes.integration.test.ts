// What is done to many conversations, and folders of chats, through the whole host.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ChatChange, ChatChoice } from '#app/chat/chat-filter.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { sectionOf } from '#app/chat/conversation.ts'
import type { HostEvent } from '#app/contract/events.ts'
import { makeTestHost, type TestHost } from '../host/host.testing.ts'
import type { Host } from '../host.ts'
import { offeredFolders } from './roots/shared-folders.ts'

let test: TestHost
let host: Host
let heard: HostEvent[] = []
beforeAll(() => {
  test = makeTestHost()
  host = test.host
  host.onEvent((event) => heard.push(event))
})
afterAll(() => test.remove())
beforeEach(() => {
  const { history } = host.context.store
  history.set(history.ids({ archived: false }), { deletedAt: 1 })
  history.set(history.ids({ archived: true }), { deletedAt: 1 })
  history.purge(history.deletedIds())
  heard = []
})

function put(id: string, part: Partial<Conversation> = {}): void {
  host.context.store.conversations.put({
    id,
    title: id,
    model: 'practice/practice',
    createdAt: 1,
    updatedAt: 1,
    activity: { kind: 'idle' },
    ...part,
  })
}
const change = (ids: string[], what: ChatChange) => host.request('conversation.change', { choice: { kind: 'these', ids }, change: what })
const shelves = (): Record<string, string> =>
  Object.fromEntries(host.snapshot().conversations.map((conversation) => [conversation.id, sectionOf(conversation)]))
const addFolder = async (draft: Parameters<typeof host.context.history.saveFolder>[1] = { name: 'Work' }): Promise<string> =>
  (await host.request('chatFolder.save', { draft })).id
const names = () => heard.map(({ name }) => name)

it('a page begins with the beginning of each shelf, and whatever works or is shown', async () => {
  const folderId = await addFolder()
  const closed = await addFolder({ name: 'Closed' })
  await host.request('chatFolder.setClosed', { id: closed, closed: true })
  for (let index = 0; index < 150; index += 1) put(`c${index}`, { updatedAt: 1000 - index })
  for (let index = 0; index < 30; index += 1) put(`f${index}`, { updatedAt: 1000 - index, folderId })
  put('hidden', { folderId: closed })
  put('pinned', { pinned: true })
  put('archived', { archivedAt: 1 })
  put('works', { activity: { kind: 'working', turnId: 't', since: 1 } })
  const snapshot = await host.request('app.snapshot', { open: ['c149', 'gone'] })
  const seen = Map.groupBy(snapshot.conversations, sectionOf)
  expect([...seen].map(([shelf, found]) => [shelf, found.length]).toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual([
    [`folder:${folderId}`, 20],
    ['loose', 62],
    ['pinned', 1],
  ])
  expect(snapshot.sections).toEqual({
    pinned: { end: null },
    loose: { end: { updatedAt: 941, id: 'c59' } },
    [`folder:${folderId}`]: { end: { updatedAt: 981, id: 'f19' } },
  })
  const rest = await host.request('conversation.section', { section: 'loose', after: { updatedAt: 941, id: 'c59' }, limit: 90 })
  expect([rest.conversations[0]?.id, rest.conversations.at(-1)?.id, rest.more]).toEqual(['c60', 'c149', true])
  for (const id of [folderId, closed]) await host.request('chatFolder.remove', { id })
})

it.each<[ChatChange, Record<string, string>]>([
  [{ kind: 'archive' }, { c: 'loose' }],
  [{ kind: 'pin' }, { a: 'pinned', b: 'pinned', c: 'loose' }],
  [{ kind: 'unpin' }, { a: 'loose', b: 'loose', c: 'loose' }],
  [{ kind: 'delete' }, { c: 'loose' }],
])('%j is done to all that were chosen, told to every page, and undone as one', async (what, after) => {
  put('a', { pinned: true })
  for (const id of ['b', 'c']) put(id)
  const before = shelves()
  const done = await change(['a', 'b', 'nobody'], what)
  expect([shelves(), names().length]).toEqual([after, done.changed])
  await host.request('conversation.undo', { undo: done.undo ?? '' })
  expect(shelves()).toEqual(before)
  await expect(host.request('conversation.undo', { undo: done.undo ?? '' })).rejects.toMatchObject({ code: 'chat.nothing-to-undo' })
})

it('what fits a filter is changed but for some, and very many are told of as one', async () => {
  for (let index = 0; index < 120; index += 1) put(`c${index}`)
  put('other', { title: 'Something else' })
  const choice: ChatChoice = { kind: 'fitting', filter: { archived: false, text: 'c' }, except: ['c7'] }
  expect((await host.request('conversation.change', { choice, change: { kind: 'archive' } })).changed).toBe(119)
  expect([shelves(), names()]).toEqual([{ c7: 'loose', other: 'loose' }, ['history.changed']])
  const found = await host.request('conversation.find', { filter: { archived: true }, limit: 5 })
  expect([found.conversations.length, found.more, found.found]).toEqual([5, true, 119])
})

it('a change that changes nothing leaves nothing to undo, and a folder that is not there is refused', async () => {
  put('a')
  expect(await change(['a'], { kind: 'unarchive' })).toEqual({ changed: 0, undo: null })
  await expect(change(['a'], { kind: 'move', folderId: 'gone' })).rejects.toMatchObject({ code: 'chat.unknown-folder' })
  expect(names()).toEqual([])
})

it('a folder that is deleted leaves its chats, and comes back with them', async () => {
  const folderId = await addFolder()
  for (const id of ['a', 'b', 'c']) put(id)
  await change(['a', 'b'], { kind: 'move', folderId })
  await change(['b'], { kind: 'delete' })
  const { undo } = await host.request('chatFolder.remove', { id: folderId })
  expect([shelves(), host.snapshot().chatFolders]).toEqual([{ a: 'loose', c: 'loose' }, []])
  await host.request('conversation.undo', { undo })
  await change(['b'], { kind: 'restore' })
  expect([shelves(), host.snapshot().chatFolders.map(({ name }) => name)]).toEqual([
    { a: `folder:${folderId}`, b: `folder:${folderId}`, c: 'loose' },
    ['Work'],
  ])
  await host.request('chatFolder.remove', { id: folderId })
})

it('undoing a move does not put a chat into a folder that is gone', async () => {
  const folderId = await addFolder()
  put('a', { folderId })
  const { undo } = await change(['a'], { kind: 'move', folderId: null })
  await host.request('chatFolder.remove', { id: folderId })
  await host.request('conversation.undo', { undo: undo ?? '' })
  expect(shelves()).toEqual({ a: 'loose' })
})

it('deleted ones can be looked at and go for good', async () => {
  for (const id of ['a', 'b']) put(id)
  await change(['a', 'b'], { kind: 'delete' })
  const { deleted } = await host.request('conversation.deleted', { limit: 10 })
  expect(deleted.map(({ conversation }) => conversation.id)).toEqual(['b', 'a'])
  await change(['a'], { kind: 'restore' })
  expect([await host.request('conversation.purge', {}), shelves()]).toEqual([{ purged: 1 }, { a: 'loose' }])
})

it('a chat begins in a folder with its model and its way of asking, and says so on record', async () => {
  const folderId = await addFolder({ name: 'Careful', consentMode: 'ask-all', model: 'practice/practice', systemPrompt: 'Quiet.' })
  const { conversationId } = await host.request('chat.send', { text: 'Hello', folderId })
  await host.context.chat.idle(conversationId)
  const { conversation } = await host.request('conversation.get', { id: conversationId })
  expect(conversation).toMatchObject({ folderId, consentMode: 'ask-all', model: 'practice/practice', unread: true })
  await host.request('conversation.seen', { id: conversationId })
  expect((await host.request('conversation.get', { id: conversationId })).conversation.unread).toBeUndefined()
  const { rows } = await host.request('audit.list', { limit: 500 })
  const row = rows.find(({ decision, detail }) => decision === 'chat-folder' && detail['id'] === folderId)
  expect([row?.by, row?.detail['consentMode'], row?.detail['systemPrompt']]).toEqual(['person', 'ask-all', undefined])
  await expect(host.request('chat.send', { text: 'Hello', folderId: 'gone' })).rejects.toMatchObject({ code: 'chat.unknown-folder' })
  await expect(host.request('chatFolder.save', { draft: { name: 'x', model: 'no/such' } })).rejects.toMatchObject({ code: 'model.unknown' })
  await host.request('chatFolder.remove', { id: folderId })
})

it('the folders on disk of a chat come before those of its folder, those before a server’s, those before everybody’s', async () => {
  const base = mkdtempSync(join(tmpdir(), 'assent-history-'))
  const [everyones, servers, folders, chats] = ['everyone', 'server', 'folder', 'chat'].map((name) => join(base, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const path of [everyones, servers, folders, chats]) mkdirSync(path)
  const folderId = await addFolder()
  put('a', { folderId })
  put('b')
  const offered = (id: string | undefined) => offeredFolders(host.context.store, 'files', id)
  const seen: string[][] = []
  for (const [owner, path] of [
    [{ kind: 'everyone' }, everyones],
    [{ kind: 'server', name: 'files' }, servers],
    [{ kind: 'chatFolder', id: folderId }, folders],
    [{ kind: 'conversation', id: 'a' }, chats],
  ] as const) {
    await host.request('folder.set', { owner, paths: [path] })
    seen.push([...offered('a'), ...offered('b'), ...offered(undefined)])
  }
  expect(seen).toEqual([
    [everyones, everyones, everyones],
    [servers, servers, servers],
    [folders, servers, servers],
    [chats, servers, servers],
  ])
  await host.request('folder.set', { owner: { kind: 'everyone' }, paths: [] })
  rmSync(base, { recursive: true })
})
