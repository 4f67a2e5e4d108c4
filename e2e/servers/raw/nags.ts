// An old server without measure: it says too much of itself, asks without end, and tells of changes after each fetch.
import { answer, type Incoming, legacy, refuse, send, text, tool } from './lines.ts'

const long = 'x'.repeat(1_000_000)
let fetched = 0
let call: Incoming | undefined
let answered = 0
let asked = 0
let left = 0

const ask = (message: string): void => {
  asked += 1
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
  send({ id: `ask-${asked}`, method: 'elicitation/create', params: { message, requestedSchema } })
}
const progress = (to: Incoming, message: string): void => {
  const { progressToken } = (to.params?.['_meta'] ?? {}) as { progressToken?: unknown }
  send({ method: 'notifications/progress', params: { progressToken, progress: 1, message } })
}

const calls: Readonly<Record<string, (message: Incoming) => void>> = {
  fetched: (message) => answer(message, text(String(fetched))),
  refuse: (message) => refuse(message, -32602, long),
  progress(message) {
    progress(message, long)
    answer(message, text('done'))
  },
  /** A hundred questions, each after the answer to the one before; answered with how many were heard. */
  nag(message) {
    call = message
    left = 99
    ask('And?')
  },
  long(message) {
    call = message
    left = 0
    ask(long)
  },
}

legacy(
  [],
  {
    initialize: (message) =>
      answer(message, {
        protocolVersion: '2025-06-18',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: long, version: long, title: long },
        instructions: long,
      }),
    'tools/list'(message) {
      fetched += 1
      answer(message, { tools: Object.keys(calls).map((name) => tool(name)) })
      send({ method: 'notifications/tools/list_changed' })
    },
    'tools/call': (message) => calls[message.params?.name ?? '']?.(message),
    response(message) {
      if (message.result) answered += 1
      left -= 1
      if (left >= 0) ask('And?')
      else if (call) answer(call, text(String(answered)))
    },
  },
  { tools: { listChanged: true } },
)
