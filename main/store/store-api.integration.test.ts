import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AssistantMessage, Message } from '#app/chat/message.ts'
import type { SearchFound, SearchWhere } from '#app/chat/search/search-result.ts'
import { openDatabase } from './database/database.ts'
import { find as search } from './search/find-messages.ts'
import { makeProfile, type TestProfile } from './store.testing.ts'

const DAY = 24 * 60 * 60 * 1000
let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const conversation = (id: string, title = `Chat ${id}`) => ({
  id,
  title,
  model: 'practice/practice',
  createdAt: 1,
  updatedAt: 1,
  activity: { kind: 'idle' as const },
})
const ask = (id: string, text: string, part: { conversationId?: string; createdAt?: number } = {}): Message => ({
  role: 'user',
  id,
  conversationId: 'c1',
  turnId: 't',
  createdAt: 1,
  text,
  ...part,
})
const answer = (id: string, part: Partial<AssistantMessage>): AssistantMessage => ({
  role: 'assistant',
  id,
  conversationId: 'c1',
  turnId: 't',
  createdAt: 2,
  model: 'm',
  parts: [],
  state: 'done',
  ...part,
})
const readCall = (server: string, tool: string, result: string): AssistantMessage['parts'][number] => ({
  kind: 'tool-call',
  call: {
    id: `${server}-call`,
    providerId: 'p',
    modelName: `${server}__${tool}`,
    server,
    tool,
    arguments: { path: 'vendors.csv' },
    state: {
      kind: 'done',
      decision: { allowed: true, by: 'person', scope: 'once' },
      startedAt: 1,
      durationMs: 1,
      result: { content: [{ type: 'text', text: result }], isError: false, bytes: 1 },
    },
  },
})

function fill(messages: readonly Message[], ids: readonly string[] = ['c1']): void {
  const { conversations } = profile.store()
  for (const id of ids) conversations.put(conversation(id))
  for (const message of messages) conversations.putMessage(message)
}
const find = (
  text: string,
  part: { where?: SearchWhere; conversationId?: string; before?: number } = {},
  searcher = 'me',
): Promise<SearchFound> => profile.store().search.find(searcher, { text, where: 'all', ...part })
/** Message, or the title's conversation, of each hit. */
const ids = async (...query: Parameters<typeof find>): Promise<string[]> =>
  (await find(...query)).hits.map(({ messageId, callId, conversationId }) => callId ?? messageId ?? conversationId)

