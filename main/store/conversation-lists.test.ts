import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ChatFilter } from '#app/chat/chat-filter.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { listPositionOf, newestFirst, sectionOf } from '#app/chat/conversation.ts'
import { openDatabase } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { migrations, oldestVersion } from './database/schema.ts'
import { makeProfile, type TestProfile } from './store.testing.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

function put(id: string, part: Partial<Conversation> = {}): Conversation {
  const conversation: Conversation = {
    id,
    title: `Chat ${id}`,
    model: 'practice/practice',
    createdAt: 1,
    updatedAt: 1,
    activity: { kind: 'idle' },
    ...part,
  }
  profile.store().conversations.put(conversation)
  return conversation
}
const ids = (found: readonly Conversation[]): string => found.map(({ id }) => id).join(' ')
const find = (filter: Partial<ChatFilter>): string => ids(profile.store().history.find({ archived: false, ...filter }, { limit: 100 }))

test('each conversation is on the shelf that the page would put it on', () => {
  const all = [
    put('loose'),
    put('pinned', { pinned: true, folderId: 'f' }),
    put('unpinned', { pinned: false }),
    put('in', { folderId: 'f' }),
    put('archived', { archivedAt: 5, pinned: true, folderId: 'f' }),
  ]
  const { history } = profile.store()
  for (const one of all) expect(history.shelf(sectionOf(one), { limit: 10 })).toContainEqual(one)
  expect(ids(history.shelf('loose', { limit: 10 }))).toBe('unpinned loose')
  history.set(['loose'], { deletedAt: 1 })
  expect(ids(history.shelf('loose', { limit: 10 }))).toBe('unpinned')
})

test('a shelf comes in pieces, newest first, none twice and none left out, whatever moves up meanwhile', () => {
  const all = Array.from({ length: 7 }, (_, index) => put(`c${index}`, { updatedAt: Math.floor(index / 2) }))
  const { history } = profile.store()
  const first = history.shelf('loose', { limit: 3 })
  const last = first.at(-1)
  if (!last) throw new Error('nothing found')
  put('c6', { updatedAt: 99 })
  const rest = history.shelf('loose', { limit: 100, after: listPositionOf(last) })
  expect([...first, ...rest]).toEqual(all.toSorted(newestFirst))
})

test('conversations are found by title, folder, model and time', () => {
  put('a', { title: '100% Ink_wash', model: 'x/one', updatedAt: 10 })
  put('b', { title: 'ink and paper', folderId: 'f', model: 'x/two', updatedAt: 20 })
  put('c', { title: 'Inkless', archivedAt: 1, updatedAt: 30 })
  expect([
    find({}),
    find({ archived: true }),
    find({ text: 'ink' }),
    find({ text: '0% ' }),
    find({ text: 'k_w' }),
    find({ folderId: 'f' }),
    find({ folderId: null }),
    find({ model: 'x/one' }),
    find({ since: 20 }),
    find({ until: 20 }),
    find({ text: 'ink', folderId: 'f', model: 'x/two', since: 1, until: 21 }),
  ]).toEqual(['b a', 'c', 'b a', 'a', 'a', 'b', 'a', 'a', 'b', 'a', 'b'])
  const { history } = profile.store()
  expect([history.count({ archived: false }), history.ids({ archived: false, model: 'x/two' })]).toEqual([2, ['b']])
})

test('many are changed at once, and only in what is to change', () => {
  const before = put('a', { pinned: true, contextTokens: 3 })
  put('b', { folderId: 'f' })
  const { history, conversations } = profile.store()
  history.set(['a', 'b', 'nobody'], { folderId: 'g', archivedAt: 7 })
  expect([conversations.get('a'), conversations.get('b')?.folderId]).toEqual([{ ...before, folderId: 'g', archivedAt: 7 }, 'g'])
  history.set(['a', 'b'], { folderId: null, archivedAt: null, pinned: null })
  expect(conversations.get('a')).toEqual({ ...before, pinned: undefined })
  history.set(['a'], { pinned: true, deletedAt: 12 })
  expect([conversations.get('a'), history.standings(['a', 'b', 'nobody'])]).toEqual([
    undefined,
    new Map([
      ['a', { folderId: null, pinned: true, archivedAt: null, deletedAt: 12 }],
      ['b', { folderId: null, pinned: null, archivedAt: null, deletedAt: null }],
    ]),
  ])
})

