import { strToU8, Zip, ZipDeflate, zipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Conversation } from '#app/chat/conversation.ts'
import type { ImportSummary } from '#app/chat/import/summary.ts'
import type { AssistantMessage, Message, ToolCallState } from '#app/chat/message.ts'
import { silentLog } from '#main/base/log.ts'
import { NOT_WHOLE } from '#main/store/put-whole.ts'
import { makeProfile, type TestProfile } from '#main/store/testing.ts'
import type { Store } from '#main/store/types.ts'
import { exportPieces } from './export-file.ts'
import { files } from './fixtures/make.ts'
import { createFileImport } from './import.ts'
import { createFileReader } from './read-file.ts'

let profile: TestProfile
let other: TestProfile
beforeEach(() => {
  profile = makeProfile()
  other = makeProfile()
})
afterEach(() => {
  profile.dispose()
  other.dispose()
})

async function importFile(
  store: Store,
  file: string | Uint8Array,
  { mode = 'import' as 'preview' | 'import', piece = 1000 } = {},
): Promise<ImportSummary> {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
  const reading = createFileImport({
    store,
    mode,
    reader: createFileReader({ now: 7, model: 'practice/practice' }),
    log: silentLog,
    onKept: () => {},
  })
  for (let at = 0; at < bytes.length; at += piece) await reading.push(bytes.subarray(at, at + piece))
  return reading.end()
}
const codeOfImport = (file: string | Uint8Array): Promise<unknown> =>
  importFile(profile.store(), file).then(
    () => undefined,
    (error: { code?: string }) => error.code,
  )
const only = (store: Store): Conversation => {
  const [conversation] = store.conversations.list()
  if (!conversation) throw new Error('nothing was imported')
  return conversation
}
const said = (message: Message): string =>
  message.role === 'assistant'
    ? message.parts
        .map((part) => (part.kind === 'tool-call' ? `${part.call.tool}: ${ended(part.call.state)}` : `${part.kind}: ${part.text}`))
        .join(' | ')
    : message.text
/** What it gave back in words, or else how it stands. */
const ended = (state: ToolCallState): string => {
  const texts = state.kind === 'done' ? state.result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])) : []
  return texts.join() || state.kind
}

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
    [
      'chatgpt, calls, thoughts and pictures',
      ['[Image, not in this file]\n\nAdd it up', 'thinking: Sum\nAdd.', 'python: 2', 'text: It is 2.'],
    ],
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
    expect(store.conversations.messages(only(store).id).map(said)).toEqual(messages)
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

  test('without conversations, or cut in two, are refused', async () => {
    expect(await codeOfImport(zipSync({ 'other.json': text }))).toBe('import.unreadable')
    expect(await codeOfImport(zipSync({ 'conversations.json': text }).subarray(0, 40))).toBe('import.unreadable')
  })
})

