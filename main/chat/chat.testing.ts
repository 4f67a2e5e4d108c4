// For tests: a chat over a real store and a real broker, with a scripted model, scripted servers and a clock that is
// moved by hand.
import type { Conversation } from '#app/chat/conversation.ts'
import type { AssistantMessage, Message, ToolCall } from '#app/chat/message.ts'
import type { AuditRow } from '#app/consent/audit-row.ts'
import type { ConsentAnswer, ConsentRequest } from '#app/consent/request.ts'
import type { EventName, EventPayload } from '#app/contract/events.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { emptyCatalogue } from '#app/server/catalogue.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { defaultSettings, type Settings } from '#app/settings.ts'
import { createEventHub } from '#main/base/events.ts'
import { silentLog } from '#main/base/host-log.ts'
import { type ManualClock, manualClock } from '#main/base/manual-clock.testing.ts'
import type { ApprovedCall } from '#main/consent/approved.ts'
import { createBroker } from '#main/consent/broker.ts'
import type { ConsentBroker } from '#main/consent/broker-api.ts'
import type { Models } from '#main/models/models-api.ts'
import type { ModelEvent, ModelRequest } from '#main/models/provider.ts'
import { auditCall } from '#main/servers/client/calls/approved-call.ts'
import { digestOf } from '#main/servers/client/requests/result-digest.ts'
import type { Servers } from '#main/servers/lifecycle/servers.ts'
import { makeProfile } from '#main/store/store.testing.ts'
import type { AuditStore, Store } from '#main/store/store-api.ts'
import type { CallContext, CallOutcome, OfferedTool } from '../servers/client/requests/running-calls.ts'
import type { Chat } from './chat.ts'
import { createChat } from './chat.ts'
import type { ChatContext } from './chat-context.ts'
import { makeOfferedTool } from './fake-tools.testing.ts'

/** One answer of the scripted model. A promise in it is a gate: nothing comes until it resolves. */
export type Answer = readonly (ModelEvent | Promise<unknown>)[] | Error

export const text = (words: string, index = 0): ModelEvent => ({ type: 'text', index, text: words })
export const done = (reason: (ModelEvent & { type: 'done' })['reason'] = 'end'): ModelEvent => ({ type: 'done', reason })
export const says = (words: string): Answer => [text(words), done()]
export function calls(...names: readonly (string | readonly [string, string])[]): Answer {
  const events = names.flatMap((named, index): ModelEvent[] => {
    const [name, inputText] = typeof named === 'string' ? [named, '{}'] : named
    const providerId = `p${index}`
    return [
      { type: 'tool-call-start', index, providerId, name },
      { type: 'tool-call', index, providerId, name, inputText },
    ]
  })
  return [...events, done('tool-calls')]
}

type FakeToolRun = (call: ApprovedCall, options: CallContext) => Promise<JsonObject>

export interface TestChat {
  readonly chat: Chat
  readonly models: Models
  readonly store: Store
  readonly broker: ConsentBroker
  readonly clock: ManualClock
  /** What the model was sent, in order. */
  readonly requests: Omit<ModelRequest, 'model'>[]
  /** What reached a server, in order. */
  readonly sent: ApprovedCall[]
  settings: Settings
  events<N extends EventName>(name: N): EventPayload<N>[]
  /** Sends, and resolves when the turn is over. */
  turn(message: string, conversationId?: string): Promise<string>
  conversation(id: string): Conversation
  messages(id: string): Message[]
  answers(id: string): AssistantMessage[]
  /** The states of all calls, by kind. */
  states(id: string): string[]
  toolCalls(id: string): ToolCall[]
  rows(): AuditRow[]
  /** Resolves with the open questions once there are this many. */
  asked(count?: number): Promise<readonly ConsentRequest[]>
  /** Answers the first that is open. */
  answer(answer: ConsentAnswer): Promise<void>
  /** From now on nothing can be written; returns its undo. */
  fillDisk(): () => void
  /** Another run over the same profile, after this one was cut off. */
  restart(): Chat
  dispose(): Promise<void>
}

export const ALLOW: ConsentAnswer = { kind: 'allow', scope: 'once' }