test('deleted ones are listed, the latest first, and go for good with their messages when the person says so', () => {
  for (const id of ['a', 'b', 'c', 'kept']) put(id)
  const { history, conversations } = profile.store()
  conversations.putMessage({ role: 'user', id: 'm', conversationId: 'a', turnId: 't', createdAt: 1, text: 'secret' })
  for (const [index, id] of ['a', 'b', 'c'].entries()) history.set([id], { deletedAt: 100 + index })
  const first = history.deleted({ limit: 2 })
  expect(first.map(({ conversation, deletedAt }) => [conversation.id, deletedAt])).toEqual([
    ['c', 102],
    ['b', 101],
  ])
  expect(history.deleted({ limit: 2, after: { deletedAt: 101, id: 'b' } }).map(({ conversation }) => conversation.id)).toEqual(['a'])
  expect([history.purge(['a', 'kept', 'nobody']), conversations.message('m'), history.deletedIds()]).toEqual([1, undefined, ['b', 'c']])
  expect(conversations.get('kept')?.id).toBe('kept')
})

test('a row that is no JSON is passed over, and stays as it is', () => {
  put('a')
  profile.store().close()
  const file = new DatabaseSync(profile.path)
  file.exec("INSERT INTO conversations (id, updated_at, activity, body) VALUES ('broken', 9, 'idle', '{')")
  file.close()
  const { history } = profile.reopen()
  history.set(['a', 'broken'], { folderId: 'f' })
  expect([ids(history.shelf('folder:f', { limit: 9 })), find({}), [...history.standings(['broken'])]]).toEqual(['a', 'a', []])
})

test('what the person keeps for chats stays in its order, by kind, and follows a server that gets another name', () => {
  const { personal, servers } = profile.store()
  personal.put('prompt', { id: 'p2', name: 'Second', text: 'b' })
  personal.put('prompt', { id: 'p1', name: 'First', text: 'a' })
  personal.put('assistant', { id: 'a', name: 'Clerk', servers: ['files', 'notes'] })
  personal.put('prompt', { id: 'p2', name: 'Second', text: 'changed' })
  personal.put('fact', { id: 'f', text: 'Likes tea.', at: 1 })
  servers.rename('files', 'notes')
  const after = profile.reopen().personal
  expect(after.lists()).toEqual({
    prompts: [
      { id: 'p2', name: 'Second', text: 'changed' },
      { id: 'p1', name: 'First', text: 'a' },
    ],
    assistants: [{ id: 'a', name: 'Clerk', servers: ['notes'] }],
    facts: [{ id: 'f', text: 'Likes tea.', at: 1 }],
  })
  // Another kind's row of that id is not removed.
  after.remove('fact', ['p1', 'f'])
  expect([after.list('fact'), after.list('prompt').length]).toEqual([[], 2])
})

test('a profile of before it kept prompts, assistants or facts gets room for them, and loses nothing', () => {
  const before = migrations.findIndex((step) => step.includes('CREATE TABLE personal'))
  const old = openDatabase(profile.path)
  old.prepareForWriting()
  migrate(old, migrations.slice(0, before), oldestVersion)
  old.run("INSERT INTO chat_folders (id, body) VALUES ('f', ?)", JSON.stringify({ id: 'f', name: 'Work', createdAt: 1 }))
  old.close()
  const { personal, chatFolders } = profile.store()
  expect([personal.lists(), chatFolders.get('f')?.name]).toEqual([{ prompts: [], assistants: [], facts: [] }, 'Work'])
})

test('a folder of chats is kept, and follows a server that gets another name', () => {
  const { chatFolders, servers } = profile.store()
  const folder = { id: 'f', name: 'Work', createdAt: 1, servers: ['files', 'notes'], systemPrompt: 'Be brief.' }
  chatFolders.put(folder)
  chatFolders.put({ ...folder, id: 'g', servers: ['other'] })
  servers.rename('files', 'notes')
  const after = profile.reopen().chatFolders
  expect([after.get('f'), after.get('g')?.servers]).toEqual([{ ...folder, servers: ['notes'] }, ['other']])
  after.remove('f')
  expect(after.list().map(({ id }) => id)).toEqual(['g'])
})
