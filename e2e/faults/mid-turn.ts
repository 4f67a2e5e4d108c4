// A host killed with -9 in the middle of what it does, 1,000 times, each time followed by another on the same profile. The
// model, the server and the page are real programs and sockets. After each kill the file is sound and nothing that a page
// was told is missing; in the end no call ran twice, and none that ran is said not to have run.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import type { Message } from '#app/chat/message.ts'
import type { HostEvent } from '#app/contract/events.ts'
import { seeded } from '#app/testing/seeded.ts'
import { type Acknowledged, createAcknowledged } from './acknowledged.ts'
import { gone } from './census.ts'
import { callsOf, compareCalls, executed, keeperFile } from './keeper.ts'
import type { RunOptions } from './options.ts'
import { openPage, type Page, startWebHost } from './page.ts'
import type { Row } from './row.ts'
import { codeOf } from './stage.ts'
import { startStoryteller } from './storyteller.ts'
import { createWritten, type Written } from './written.ts'

const model = 'anthropic/claude-large-1'
const patienceMs = 60_000

interface Tally {
  readonly detected: number[]
  readonly wrong: string[]
  lost: number
  orphans: number
  told: number
  ran: number
}

/** One profile, and the hosts that live on it one after another. */
interface Lane {
  readonly dataDir: string
  readonly mark: string
  readonly ledger: string
  readonly env: Readonly<Record<string, string>>
  readonly cache: string
  readonly told: Acknowledged
  readonly written: Written
  readonly tally: Tally
}

/** A page that goes on talking. Resolves a moment after it has heard `enough` events, in which the host is to be killed. */
async function untilTheMoment(lane: Lane, page: Page, events: Events, random: () => number): Promise<void> {
  const { conversations } = await page.request('app.snapshot', {})
  let current = random() < 0.3 ? undefined : conversations[0]?.id
  const cutOff = conversations[0]?.activity.kind === 'interrupted' && current !== undefined
  const attempt = (work: Promise<unknown>): void =>
    void work.catch((error: unknown) => lane.tally.wrong.push(`a request was refused: ${codeOf(error)}`))
  const send = async (): Promise<void> => {
    const text = `Tell me more ${random()}`
    const { conversationId } = await page.request('chat.send', {
      text,
      model,
      ...(current === undefined ? {} : { conversationId: current }),
    })
    current = conversationId
  }
  events.onIdle = () => attempt(send())
  attempt(cutOff && current !== undefined && random() < 0.6 ? page.request('chat.resume', { conversationId: current }) : send())
  // Something added while it works.
  if (random() < 0.5) attempt(wait(random() * 60).then(send))
  for (const draw of [random(), random()]) if (draw < 0.7) attempt(lane.written.write(page, draw / 0.7))
  await events.heard(1 + Math.floor(random() * 60))
  await wait(random() * 12)
}

interface Events {
  onIdle: () => void
  heard(count: number): Promise<void>
  take(event: HostEvent): void
}

function createEvents(told: Acknowledged): Events {
  let count = 0
  let isWorking = false
  let enough = Number.POSITIVE_INFINITY
  const reached = Promise.withResolvers<void>()
  const events: Events = {
    onIdle: () => undefined,
    heard(wanted) {
      enough = count + wanted
      return reached.promise
    },
    take(event) {
      told.take(event)
      count += 1
      if (count >= enough) reached.resolve()
      if (event.name !== 'conversation.changed') return
      const wasWorking = isWorking
      isWorking = event.payload.conversation.activity.kind === 'working'
      if (wasWorking && !isWorking && count < enough) events.onIdle()
    },
  }
  return events
}

async function checkFound(lane: Lane, page: Page, conversations: readonly string[]): Promise<Message[]> {
  const found: Message[] = []
  for (const id of conversations) {
    const { messages } = await page.request('conversation.get', { id })
    lane.tally.lost += lane.told.lost(id, messages).length
    found.push(...messages)
  }
  return found
}

function checkFile(lane: Lane): void {
  const database = new DatabaseSync(join(lane.dataDir, 'assent.db'), { readOnly: true, timeout: 5000 })
  try {
    const words = database.prepare('PRAGMA integrity_check').all()
    if (words.length !== 1 || words[0]?.['integrity_check'] !== 'ok') lane.tally.wrong.push('assent.db is corrupt')
  } finally {
    database.close()
  }
}