export interface TestChatOptions {
  /** A function is asked with what the model is sent. */
  readonly script: readonly (Answer | ((request: Omit<ModelRequest, 'model'>) => Answer))[]
  readonly tools?: readonly OfferedTool[]
  readonly run?: FakeToolRun
  readonly models?: readonly ModelInfo[]
  /** Real models over the test's store, in place of the scripted one. */
  readonly reached?: (store: Store) => Models
  /** Until then the host reads its keys, and knows no model. */
  readonly loading?: Promise<void>
  /** Answers every question of this kind. */
  readonly policy?: (request: ConsentRequest) => ConsentAnswer | undefined
  readonly openUrl?: ChatContext['openUrl']
  readonly roots?: ChatContext['roots']
  readonly onRootsChanged?: (server: string | undefined) => void
  readonly onError?: ChatContext['onError']
  readonly attended?: boolean
}

export function makeChat(options: TestChatOptions): TestChat {
  const profile = makeProfile()
  const clock = manualClock()
  const seen: { name: EventName; payload: unknown }[] = []
  const hub = createEventHub((error) => {
    throw error
  })
  hub.onEvent(({ name, payload }) => seen.push({ name, payload: structuredClone(payload) }))
  const store = profile.store()
  const requests: Omit<ModelRequest, 'model'>[] = []
  const sent: ApprovedCall[] = []
  const kit = { settings: { ...defaultSettings, defaultModel: 'anthropic/scripted', autoTitles: false } }
  const broker = createBroker({
    rules: store.rules,
    sampling: store.sampling,
    audit: store.audit,
    emit: hub.emit,
    clock,
    ...(options.policy ? { policy: options.policy } : {}),
  })
  const models = options.reached?.(store) ?? scriptedModels(options, requests)
  const servers = scriptedServers(options, sent, store.audit)
  const start = (): Chat =>
    createChat({
      store,
      servers,
      broker,
      models,
      emit: hub.emit,
      clock,
      log: silentLog,
      settings: () => kit.settings,
      ...(options.openUrl ? { openUrl: options.openUrl } : {}),
      ...(options.roots ? { roots: options.roots } : {}),
      ...(options.onError ? { onError: options.onError } : {}),
      ...(options.attended === undefined ? {} : { attended: options.attended }),
    })
  const chat = start()
  const answers = (id: string): AssistantMessage[] =>
    store.conversations.messages(id).flatMap((message) => (message.role === 'assistant' ? [message] : []))
  const toolCalls = (id: string): ToolCall[] =>
    answers(id).flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool-call' ? [part.call] : [])))
  const asked = async (count = 1): Promise<readonly ConsentRequest[]> => {
    await until(() => broker.open().length >= count)
    return broker.open()
  }
  return {
    chat,
    models,
    store,
    broker,
    clock,
    requests,
    sent,
    get settings() {
      return kit.settings
    },
    set settings(settings) {
      kit.settings = settings
    },
    events: <N extends EventName>(name: N) => seen.filter((event) => event.name === name).map((event) => event.payload as EventPayload<N>),
    async turn(message, conversationId) {
      const begun = chat.send({ text: message, conversationId })
      await chat.idle(begun.conversationId)
      return begun.conversationId
    },
    conversation(id) {
      const conversation = store.conversations.get(id)
      if (!conversation) throw new Error('no such conversation')
      return conversation
    },
    messages: (id) => store.conversations.messages(id),
    answers,
    toolCalls,
    states: (id) => toolCalls(id).map(({ state }) => state.kind),
    rows: () => [...store.audit.all()],
    asked,
    async answer(answer) {
      const [first] = await asked()
      if (first) broker.answer(first.id, answer)
    },
    fillDisk() {
      const { put, putMessage } = store.conversations
      const full = (): never => {
        throw new HostError('disk.full', t`The disk is full.`)
      }
      Object.assign(store.conversations, { put: full, putMessage: full })
      return () => void Object.assign(store.conversations, { put, putMessage })
    },
    restart: start,
    async dispose() {
      await chat.dispose()
      broker.dispose()
      profile.dispose()
      if (clock.pending > 0) throw new Error(`${clock.pending} timers were left behind`)
    },
  }
}