describe('what is found', () => {
  const cases: readonly (readonly [what: string, typed: string, found: readonly string[]])[] = [
    ['a word, the latest first', 'kestrel ', ['files-call', 'a2', 'u1']],
    ['a word that is being typed', 'kest', ['files-call', 'a2', 'u1']],
    ['all of the words', 'kestrel moved ', ['u1']],
    ['words in that order', '"moved to Ireland" ', ['u1']],
    ['no words in another order', '"Ireland to moved" ', []],
    ['a phrase that is being typed', '"moved to Irel', ['u1']],
    ['without a word', 'kestrel -moved -csv ', ['a2']],
    ['accents and case do not count', 'CAFÉ ', ['a2']],
    ['in the midst of Chinese', '据库', ['u3']],
    ['one character of Chinese', '库', ['u3']],
    ['in the midst of Thai', 'ภาษาไทย', ['u3']],
    ['the name of a tool', 'list_unbooked', ['ledger-call']],
    ['what a server did', 'server:files ', ['files-call']],
    ['by how the names of servers begin', 'server:le nothing', ['ledger-call']],
    ['nothing for a server that nobody used', 'server:github ', []],
    ['what a tool gave', 'tool:read kestrel ', ['files-call']],
    ['a title', 'in:title c1 ', ['c1']],
    ['nothing that was before', 'kestrel after:2026-09 ', ['files-call']],
    ['nothing that came later', 'kestrel before:2026-09 ', ['a2', 'u1']],
    ['nothing for a word that is in no message', 'nowhere ', []],
    ['nothing for nothing', '  ', []],
    ['nothing for signs', '"*" ^ ( OR', []],
    ['operators of FTS5 as words', 'NEAR(kestrel) AND ', []],
  ]
  test('by words, phrases and filters, in all scripts; nothing that is typed is an error', async () => {
    const september = new Date(2026, 8, 1).getTime()
    fill([
      ask('u1', 'Kestrel moved to Ireland, I think', { createdAt: september - 2 * DAY }),
      answer('a2', {
        parts: [
          { kind: 'text', text: 'Kestrel and Café Lindgren' },
          { kind: 'thinking', text: 'nowhere' },
        ],
        createdAt: september - DAY,
      }),
      ask('u3', '数据库 ฉันพูดภาษาไทยได้', { createdAt: september }),
      answer('a4', {
        parts: [readCall('files', 'read_file', 'Kestrel Hosting,IE'), readCall('ledger', 'list_unbooked', 'nothing')],
        createdAt: september + DAY,
      }),
    ])
    const found = await Promise.all(cases.map(async ([what, typed]) => [what, typed, await ids(typed, {}, what)]))
    expect(found).toEqual(cases)
  })

  describe('in a folder, or in the archive', () => {
    const names = { tax: 'Tax 2026', taxi: 'Taxi', gone: 'Garden' }
    const fillFolders = (of: Readonly<Record<string, { folderId?: string; archivedAt?: number }>>): void => {
      for (const [id, name] of Object.entries(names)) profile.store().chatFolders.put({ id, name, createdAt: 1 })
      for (const [index, [id, where]] of Object.entries(of).entries()) {
        profile.store().conversations.put({ ...conversation(id), ...where })
        profile.store().conversations.putMessage(ask(`${id}-m`, 'kestrel', { conversationId: id, createdAt: index * 1000 }))
      }
    }

    test('only its chats are looked through, by its name or how it begins, with or without words', async () => {
      fillFolders({ loose: {}, a: { folderId: 'tax' }, b: { folderId: 'taxi' }, c: { folderId: 'tax', archivedAt: 5 } })
      const cases: readonly (readonly [string, readonly string[]])[] = [
        ['folder:"TAX 2026" kestrel ', ['c-m', 'a-m']],
        ['folder:tax kestrel ', ['c-m', 'b-m', 'a-m']],
        ['folder:taxi kestrel ', ['b-m']],
        ['folder:tax in:archive kestrel ', ['c-m']],
        ['in:archive kestrel ', ['c-m']],
        ['in:archive in:title ', ['c']],
        ['folder:taxi ', ['b-m', 'b']],
        ['folder:garden kestrel ', []],
        ['folder:nowhere kestrel ', []],
      ]
      const found = await Promise.all(cases.map(async ([typed]) => [typed, await ids(typed, {}, typed)]))
      expect(found.map(([typed, hits]) => [typed, new Set(hits)])).toEqual(cases.map(([typed, hits]) => [typed, new Set(hits)]))
    })

    test('also where there are more chats than the index is told of', async () => {
      const chats = Array.from({ length: 105 }, (_, index) => [`n${index}`, index === 103 ? {} : { archivedAt: 5 }])
      fillFolders(Object.fromEntries(chats))
      expect((await ids('in:archive kestrel ')).slice(0, 2)).toEqual(['n104-m', 'n102-m'])
    })
  })

  test('a hit says where it is, and shows the passage', async () => {
    fill([answer('a', { parts: [readCall('files', 'read', 'Kestrel Hosting')], createdAt: 5000 })])
    profile.store().conversations.put(conversation('c1', 'About Kestrel'))
    const { hits, counts } = await find('kestrel ')
    expect(hits).toMatchObject([
      {
        kind: 'call',
        conversationId: 'c1',
        messageId: 'a',
        callId: 'files-call',
        server: 'files',
        tool: 'read',
        at: 5000,
        title: [
          { text: 'About ', hit: false },
          { text: 'Kestrel', hit: true },
        ],
        snippet: {
          form: 'data',
          spans: [
            { text: 'Kestrel', hit: true },
            { text: ' Hosting', hit: false },
          ],
        },
      },
      { kind: 'title', conversationId: 'c1', at: 1 },
    ])
    expect(counts).toEqual({ all: 2, messages: 0, results: 1, titles: 1, capped: false })
    expect(await ids('kestrel ', { where: 'titles' })).toEqual(['c1'])
  })

  test('of one conversation three, unless it is the only one; the rest is counted', async () => {
    fill(Array.from({ length: 50 }, (_, index) => ask(`u${index}`, 'same', { createdAt: index * 1000 })))
    const found = await find('same ')
    expect(found.hits).toHaveLength(3)
    expect(found.more).toEqual({ c1: 47 })
    const first = await find('same ', { conversationId: 'c1' })
    const second = await find('same ', { conversationId: 'c1', before: first.next ?? 0 })
    expect([...first.hits, ...second.hits].map(({ messageId }) => messageId)).toEqual(
      Array.from({ length: 50 }, (_, index) => `u${49 - index}`),
    )
    expect(second.next).toBeNull()
  })

  test('a page is whole where there was no time left to count, and its counts say so', () => {
    const chats = Array.from({ length: 300 }, (_, index) => `c${index}`)
    fill(
      chats.map((conversationId, index) => ask(`u${index}`, 'same', { conversationId, createdAt: index * 1000 })),
      chats,
    )
    const database = openDatabase(profile.path, { readOnly: true })
    try {
      const found = search(database, { text: 'same ', where: 'all' }, () => true, 0)
      expect([found?.hits.length, found?.counts?.capped]).toEqual([40, true])
      expect(found?.counts?.all).toBeLessThan(300)
      const next = search(database, { text: 'same ', where: 'all', before: found?.next ?? 0 }, () => true, 0)
      expect(next?.hits[0]?.messageId).toBe('u259')
    } finally {
      database.close()
    }
  })

  test('more than are counted are said to be more', async () => {
    fill(Array.from({ length: 520 }, (_, index) => ask(`u${index}`, 'same', { createdAt: 7 })))
    expect((await find('same ')).counts).toEqual({ all: 500, messages: 500, results: 0, titles: 0, capped: true })
  })
})

