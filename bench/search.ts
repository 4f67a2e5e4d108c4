// Search in profiles of 10⁴, 10⁵ and 10⁶ messages: what each kind of query takes from the request to its hits with snippets,
// what the index takes on the disk, and what it adds to the writing of a message. ASSENT_BENCH_MESSAGES makes it one size only;
// ASSENT_BENCH_PROFILE names a folder with a profile of that size that is kept between runs: a copy of it is searched and written to.
import { constants, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#main/store/database/database.ts'
import type { Store } from '#main/store/store-api.ts'
import { fullProfileMessages, keptProfile } from './chats/kept.ts'
import { fillProfile, makeMessage, openProfile } from './chats/profile.ts'
import { randomFrom, rankFrom, wordOf } from './chats/text.ts'
import { ratio, summarise, timed } from './statistics.ts'

const QUERIES = 60
const SIZES = [10_000, 100_000, 1_000_000]

const random = randomFrom(99)
const pick = (from: number, to: number): string => wordOf(from + random.below(to - from))
const kinds: Readonly<Record<string, () => string>> = {
  rare: () => pick(60_000, 120_000),
  common: () => pick(0, 40),
  'two-words': () => `${pick(0, 300)} ${pick(300, 20_000)} `,
  'two-common-words': () => `${pick(0, 60)} ${pick(0, 60)} `,
  prefix: () => wordOf(rankFrom(random)).slice(0, 2 + random.below(4)),
  phrase: () => `"${pick(0, 60)} ${pick(0, 60)}"`,
  'without-a-word': () => `${pick(0, 300)} -${pick(0, 20)}`,
  'of-a-server': () => `server:server${random.below(8)} ${pick(40, 2000)}`,
}

export async function benchSearch(): Promise<object> {
  const report: Record<string, unknown> = {}
  const sizes = process.env['ASSENT_BENCH_MESSAGES'] ? [fullProfileMessages()] : SIZES
  for (const messages of sizes) report[`${messages} messages`] = await benchSize(messages)
  return report
}

async function benchSize(messages: number): Promise<object> {
  const dataDir = mkdtempSync(join(tmpdir(), 'assent-bench-search-'))
  try {
    const started = performance.now()
    const kept = keptProfile(messages)
    if (kept) cpSync(kept, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE })
    else fillProfile(dataDir, messages)
    const fillMs = performance.now() - started
    const store = openProfile(dataDir, true)
    try {
      return {
        ...(kept ? {} : { fillSeconds: Math.round(fillMs / 1000) }),
        ...(await benchQueries(store)),
        ...sizesOf(dataDir),
        insert: insertCost(store, dataDir),
      }
    } finally {
      store.close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function benchQueries(store: Store): Promise<object> {
  const all: number[] = []
  const report: Record<string, unknown> = {}
  await store.search.find('bench', { text: 'first', where: 'all' })
  for (const [kind, next] of Object.entries(kinds)) {
    const samples: number[] = []
    for (let count = 0; count < QUERIES; count += 1) {
      const text = next()
      await timed(() => store.search.find('bench', { text, where: 'all' }), samples)
    }
    all.push(...samples)
    report[kind] = { ...summarise(samples), maxMs: Math.round(Math.max(...samples)) }
  }
  return { queries: report, all: summarise(all) }
}

function sizesOf(dataDir: string): object {
  const database = openDatabase(join(dataDir, 'assent.db'), { readOnly: true })
  try {
    const bytes = (where: string): number => Number(database.get(`SELECT sum(pgsize) AS bytes FROM dbstat WHERE ${where}`)?.['bytes'] ?? 0)
    const index = bytes("name LIKE 'search%'")
    const whole = bytes('1')
    return { indexMegabytes: Math.round(index / 1e6), profileMegabytes: Math.round(whole / 1e6), indexShare: ratio(index, whole) }
  } finally {
    database.close()
  }
}

/** Each message is a transaction of its own, as in a turn; the same rows are written without their words for comparison. */
function insertCost(store: Store, dataDir: string): object {
  const source = randomFrom(3)
  const samples: number[] = []
  for (let index = 0; index < 400; index += 1) {
    const message = makeMessage(source, 'chat0', 1000 + index, Date.now())
    const started = performance.now()
    store.conversations.putMessage(message)
    samples.push(performance.now() - started)
  }
  const bare: number[] = []
  const database = openDatabase(join(dataDir, 'assent.db'))
  try {
    database.prepareForWriting({ temporary: true })
    for (let index = 0; index < 400; index += 1) {
      const message = makeMessage(source, 'chat0', 2000 + index, Date.now())
      const started = performance.now()
      database.run(
        'INSERT INTO messages (id, conversation_id, state, body) VALUES (?, ?, ?, ?)',
        message.id,
        'chat0',
        'done',
        JSON.stringify(message),
      )
      bare.push(performance.now() - started)
    }
  } finally {
    database.close()
  }
  return { indexed: summarise(samples), bare: summarise(bare) }
}
