import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AssistantMessage, Message } from '#app/chat/message.ts'
import { silentLog } from '#main/base/host-log.ts'
import { createMask } from '#main/base/redact-secrets.ts'
import { NOT_WHOLE } from '#main/store/purge.ts'
import { makeProfile, type TestProfile } from '#main/store/store.testing.ts'
import type { Store } from '#main/store/store-api.ts'
import { exportPieces } from './export-file.ts'
import { files } from './fixtures/make.ts'
import { createFileImport } from './import-conversations.ts'
import { createFileReader } from './read-export-file.ts'
import { importFile, messageTextOf, only } from './transfer.testing.ts'

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

describe('our own file', () => {
  const exported = (store: Store): string =>
    [...exportPieces(store, { ids: store.conversations.list().map(({ id }) => id), format: 'json', now: 0, mask: String })].join('')

  /** A conversation with two branches, a call, an attachment, a source, a summary, bytes and a deleted message. */
  function fill(store: Store): void {
    const { conversations, blobs } = store
    const blob = blobs.put(new Uint8Array([1, 2, 3]), 'image/png')
    conversations.put({ id: 'c', title: 'Kestrel', model: 'm', createdAt: 3, updatedAt: 9, activity: { kind: 'idle' }, pinned: true })
    const ask = (id: string, text: string): Message => ({ role: 'user', id, conversationId: 'c', turnId: `t${id}`, createdAt: 4, text })
    const note = blobs.put(new Uint8Array([4, 5]), 'text/plain')
    const attached = { ...ask('q', 'one'), attachments: [{ id: 'n', name: 'note.txt', kind: 'text', blob: note }] } as Message
    const summary: Message = {
      role: 'summary',
      id: 's',
      conversationId: 'c',
      turnId: 'tq',
      createdAt: 6,
      model: 'm',
      by: 'person',
      covers: { until: 'a', messages: 2 },
      text: 'In short.',
      state: 'done',
      leftOut: ['k'],
    }
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
        { kind: 'text', text: 'Seen.', citations: [{ start: 0, end: 4, title: 'Book', quote: 'seen', source: { type: 'page_location' } }] },
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
    for (const message of [attached, answer, summary, ask('gone', 'deleted'), ask('q2', 'two')]) conversations.putMessage(message)
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
      if (name === 'leftOut' && Array.isArray(value)) return value.map(String).map(known)
      return ['id', 'conversationId', 'turnId', 'parent', 'leaf', 'until'].includes(name) && typeof value === 'string'
        ? known(value)
        : value
    })
  }

  test('gives back what went in, up to ids', async () => {
    const from = profile.store()
    const to = other.store()
    fill(from)
    const file = exported(from)
    expect(await importFile(to, file, { piece: 11 })).toMatchObject({ conversations: 1, messages: 5, broken: 0 })
    expect(withoutIds(exported(to))).toEqual(withoutIds(file))
    expect(file).not.toContain('deleted')
    expect(to.conversations.messages(only(to).id).map(messageTextOf)).toEqual(['one', 'text: Seen. | read: done', 'other branch'])
    const named = new Set(file.match(/[0-9a-f]{64}/g))
    expect([...named].map((sha256) => to.blobs.get(sha256))).toEqual([
      { bytes: new Uint8Array([4, 5]), mimeType: 'text/plain' },
      { bytes: new Uint8Array([1, 2, 3]), mimeType: 'image/png' },
    ])
  })

  test('puts chats back into their folders, by name, and gives new ones the instructions', async () => {
    const from = profile.store()
    fill(from)
    const folder = { id: 'f', name: 'Birds', createdAt: 1, systemPrompt: 'Be a falconer.', servers: ['files'], roots: ['/home'] }
    from.chatFolders.put(folder)
    from.history.set(['c'], { folderId: 'f' })
    const file = exported(from)
    const store = other.store()
    let told = 0
    const reader = createFileReader({ now: 7, model: 'm' })
    const reading = createFileImport({ store, mode: 'import', reader, log: silentLog, onKept: () => {}, onFolder: () => (told += 1) })
    await reading.push(new TextEncoder().encode(file))
    await reading.end()
    const [made] = store.chatFolders.list()
    expect([made, told]).toEqual([{ id: made?.id, name: 'Birds', createdAt: 3, systemPrompt: 'Be a falconer.' }, 1])
    expect(only(store).folderId).toBe(made?.id)
    // Where there is one of that name it stays as it is.
    from.history.set(['c'], { deletedAt: 1 })
    from.history.purge(['c'])
    await importFile(from, file)
    expect([from.chatFolders.list(), only(from).folderId]).toEqual([[folder], 'f'])
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
    const call = answer?.message.parts.at(-1)?.call
    if (answer && call) {
      answer.message.state = 'streaming'
      call.state = { kind: 'waiting', requestId: 'r' }
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

  test('holds no secret that a server said back, in messages and in text files, and is read again', async () => {
    const store = profile.store()
    fill(store)
    const blob = store.blobs.put(Buffer.from('the key is hunter22, or aHVudGVyMjI='), 'text/plain')
    const attachments = [{ id: 'k', name: 'key.txt', kind: 'text', blob }]
    const message = { role: 'user', id: 'h', conversationId: 'c', turnId: 'th', createdAt: 9, text: 'hunter22', attachments }
    store.conversations.putMessage(message as Message)
    const text = [...exportPieces(store, { ids: ['c'], format: 'json', now: 0, mask: createMask(['hunter22']) })].join('')
    await importFile(other.store(), text)
    const [conversation] = other.store().conversations.list()
    const read = other
      .store()
      .conversations.messages(conversation?.id ?? '')
      .findLast(({ role }) => role === 'user') as typeof message
    const kept = other.store().blobs.get(read.attachments[0]?.blob.sha256 ?? '')
    expect([text.includes('hunter22'), read.text, Buffer.from(kept?.bytes ?? []).toString()]).toEqual([
      false,
      '•••',
      'the key is •••, or •••I=',
    ])
  })

  test('as Markdown is the path that is shown', () => {
    const store = profile.store()
    fill(store)
    const text = [...exportPieces(store, { ids: ['c'], format: 'markdown', now: 0, mask: String })].join('')
    expect(text).toContain('other branch')
    expect(text).not.toContain('two')
  })
})

describe('a long chat', () => {
  const long = (): string => [...exportPieces(profile.store(), { ids: ['long'], format: 'json', now: 1, mask: String })].join('')
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
    const reading = createFileImport({
      store,
      mode: 'import',
      reader: { ...reader, messages },
      log: silentLog,
      onKept: () => {},
      onFolder: () => {},
    })
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
    const reading = createFileImport({
      store,
      mode: 'import',
      reader: { ...reader, messages },
      log: silentLog,
      onKept: () => {},
      onFolder: () => {},
    })
    await expect(reading.push(new TextEncoder().encode(long()))).rejects.toMatchObject({ code: 'cancelled' })
    store.conversations.put({ id: 'half', title: 'Half', model: 'm', createdAt: 1, updatedAt: 1, activity: { kind: 'idle' } })
    store.history.set(['half'], { deletedAt: NOT_WHOLE })
    expect(other.reopen().history.standings(['half']).size).toBe(0)
    expect(other.store().conversations.list()).toEqual([])
  })
})