/** Starts a host and opens a page on it. Undefined: the host did not begin, which is said. */
async function begin(lane: Lane, onEvent: (event: HostEvent) => void): Promise<{ readonly page: Page; end(): Promise<void> } | undefined> {
  const { child, begun, ended } = startWebHost(lane.dataDir, lane)
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  try {
    const { url, error } = await begun
    if (url !== undefined) {
      const page = await openPage(url, onEvent)
      return {
        page,
        async end() {
          await kill()
          await page.closed
        },
      }
    }
    lane.tally.wrong.push(`the next host did not begin: ${error?.code ?? 'it ended'}`)
  } catch (error) {
    lane.tally.wrong.push(`the next host was not reached: ${String(error)}`)
  }
  await kill()
  return undefined
}

async function live(lane: Lane, random: () => number): Promise<void> {
  if (random() < 0.1) {
    // While it starts and mends what the last one left.
    const { child, ended } = startWebHost(lane.dataDir, lane)
    await wait(150 + random() * 500)
    child.kill('SIGKILL')
    await ended
  } else {
    const events = createEvents(lane.told)
    const host = await begin(lane, events.take)
    if (!host) return
    try {
      checkFile(lane)
      lane.tally.wrong.push(...(await lane.written.wrong(host.page)))
      const { conversations } = await host.page.request('app.snapshot', {})
      await checkFound(
        lane,
        host.page,
        conversations.slice(0, 2).map(({ id }) => id),
      )
      await untilTheMoment(lane, host.page, events, random)
    } finally {
      await host.end()
    }
  }
  const { ms, orphans } = await gone(lane.mark, patienceMs)
  lane.tally.detected.push(ms)
  lane.tally.orphans += orphans.length
}

/** All of it, once there are no more kills. */
async function settle(lane: Lane): Promise<void> {
  const host = await begin(lane, () => undefined)
  if (!host) return
  const messages = await checkFound(lane, host.page, lane.told.conversations())
  checkFile(lane)
  await host.end()
  const ran = executed(lane.ledger)
  lane.tally.wrong.push(...compareCalls(ran, callsOf(messages), lane.dataDir))
  lane.tally.told += lane.told.count()
  lane.tally.ran += ran.length
}

export async function midTurns(options: RunOptions): Promise<Row[]> {
  const reps = options.reps * (options.quick ? 2 : 5)
  const lanes = Math.min(options.quick ? 1 : options.parallel, 4, reps)
  const tally: Tally = { detected: [], wrong: [], lost: 0, orphans: 0, told: 0, ran: 0 }
  let next = 0
  const work = async (_: unknown, index: number): Promise<void> => {
    const dataDir = mkdtempSync(join(tmpdir(), 'assent-fault-'))
    const storyteller = await startStoryteller(seeded(options.seed + index))
    try {
      const place = { mark: `${process.pid}-mid-turn-${index}`, ledger: join(dataDir, 'calls.txt') }
      const fileOf = (version: number): string => keeperFile(version, place)
      writeFileSync(join(dataDir, 'servers.json'), fileOf(0))
      const env = { ANTHROPIC_BASE_URL: storyteller.url, ANTHROPIC_API_KEY: 'key' }
      const written = createWritten(dataDir, fileOf)
      const lane: Lane = { dataDir, ...place, env, cache: options.cache, told: createAcknowledged(), written, tally }
      for (let rep = next++; rep < reps; rep = next++) {
        try {
          await live(lane, seeded(options.seed + rep))
        } catch (error) {
          tally.wrong.push(`repetition ${rep}: ${codeOf(error)}`)
        }
      }
      await settle(lane)
    } finally {
      await storyteller.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  const { told, ran, ...row } = tally
  if (row.lost > 0) row.wrong.push('messages that were acknowledged are not there')
  if (row.orphans > 0) row.wrong.push('servers were left behind')
  return [{ fault: `host kill -9 in mid-turn (${told} messages, ${ran} calls)`, reps, ...row }]
}
