// How long the host's loop is held while a chat of 10,000 messages comes in, in each of the forms, and while one is forked: the
// longest turn of each, beside what all of it takes. ASSENT_BENCH_MESSAGES makes it another number.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportPieces } from '#main/chat/transfer/export-file.ts'
import { createFileImport } from '#main/chat/transfer/import-conversations.ts'
import { createReaderThread } from '#main/chat/transfer/reader-thread.ts'
import type { Store } from '#main/store/store-api.ts'
import { makeMessage, openProfile } from './chats/profile.ts'
import { randomFrom, sentence } from './chats/text.ts'

const PIECE = 512 * 1024
const silent = { debug() {}, info() {}, warn() {}, error() {} }

export async function benchImport(): Promise<object> {
  const messages = Number(process.env['ASSENT_BENCH_MESSAGES'] ?? 10_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'assent-bench-import-'))
  const store = openProfile(dataDir, true)
  try {
    const files = { own: ownFile(store, messages), chatgpt: chatGptFile(messages), claude: claudeFile(messages) }
    const report: Record<string, unknown> = { messages }
    for (const [name, text] of Object.entries(files)) report[name] = await measured(() => bringIn(store, Buffer.from(text)))
    return report
  } finally {
    store.close()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function bringIn(store: Store, bytes: Uint8Array): Promise<void> {
  const reading = createFileImport({
    store,
    mode: 'import',
    reader: createReaderThread({ now: Date.now(), model: 'practice/practice' }),
    log: silent,
    onKept: () => undefined,
    onFolder: () => undefined,
  })
  for (let at = 0; at < bytes.length; at += PIECE) await reading.push(bytes.subarray(at, at + PIECE))
  const { messages } = await reading.end()
  reading.stop()
  if (messages === 0) throw new Error('The file brought nothing in.')
}

/** `longestTurnMs`: between two looks of the loop at what else there is to do. */
async function measured(work: () => Promise<void>): Promise<object> {
  let longest = 0
  let turns = 0
  const began = performance.now()
  let last = began
  let done = false
  const beat = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    turns += 1
    last = now
    if (!done) setImmediate(beat)
  }
  setImmediate(beat)
  await work().finally(() => {
    done = true
  })
  beat()
  return { allMs: Math.round(performance.now() - began), longestTurnMs: Math.round(longest), turns }
}

function ownFile(store: Store, messages: number): string {
  const random = randomFrom(5)
  const now = Date.now()
  store.transaction(() => {
    store.conversations.put({ id: 'long', title: 'Long', model: 'm', createdAt: now, updatedAt: now, activity: { kind: 'idle' } })
    for (let index = 0; index < messages; index += 1) store.conversations.putMessage(makeMessage(random, 'long', index, now + index))
  })
  const text = [...exportPieces(store, { ids: ['long'], format: 'json', now, mask: String })].join('')
  store.history.set(['long'], { deletedAt: 1 })
  store.history.purge(['long'])
  return text
}

function chatGptFile(messages: number): string {
  const random = randomFrom(6)
  const mapping: Record<string, object> = { root: { id: 'root', parent: null, children: ['n0'], message: null } }
  for (let index = 0; index < messages; index += 1)
    mapping[`n${index}`] = {
      id: `n${index}`,
      parent: index === 0 ? 'root' : `n${index - 1}`,
      children: index === messages - 1 ? [] : [`n${index + 1}`],
      message: {
        id: `n${index}`,
        author: { role: index % 2 === 0 ? 'user' : 'assistant' },
        create_time: 1_700_000_000 + index,
        content: { content_type: 'text', parts: [sentence(random, 60)] },
        metadata: {},
      },
    }
  return JSON.stringify([
    { id: 'g', title: 'Long', create_time: 1_700_000_000, update_time: 1_700_000_000, current_node: `n${messages - 1}`, mapping },
  ])
}

function claudeFile(messages: number): string {
  const random = randomFrom(7)
  const when = (index: number): string => new Date(1_700_000_000_000 + index * 1000).toISOString()
  const chat_messages = Array.from({ length: messages }, (_, index) => {
    const text = sentence(random, 60)
    return {
      uuid: `m${index}`,
      sender: index % 2 === 0 ? 'human' : 'assistant',
      text,
      content: [{ type: 'text', text }],
      created_at: when(index),
      updated_at: when(index),
      attachments: [],
      files: [],
    }
  })
  return JSON.stringify([{ uuid: 'a', name: 'Long', created_at: when(0), updated_at: when(messages), chat_messages }])
}
