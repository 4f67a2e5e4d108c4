import { strToU8, Zip, ZipDeflate, zipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HostError } from '#app/errors.ts'
import { makeProfile, type TestProfile } from '#main/store/store.testing.ts'
import { files } from './fixtures/make.ts'
import { importFile, messageTextOf, only } from './transfer.testing.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const codeOfImport = (file: string | Uint8Array): Promise<unknown> =>
  importFile(profile.store(), file).then(
    () => undefined,
    (error: { code?: string }) => error.code,
  )

describe('files of others', () => {
  test.each<[file: keyof typeof files, messages: string[]]>([
    ['claude, plain', ['Hello', 'text: Hi.']],
    [
      'claude, blocks, calls and attachments',
      [
        'Read it\n\n[Attached: a.md]\n\n````\nhas ``` in it\n````\n\n[Attached: photo.png]',
        'thinking: Let me see. | text: Looking. | web search: found | never_answered: cancelled',
      ],
    ],
    ['claude, a branch', ['one', 'text: other two']],
    ['claude, calls of which one has no answer', ['unanswered: cancelled | answered: found']],
    ['claude, calls without ids', ['first: one | second: two']],
    [
      'claude, pages that it cites, and a spoken note',
      ['Who won?', 'text: They won ([a.example](https://a.example/)). Twice ([Cup](https://b.example/)).'],
    ],
    ['claude, the leaf that was shown, below one without words', ['one', 'two']],
    ['claude, one conversation by itself', ['alone']],
    ['chatgpt, branches', ['What is a kestrel?', 'text: A falcon.']],
    ['chatgpt, calls, thoughts and pictures', ['[not in this file]\n\nAdd it up', 'thinking: Sum\nAdd.', 'python: 2', 'text: It is 2.']],
    [
      'chatgpt, what an answer rests on',
      [
        'Who was she?',
        'web.run: first page\n\nsecond page',
        'text: Ada Lovelace wrote it ([A \\[press\\]](https://a.example/x_%28y%29), [B](https://b.example/)). Seen in (notes.pdf), old ([Old](https://old.example/)).',
      ],
    ],
    ['chatgpt, spoken', ['Hello there']],
    ['chatgpt, a ring and a missing end', ['x', 'text: y']],
    ['odd types everywhere', ['kept']],
    ['prototype keys', ['safe']],
  ])('%s', async (file, messages) => {
    const store = profile.store()
    expect(await importFile(store, files[file], { piece: 37 })).toMatchObject({ conversations: 1, broken: 0, cut: false })
    expect(store.conversations.messages(only(store).id).map(messageTextOf)).toEqual(messages)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('keep their title, their times and where they come from, and can be searched for', async () => {
    const store = profile.store()
    await importFile(store, files['chatgpt, branches'])
    const conversation = only(store)
    expect(conversation).toMatchObject({
      title: 'Chat g1',
      createdAt: 1_740_823_200_000,
      updatedAt: 1_740_909_600_000,
      model: 'practice/practice',
      activity: { kind: 'idle' },
      importedFrom: { source: 'chatgpt', id: 'g1', at: 7 },
    })
    const [question] = store.conversations.messages(conversation.id)
    expect(question?.createdAt).toBe(1_740_823_200_250)
    expect((await store.search.find('me', { text: 'small falcon ', where: 'all' })).hits).toHaveLength(1)
  })

  test('say their model where the whole conversation does, and stay pinned and archived', async () => {
    const store = profile.store()
    await importFile(store, files['chatgpt, what an answer rests on'])
    const conversation = only(store)
    expect(conversation).toMatchObject({ pinned: true, archivedAt: 7 })
    const answer = store.conversations.messages(conversation.id).at(-1)
    expect(answer?.role === 'assistant' && answer.model).toBe('chatgpt/gpt-5-6')
  })

  test('keep their branches', async () => {
    const store = profile.store()
    await importFile(store, files['chatgpt, branches'])
    const { nodes } = store.conversations.tree(only(store).id)
    expect(nodes.map(({ parent }) => nodes.findIndex(({ id }) => id === parent))).toEqual([-1, 0, 0])
  })

  test('imported twice, and twice in one file, are there once; a preview keeps nothing', async () => {
    const store = profile.store()
    const file = files['the same twice']
    expect(await importFile(store, file, { mode: 'preview' })).toMatchObject({ conversations: 1, already: 1 })
    expect(store.conversations.list()).toEqual([])
    await importFile(store, file)
    expect(await importFile(store, file)).toMatchObject({ conversations: 0, already: 2 })
    expect(store.conversations.list()).toHaveLength(1)
  })

  test('what is broken is named and passed over', async () => {
    const store = profile.store()
    const { conversations, broken, faults } = await importFile(store, files['both kinds of wrong among right ones'])
    expect({ conversations, broken, named: faults.map(({ name }) => name) }).toEqual({
      conversations: 2,
      broken: 5,
      named: ['No messages', 'Something else', '42', 'null', '"text"'],
    })
    expect((await importFile(store, files['nested without end'])).faults).toHaveLength(1)
    expect(await importFile(store, files['cut off'])).toMatchObject({ conversations: 1, cut: true })
    expect(store.conversations.list().map(({ title }) => title)).toContain('Chat after')
  })

  test.each<keyof typeof files>(['another format', 'no JSON', 'empty'])('%s is refused', async (file) => {
    expect(await codeOfImport(files[file])).toBe('import.unreadable')
  })
})

describe('zip archives', () => {
  const text = strToU8(files['claude, plain'])

  test('are read for their conversations alone, wherever they lie', async () => {
    const zip = zipSync({ 'users.json': strToU8('[1]'), '../../etc/conversations.json': text, 'photo.png': new Uint8Array(50_000) })
    expect(await importFile(profile.store(), zip, { piece: 100 })).toMatchObject({ conversations: 1, broken: 0 })
  })

  test('are read also when their sizes stand behind the files, and in several files', async () => {
    const pieces: Uint8Array[] = []
    const zip = new Zip((_error, piece) => pieces.push(piece))
    for (const [name, content] of [
      ['conversations-000.json', files['claude, plain']],
      ['conversations-001.json', files['chatgpt, branches']],
    ] as const) {
      const file = new ZipDeflate(name)
      zip.add(file)
      file.push(strToU8(content), true)
    }
    zip.end()
    expect(await importFile(profile.store(), Buffer.concat(pieces))).toMatchObject({
      conversations: 2,
      sources: ['claude', 'chatgpt'],
      cut: false,
    })
  })

  test('that blow up are refused', async () => {
    expect(await codeOfImport(zipSync({ 'conversations.json': new Uint8Array(60_000_000).fill(32) }, { level: 9 }))).toBe(
      'import.too-large',
    )
  })

  test('without conversations are refused, and for another reason than those that are damaged', async () => {
    const reasonOf = (file: Uint8Array): Promise<unknown> =>
      importFile(profile.store(), file).catch(({ code, message }: HostError) => ({ code, message }))
    const none = await reasonOf(zipSync({ 'other.json': text }))
    const cut = await reasonOf(zipSync({ 'conversations.json': text }).subarray(0, 40))
    expect([none, cut]).toMatchObject([{ code: 'import.unreadable' }, { code: 'import.unreadable' }])
    expect(await reasonOf(strToU8('PK\u0003\u0004 and so on'))).toEqual(cut)
    expect(none).not.toEqual(cut)
  })
})
