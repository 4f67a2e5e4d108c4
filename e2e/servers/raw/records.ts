// A server of 2024-11-05 that writes down every line of both sides, in the file that its first argument names: `<` before
// what the host said, `>` before what it said itself. Its second argument: `bare` (declares nothing), `mute` (never answers
// `initialize`), `pages` (lists of one item a page), `modern` (is one of 2026-07-28 instead).
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Incoming } from './lines.ts'
import { text, tool } from './lines.ts'

const [, , file = '', mood = ''] = process.argv
const asked = ['ping', 'roots/list', 'sampling/createMessage', 'nothing/such'] as const
const params: Readonly<Record<string, object>> = {
  'sampling/createMessage': { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 5 },
}
const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
const elicitation = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema } }
/** What comes after each page: as odd as a cursor may be. */
const cursors = ['', ' spaced out ', '{"page":2}', 'eyJwYWdlIjogM30=', '../%2F?é', '0']

/** The page of a list, or the whole list of one. */
function page(message: Incoming, key: string, item: (index: number) => object): void {
  const index = mood === 'pages' ? cursors.indexOf(String(message.params?.['cursor'])) + 1 : cursors.length
  answer(message, { [key]: [item(mood === 'pages' ? index : 0)], ...(index < cursors.length ? { nextCursor: cursors[index] } : {}) })
}

let asking: Incoming | undefined
let hanging: Incoming | undefined
let left = 0

function say(message: object): void {
  const line = JSON.stringify({ jsonrpc: '2.0', ...message })
  appendFileSync(file, `> ${line}\n`)
  process.stdout.write(`${line}\n`)
}
const envelope = mood === 'modern' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {}
const answer = (to: Incoming | undefined, result: object): void => say({ id: to?.id, result: { ...envelope, ...result } })

const calls: Readonly<Record<string, (message: Incoming) => void>> = {
  echo: (message) => answer(message, text(JSON.stringify(message.params?.arguments))),
  /** Answered when all of its questions are. */
  asks(message) {
    asking = message
    left = asked.length
    asked.forEach((method, index) => {
      say({ id: index % 2 ? index : `q${index}`, method, ...(params[method] ? { params: params[method] } : {}) })
    })
  },
  /** Asks, takes it back, and answers once it has heard something of the host after that. */
  takesBack(message) {
    asking = message
    left = 1
    say({ id: 'taken-back', ...elicitation })
    say({ method: 'notifications/cancelled', params: { requestId: 'taken-back', reason: 'never mind' } })
    say({ id: 'after', method: 'ping' })
  },
  /** Calls off what it never asked for, what was answered long ago, and nothing at all. */
  callsOff(message) {
    for (const params of [{ requestId: 'nobody' }, { requestId: 'after' }, { reason: 'none' }, 7, undefined])
      say({ method: 'notifications/cancelled', ...(params === undefined ? {} : { params }) })
    answer(message, text('called off'))
  },
  asksOnce(message) {
    asking = message
    left = 1
    say({ id: 'once', ...elicitation })
  },
  /** Answered only when it is called off: too late, and twice, and once more to nobody. */
  hang: (message) => {
    hanging = message
  },
}

function discover(message: Incoming): void {
  if (mood === 'modern') answer(message, { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })
  else say({ id: message.id, error: { code: -32601, message: 'Method not found' } })
}

const methods: Readonly<Record<string, (message: Incoming) => void>> = {
  'server/discover': discover,
  initialize(message) {
    if (mood === 'mute') return
    const capabilities = mood === 'bare' ? {} : { tools: {}, resources: {}, prompts: {} }
    // Whoever does not wait for the answer is found out.
    setTimeout(() => answer(message, { protocolVersion: '2024-11-05', capabilities, serverInfo: { name: 'records', version: '1' } }), 100)
  },
  ping: (message) => answer(message, {}),
  'tools/list': (message) =>
    mood === 'pages'
      ? page(message, 'tools', (index) => tool(`t${index}`))
      : answer(message, { tools: Object.keys(calls).map((name) => tool(name)) }),
  'resources/list': (message) => page(message, 'resources', (index) => ({ uri: `raw://${index}`, name: 'one' })),
  'resources/templates/list': (message) =>
    page(message, 'resourceTemplates', (index) => ({ uriTemplate: `raw://{x}/${index}`, name: 'one' })),
  'resources/read': (message) => answer(message, { contents: [{ uri: 'raw://0', text: 'one' }] }),
  'prompts/list': (message) => page(message, 'prompts', (index) => ({ name: `p${index}`, arguments: [{ name: 'text' }] })),
  'prompts/get': (message) => answer(message, { messages: [] }),
  'tools/call': (message) => calls[message.params?.name ?? '']?.(message),
  'notifications/cancelled'() {
    for (const to of [hanging, hanging, { id: 'nobody' }]) answer(to, text('too late'))
    hanging = undefined
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  appendFileSync(file, `< ${line}\n`)
  const message = JSON.parse(line) as Incoming
  if (message.method === undefined) {
    left -= 1
    if (left === 0) answer(asking, text('heard'))
  } else if (methods[message.method]) methods[message.method]?.(message)
  else if (message.id !== undefined) say({ id: message.id, error: { code: -32601, message: 'Method not found' } })
})
