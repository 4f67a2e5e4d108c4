// A profile of so many messages, through the store as the host writes them: questions, answers and tool calls of two years.
import type { Message } from '#app/chat/message.ts'
import { openStore } from '#main/store/open-store.ts'
import type { Store } from '#main/store/store-api.ts'
import { type Random, randomFrom, sentence, wordOf } from './text.ts'

const MESSAGES_A_CHAT = 50
const BEGUN = Date.UTC(2024, 10, 1)
const TWO_YEARS = 2 * 365 * 24 * 60 * 60 * 1000
const silent = { debug() {}, info() {}, warn() {}, error() {} }

export const openProfile = (dataDir: string, temporary: boolean): Store =>
  openStore({ dataDir, clock: { now: () => Date.now(), after: () => () => {} }, log: silent, temporary })

/** Nothing waits for the disk while it is made. `onBatch`: milliseconds and messages. */
export function fillProfile(dataDir: string, messages: number): void {
  const store = openProfile(dataDir, true)
  const random = randomFrom(7)
  for (let made = 0; made < messages; made += MESSAGES_A_CHAT)
    store.transaction(() => {
      const begun = BEGUN + Math.floor((made / messages) * TWO_YEARS)
      putChat(store, random, { id: `chat${made}`, begun, messages: Math.min(MESSAGES_A_CHAT, messages - made) })
    })
  store.close()
}

interface ChatPlan {
  readonly id: string
  readonly begun: number
  readonly messages: number
}

function putChat({ conversations }: Store, random: Random, { id, begun, messages }: ChatPlan): void {
  conversations.put({
    id,
    title: sentence(random, 4),
    model: 'practice/practice',
    createdAt: begun,
    updatedAt: begun + messages * 20_000,
    activity: { kind: 'idle' },
  })
  for (let index = 0; index < messages; index += 1) conversations.putMessage(makeMessage(random, id, index, begun + index * 20_000))
}

export function makeMessage(random: Random, conversationId: string, index: number, createdAt: number): Message {
  const base = { id: `${conversationId}m${index}`, conversationId, turnId: `${conversationId}t${index >> 1}`, createdAt }
  if (index % 2 === 0) return { ...base, role: 'user', text: sentence(random, 5 + random.below(30)) }
  const call = {
    id: `${base.id}call`,
    providerId: 'call',
    modelName: 'files__read',
    server: `server${random.below(8)}`,
    tool: `${wordOf(random.below(50))}_${wordOf(random.below(50))}`,
    arguments: { path: `/home/${wordOf(random.below(5000))}/${wordOf(random.below(5000))}.md`, limit: random.below(1000) },
    state: {
      kind: 'done' as const,
      decision: { allowed: true, by: 'rule' as const, scope: 'always' as const },
      startedAt: createdAt,
      durationMs: 12,
      result: { content: [{ type: 'text' as const, text: sentence(random, 20 + random.below(100)) }], isError: false, bytes: 500 },
    },
  }
  return {
    ...base,
    role: 'assistant',
    model: 'practice/practice',
    state: 'done',
    parts: [
      { kind: 'text', text: sentence(random, 20 + random.below(120)) },
      ...(index % 4 === 1 ? [{ kind: 'tool-call' as const, call }] : []),
    ],
  }
}