describe('what is there no more, or not yet', () => {
  test('a message is found once it is finished, and then as it reads', async () => {
    fill([answer('a', { state: 'streaming', parts: [{ kind: 'text', text: 'half' }] })])
    expect(await ids('half ')).toEqual([])
    const { conversations } = profile.store()
    conversations.putMessage(answer('a', { parts: [{ kind: 'text', text: 'half and whole' }] }))
    expect(await ids('half whole ')).toEqual(['a'])
    conversations.putMessage(answer('a', { parts: [{ kind: 'text', text: 'other' }] }))
    expect(await ids('half ')).toEqual([])
  })

  test('a deleted conversation is not found until it is restored; purged, its words are gone', async () => {
    fill([ask('u1', 'kestrel'), ask('u2', 'kestrel', { conversationId: 'c2' })], ['c1', 'c2'])
    const { history } = profile.store()
    history.set(['c1'], { deletedAt: profile.clock.time })
    expect(await ids('kestrel ')).toEqual(['u2'])
    history.set(['c1'], { deletedAt: null })
    expect((await ids('kestrel ')).toSorted((a, b) => a.localeCompare(b))).toEqual(['u1', 'u2'])
    history.set(['c1'], { deletedAt: profile.clock.time })
    profile.clock.time += 31 * DAY
    expect(await profile.reopen().search.find('me', { text: 'kestrel ', where: 'all' })).toMatchObject({ hits: [{ messageId: 'u2' }] })
    const database = openDatabase(profile.path, { readOnly: true })
    expect(database.all("SELECT rowid FROM search_words WHERE search_words MATCH 'kestrel'")).toHaveLength(1)
    database.close()
  })

  test('a deleted message is not found until it is restored', async () => {
    fill([ask('u1', 'kestrel'), ask('u2', 'kestrel', { createdAt: 5000 })])
    const { conversations } = profile.store()
    conversations.deleteMessages(['u1'])
    expect(await ids('kestrel ')).toEqual(['u2'])
    conversations.restoreMessages(['u1'])
    expect(await ids('kestrel ')).toEqual(['u2', 'u1'])
  })

  test('a renamed conversation is found by its new title only', async () => {
    fill([])
    profile.store().conversations.put(conversation('c1', 'Invoices'))
    expect(await ids('chat ')).toEqual([])
    expect(await ids('invoices ')).toEqual(['c1'])
  })

  test('a transaction that fails leaves no words', async () => {
    fill([])
    const store = profile.store()
    expect(() =>
      store.transaction(() => {
        store.conversations.putMessage(ask('u1', 'kestrel'))
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(await ids('kestrel ')).toEqual([])
  })
})

test('who asks again is not answered what was asked before; others are', async () => {
  fill([ask('u1', 'kestrel')])
  const { search } = profile.store()
  const asked = [
    search.find('me', { text: 'kes', where: 'all' }),
    search.find('other', { text: 'kest', where: 'all' }),
    search.find('me', { text: 'kestr', where: 'all' }),
    search.find('me', { text: 'kestrel', where: 'all' }),
  ]
  const [, ...later] = await Promise.allSettled(asked)
  expect(later).toMatchObject([
    { status: 'fulfilled', value: { hits: [{ messageId: 'u1' }] } },
    { status: 'rejected', reason: { code: 'cancelled' } },
    { status: 'fulfilled', value: { hits: [{ messageId: 'u1' }] } },
  ])
})