/** Resolves once it holds; each round lets everything that is ready go on. */
export async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; round < 1000; round += 1) {
    if (holds()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('it never came to hold')
}

/** What the model read of the calls, in its latest request. */
export const results = (kit: TestChat): { readonly text: string; readonly isError: boolean }[] =>
  (kit.requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === 'user'
      ? message.content.flatMap((block) =>
          block.type === 'tool-result'
            ? [{ text: block.content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n'), isError: block.isError }]
            : [],
        )
      : [],
  )

function scriptedModels(options: TestChatOptions, requests: Omit<ModelRequest, 'model'>[]): Models {
  const scripted: ModelInfo = { id: 'anthropic/scripted', provider: 'anthropic', name: 'Scripted', ai: true }
  const list = [...(options.models ?? []), scripted]
  let loaded = options.loading === undefined
  void options.loading?.then(() => {
    loaded = true
  })
  return {
    list: () => list,
    providers: () => [],
    find: (id) => (loaded ? list.find((model) => model.id === id) : undefined),
    load: () => options.loading ?? Promise.resolve(),
    refresh: async () => {},
    setKey: async () => 0,
    removeKey: async () => {},
    lookHere: async () => {},
    saveEndpoint: async () => ({ id: 'scripted', models: 0 }),
    removeEndpoint: async () => {},
    keyVariables: () => [],
    catalogueDate: async () => '2026-01-01',
    refreshCatalogue: async () => 0,
    pulls: () => [],
    pull: async () => 'done',
    cancelPull: () => {},
    pullSize: async () => undefined,
    stream(_, request) {
      if (!loaded) throw new HostError('model.key-missing', t`There is no key yet.`)
      const answer = options.script[requests.length] ?? new Error('the script has no further answer')
      requests.push(request)
      return play(typeof answer === 'function' ? answer(request) : answer)
    },
    countTokens: async () => undefined,
    dispose: () => {},
  }
}

/** Deaf to its signal on purpose: the chat must not depend on a model that listens. */
async function* play(answer: Answer): AsyncGenerator<ModelEvent> {
  if (answer instanceof Error) throw answer
  for (const step of answer) {
    if (step instanceof Promise) await step
    else yield step
  }
}

/** Puts calls on record as the real ones do. */
function scriptedServers(options: TestChatOptions, sent: ApprovedCall[], audit: AuditStore): Servers {
  const run: FakeToolRun = options.run ?? (() => Promise.resolve({ content: [{ type: 'text', text: 'ok' }] }))
  const unused = (): never => {
    throw new Error('the chat has no business with this')
  }
  return {
    // The chat asks for their names alone.
    views: () => [{ name: 'files' } as ServerSummary],
    view: () => undefined,
    tools: () => [...(options.tools ?? [makeOfferedTool('read'), makeOfferedTool('write')])],
    doctor: unused,
    listed: async () => {},
    instructions: () => [],
    catalogue: () => emptyCatalogue,
    log: unused,
    note: unused,
    earlierLog: unused,
    moveSignIn: unused,
    activity: unused,
    processes: unused,
    inspector: unused,
    testConnection: unused,
    previewLaunch: unused,
    missingProgram: unused,
    connectionTests: { begin: unused, watch: unused, end: unused, get: unused, agreed: unused, forget: unused, dispose: unused },
    readEnvironment: unused,
    startAtLaunch: unused,
    start: unused,
    stop: unused,
    offerUpdate: unused,
    setSandbox: unused,
    restart: unused,
    signIn: unused,
    signOut: unused,
    cancelSignIn: unused,
    finishSignIn: unused,
    setToolEnabled: unused,
    sandboxAttempts: unused,
    clearSandboxAttempts: unused,
    answerSandboxAttempt: unused,
    inputsChanged: unused,
    async call(call, callOptions): Promise<CallOutcome> {
      sent.push(call)
      const record = auditCall(audit, call)
      try {
        const result = await run(call, callOptions)
        const digest = await digestOf(result)
        record.done(result, digest)
        return {
          result,
          bytes: digest.bytes,
          durationMs: 5,
          session: { era: 'modern', protocolVersion: '2026-07-28', foundBy: 'discover' },
        }
      } catch (error) {
        record.failed(error)
        throw error
      }
    },
    readResource: unused,
    skills: unused,
    readSkill: unused,
    readCall: unused,
    resumeTask: unused,
    callOff: unused,
    getPrompt: unused,
    complete: unused,
    ping: unused,
    subscribe: unused,
    unsubscribe: unused,
    setLogLevel: unused,
    rootsChanged: (name) => options.onRootsChanged?.(name),
    configure: unused,
    dispose: async () => {},
  }
}
