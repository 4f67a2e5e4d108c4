// For tests: a broker over a real store in a folder of its own.

import type { AuditRow } from '#app/consent/audit-row.ts'
import type { ConsentAnswer, ConsentRequest } from '#app/consent/request.ts'
import type { ConsentMode } from '#app/consent/rules/consent-mode.ts'
import type { EventName, EventPayload } from '#app/contract/events.ts'
import type { JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { createEventHub } from '#main/base/events.ts'
import { makeProfile, type TestProfile } from '#main/store/store.testing.ts'
import { createBroker } from './broker.ts'
import type { AnswerPolicy, ConsentBroker, ToolCallQuestion } from './broker-api.ts'

export interface TestBroker {
  readonly broker: ConsentBroker
  readonly profile: TestProfile
  readonly abort: AbortController
  /** Told of each question put to the person. */
  readonly asked: string[]
  events<N extends EventName>(name: N): EventPayload<N>[]
  /** The record's rows, oldest first. */
  rows(): AuditRow[]
  /** The one question that is open. */
  only(): ConsentRequest
  answer(answer: ConsentAnswer): boolean
  /** A broker of another run over the same profile. */
  restart(policy?: AnswerPolicy): ConsentBroker
  call(part?: Partial<ToolCallQuestion>): ToolCallQuestion
  /** How a conversation asks from now on. */
  setMode(conversationId: string, mode: ConsentMode): void
  dispose(): void
}

export const makeToolEntry = (part: Partial<ToolEntry> = {}): ToolEntry => ({
  name: 'move_file',
  inputSchema: { type: 'object' },
  modelName: 'files__move_file',
  tokens: 1,
  enabled: true,
  fingerprint: 'f1',
  ...part,
})

export function makeBroker(policy?: AnswerPolicy): TestBroker {
  const profile = makeProfile()
  const hub = createEventHub((error) => {
    throw error
  })
  const seen: { name: EventName; payload: unknown }[] = []
  hub.onEvent((event) => seen.push({ name: event.name, payload: structuredClone(event.payload) }))
  const asked: string[] = []
  const abort = new AbortController()
  const modes = new Map<string, ConsentMode>()
  const start = (policy?: AnswerPolicy): ConsentBroker =>
    createBroker({
      rules: profile.store().rules,
      sampling: profile.store().sampling,
      audit: profile.store().audit,
      emit: hub.emit,
      clock: profile.clock,
      said: profile.store(),
      onOpened: (request) => asked.push(request.id),
      modeOf: (conversationId) => modes.get(conversationId) ?? 'rules',
      ...(policy ? { policy } : {}),
    })
  const broker = start(policy)
  const only = (): ConsentRequest => {
    const [first, ...more] = broker.open()
    if (!first || more.length) throw new Error(`${more.length + (first ? 1 : 0)} questions are open`)
    return first
  }
  return {
    broker,
    profile,
    abort,
    asked,
    events: <N extends EventName>(name: N) => seen.filter((event) => event.name === name).map((event) => event.payload as EventPayload<N>),
    rows: () => [...profile.store().audit.all()],
    only,
    answer: (answer) => broker.answer(only().id, answer),
    restart: start,
    setMode: (conversationId, mode) => void modes.set(conversationId, mode),
    call: (part = {}) => ({
      server: 'files',
      conversationId: 'c1',
      callId: 'call-1',
      signal: abort.signal,
      tool: makeToolEntry(),
      trusted: false,
      local: true,
      arguments: { from: '/a', to: '/b' },
      ...part,
    }),
    dispose() {
      broker.dispose()
      profile.dispose()
    },
  }
}

/** The `code` and `data` of what `work` throws; undefined when it throws nothing. */
export function thrownBy(work: () => unknown): { code: unknown; data: JsonObject } | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'data' in error) return { code: error.code, data: error.data as JsonObject }
    throw error
  }
  return undefined
}
