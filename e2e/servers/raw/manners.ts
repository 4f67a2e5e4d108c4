// A server of 2025-06-18 by hand, that does what it is told by its tools, and writes each message that it gets as a line
// into the file of its first argument. Its second argument changes it: `bare` declares tools and nothing else, `pings`
// wants an answer to a ping before it answers `initialize`, `never` does not answer that at all, `refuses` takes no
// subscription.
import { appendFileSync } from 'node:fs'
import { answer, type Incoming, onMessage, refuse, send, text, tool } from './lines.ts'

const [, , record = '/dev/null', kind = ''] = process.argv
const whole = {
  tools: {},
  prompts: {},
  resources: { subscribe: true, listChanged: true },
  logging: {},
  completions: {},
}
const result = (message: Incoming): void => answer(message, {})
let greeting: Incoming | undefined
/** Calls that are answered once the host has answered what was asked in their course. */
const held = new Map<string, { readonly call: Incoming; readonly answers: unknown[]; left: number }>()
let asked = 0

/** Asks the host for all of these; the call is answered with the answers, in the order they came. */
function ask(call: Incoming, requests: readonly { readonly method: string; readonly params?: object }[]): void {
  const waiting = { call, answers: [], left: requests.length }
  for (const request of requests) {
    asked += 1
    held.set(`ask-${asked}`, waiting)
    send({ id: `ask-${asked}`, ...request })
  }
}

const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
const cancel = (requestId: unknown): void => send({ method: 'notifications/cancelled', params: { requestId, reason: 'never mind' } })
let hanging: Incoming | undefined

const calls: Readonly<Record<string, (message: Incoming) => void>> = {
  ping: (message) => ask(message, [{ method: 'ping' }]),
  roots: (message) => ask(message, [{ method: 'roots/list' }]),
  /** Requests that the host has not declared, or that nobody has. */
  strange: (message) =>
    ask(
      message,
      ['tasks/list', 'tools/list', 'completion/complete', 'example/nothing'].map((method) => ({ method })),
    ),
  /** Asks, and is answered only when the test says so; the call itself ends at once. */
  question(message) {
    send({ id: 'question', method: 'elicitation/create', params: { message: 'Who?', requestedSchema } })
    answer(message, text('asked'))
  },
  sample(message) {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Hello?' } }]
    send({ id: 'sample', method: 'sampling/createMessage', params: { messages, maxTokens: 10 } })
    answer(message, text('asked'))
  },
  /** Takes back what it asked for, what it never asked for, and what was answered long ago. */
  withdraw(message) {
    for (const id of ['question', 'sample', 'never-asked', 12345, 'ask-1', undefined]) cancel(id)
    answer(message, text('withdrawn'))
  },
  /** Answered only after it was cancelled, which is too late. */
  hang(message) {
    hanging = message
  },
  touch(message) {
    const { uri, times = 1 } = (message.params?.arguments ?? {}) as { uri?: string; times?: number }
    for (let i = 0; i < times; i += 1) send({ method: 'notifications/resources/updated', params: { uri } })
    answer(message, text('touched'))
  },
  shout(message) {
    const { times = 1, level = 'info' } = (message.params?.arguments ?? {}) as { times?: number; level?: string }
    for (let i = 0; i < times; i += 1) send({ method: 'notifications/message', params: { level, logger: 'raw', data: `word ${i}` } })
    answer(message, text('said'))
  },
  exit: () => process.exit(1),
}

const suggestions = (message: Incoming): void => {
  const { value = '' } = (message.params?.['argument'] ?? {}) as { value?: string }
  const many = Array.from({ length: 150 }, (_, i) => `${value}${i}`)
  if (value === 'never') return
  if (value === 'odd') answer(message, { completion: 'none' })
  else answer(message, { completion: { values: value === 'many' ? many : [`${value}!`, 7], total: 2, hasMore: false } })
}

const methods: Readonly<Record<string, (message: Incoming) => void>> = {
  initialize(message) {
    greeting = message
    if (kind === 'pings') send({ id: 'early', method: 'ping' })
    else if (kind !== 'never') greet()
  },
  ping: result,
  'tools/list': (message) => answer(message, { tools: Object.keys(calls).map((name) => tool(name)) }),
  'tools/call': (message) => calls[message.params?.name ?? '']?.(message),
  'resources/list': (message) => answer(message, { resources: [{ uri: 'raw://one', name: 'one' }] }),
  'resources/templates/list': (message) => answer(message, { resourceTemplates: [{ uriTemplate: 'raw://{name}', name: 'any' }] }),
  'resources/read'(message) {
    const text = message.params?.['uri'] === 'raw://large' ? 'x'.repeat(9_000_000) : 'one'
    answer(message, { contents: [{ uri: 'raw://one', text }], ttlMs: 60_000, cacheScope: 'public' })
  },
  'resources/subscribe': (message) => (kind === 'refuses' ? refuse(message, -32002, 'No such resource') : result(message)),
  'resources/unsubscribe': result,
  'prompts/list': (message) => answer(message, { prompts: [{ name: 'greet', arguments: [{ name: 'who' }] }] }),
  'logging/setLevel': result,
  'completion/complete': suggestions,
  'notifications/cancelled'(message) {
    if (hanging === undefined || message.params?.['requestId'] !== hanging.id) return
    const late = hanging
    hanging = undefined
    answer(late, text('late'))
    answer(late, text('later still'))
  },
}

function greet(): void {
  if (greeting === undefined) return
  const capabilities = kind === 'bare' ? { tools: {} } : whole
  answer(greeting, { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'raw', version: '1' } })
  greeting = undefined
}

onMessage((message) => {
  appendFileSync(record, `${JSON.stringify(message)}\n`)
  if (message.method === undefined) {
    if (message.id === 'early') greet()
    const waiting = held.get(String(message.id))
    if (waiting === undefined) return
    const { error } = message as { readonly error?: { readonly code: number } }
    waiting.answers.push(error ? error.code : (message.result ?? null))
    waiting.left -= 1
    if (waiting.left === 0) answer(waiting.call, text(JSON.stringify(waiting.answers)))
    return
  }
  const method = methods[message.method]
  if (method) method(message)
  else if (message.id !== undefined) refuse(message, -32601, 'Method not found')
})