describe('our own file', () => {
  const exported = (store: Store): string =>
    [...exportPieces(store, { ids: store.conversations.list().map(({ id }) => id), format: 'json', now: 0 })].join('')

  /** A conversation with two branches, a call, bytes and a deleted message. */
  function fill(store: Store): void {
    const { conversations, blobs } = store
    const blob = blobs.put(new Uint8Array([1, 2, 3]), 'image/png')
    conversations.put({ id: 'c', title: 'Kestrel', model: 'm', createdAt: 3, updatedAt: 9, activity: { kind: 'idle' }, pinned: true })
    const ask = (id: string, text: string): Message => ({ role: 'user', id, conversationId: 'c', turnId: `t${id}`, createdAt: 4, text })
    const answer: AssistantMessage = {
      role: 'assistant',
      id: 'a',
      conversationId: 'c',
      turnId: 'tq',
      createdAt: 5,
      model: 'm',
      state: 'done',
      usage: { inputTokens: 1, outputTokens: 2 },
      parts: [
        {
          kind: 'tool-call',
          call: {
            id: 'k',
            providerId: 'p',
            modelName: 'files__read',
            server: 'files',
            tool: 'read',
            arguments: { path: 'x' },
            state: {
              kind: 'done',
              decision: { allowed: true, by: 'person', scope: 'once' },
              startedAt: 1,
              durationMs: 1,
              result: { content: [{ type: 'image', blob }], isError: false, bytes: 3 },
            },
          },
        },
      ],
    }
    for (const message of [ask('q', 'one'), answer, ask('gone', 'deleted'), ask('q2', 'two')]) conversations.putMessage(message)
    conversations.deleteMessages(['gone'])
    conversations.setLeaf('c', 'a')
    conversations.putMessage(ask('q3', 'other branch'))
  }

  /** Ids by the order in which they come, and without the mark of the import. */
  function withoutIds(text: string): unknown {
    const ids = new Map<string, string>()
    const known = (id: string): string => {
      const name = ids.get(id) ?? `#${ids.size}`
      ids.set(id, name)
      return name
    }
    const plain = JSON.stringify(JSON.parse(text), (name, value: unknown) => (name === 'importedFrom' ? undefined : value))
    return JSON.parse(plain, (name, value: unknown) => {
      return ['id', 'conversationId', 'turnId', 'parent', 'leaf'].includes(name) && typeof value === 'string' ? known(value) : value
    })
  }

  test('gives back what went in, up to ids', async () => {
    const from = profile.store()
    const to = other.store()
    fill(from)
    const file = exported(from)
    expect(await importFile(to, file, { piece: 11 })).toMatchObject({ conversations: 1, messages: 4, broken: 0 })
    expect(withoutIds(exported(to))).toEqual(withoutIds(file))
    expect(file).not.toContain('deleted')
    expect(to.conversations.messages(only(to).id).map(said)).toEqual(['one', 'read: done', 'other branch'])
    const [sha256] = /[0-9a-f]{64}/.exec(file) ?? []
    expect(to.blobs.get(sha256 ?? '')).toEqual({ bytes: new Uint8Array([1, 2, 3]), mimeType: 'image/png' })
  })

  test('is not imported where it comes from, nor twice', async () => {
    const from = profile.store()
    fill(from)
    const file = exported(from)
    expect(await importFile(from, file)).toMatchObject({ conversations: 0, already: 1 })
    await importFile(other.store(), file)
    expect(await importFile(other.store(), file)).toMatchObject({ conversations: 0, already: 1 })
    expect(await importFile(profile.store(), exported(other.store()))).toMatchObject({ conversations: 0, already: 1 })
  })

  test('loosens nothing and leaves nothing at work, whatever it says', async () => {
    const store = profile.store()
    fill(store)
    const file = JSON.parse(exported(store)) as {
      items: [{ conversation: object; messages: { message: { parts: { call: { state: object } }[]; state: string } }[] }]
    }
    Object.assign(file.items[0].conversation, {
      consentMode: 'ask-writes',
      roots: ['/'],
      activity: { kind: 'waiting', turnId: 't', requests: 3 },
    })
    const [, answer] = file.items[0].messages
    if (answer?.message.parts[0]) {
      answer.message.state = 'streaming'
      answer.message.parts[0].call.state = { kind: 'waiting', requestId: 'r' }
    }
    const to = other.store()
    await importFile(to, JSON.stringify(file))
    const conversation = only(to)
    expect(conversation).toMatchObject({ activity: { kind: 'idle' } })
    expect([conversation.consentMode, conversation.roots]).toEqual([undefined, undefined])
    expect(to.conversations.unfinished()).toEqual({ conversations: [], messages: [] })
  })

  test('keeps no bytes that nobody asked for, or that are others than their name says', async () => {
    const store = profile.store()
    const bad = 'a'.repeat(64)
    const file = JSON.stringify({
      items: [{ blob: { sha256: bad, mimeType: 'image/png', base64: 'AAAA' } }, JSON.parse(files['claude, plain'])[0]],
    })
    await importFile(store, file)
    expect(store.blobs.get(bad)).toBeUndefined()
  })

  test('as Markdown is the path that is shown', () => {
    const store = profile.store()
    fill(store)
    const text = [...exportPieces(store, { ids: ['c'], format: 'markdown', now: 0 })].join('')
    expect(text).toContain('other branch')
    expect(text).not.toContain('two')
  })
})

describe('a long chat', () => {
  const long = (): string => [...exportPieces(profile.store(), { ids: ['long'], format: 'json', now: 1 })].join('')
  beforeEach(() => {
    profile.store().transaction(() => {
      const { conversations } = profile.store()
      conversations.put({ id: 'long', title: 'Long', model: 'm', createdAt: 1, updatedAt: 1, activity: { kind: 'idle' } })
      for (let index = 0; index < 250; index += 1)
        conversations.putMessage({ role: 'user', id: `u${index}`, conversationId: 'long', turnId: `t${index}`, createdAt: 1, text: 'word' })
    })
  })

  test('comes in some messages at a time, and is there once it is whole', async () => {
    const store = other.store()
    const seen = new Set<number>()
    const reader = createFileReader({ now: 7, model: 'm' })
    const messages = async () => {
      seen.add(store.conversations.list().length + store.history.deletedIds().length)
      return reader.messages()
    }
    const reading = createFileImport({ store, mode: 'import', reader: { ...reader, messages }, log: silentLog, onKept: () => {} })
    await reading.push(new TextEncoder().encode(long()))
    await reading.end()
    expect([seen, reading.kept(), store.conversations.messages(only(store).id).length]).toEqual([new Set([0]), 250, 250])
  })

  test('leaves nothing behind when it is stopped, and what a crash left goes with the next start', async () => {
    const reader = createFileReader({ now: 7, model: 'm' })
    const messages = async () => {
      reading.stop()
      return reader.messages()
    }
    const store = other.store()
    const reading = createFileImport({ store, mode: 'import', reader: { ...reader, messages }, log: silentLog, onKept: () => {} })
    await expect(reading.push(new TextEncoder().encode(long()))).rejects.toMatchObject({ code: 'cancelled' })
    store.conversations.put({ id: 'half', title: 'Half', model: 'm', createdAt: 1, updatedAt: 1, activity: { kind: 'idle' } })
    store.history.set(['half'], { deletedAt: NOT_WHOLE })
    expect(other.reopen().history.standings(['half']).size).toBe(0)
    expect(other.store().conversations.list()).toEqual([])
  })
})
