// A server that asks the person, by hand: `form` with every kind of field; `page` sends them to a page and says when they
// have finished; `needs-page` refuses until they have (-32042). `seen` tells what it was sent. Of 2025-11-25; with the
// argument `modern` the form is asked for inside a result of 2026-07-28.
import { answer, type Incoming, legacy, onMessage, refuse, send, text, tool } from './lines.ts'

const [mode] = process.argv.slice(2)
const requestedSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 20, default: 'Ada' },
    mail: { type: 'string', format: 'email' },
    site: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date', default: '2026-11-21' },
    at: { type: 'string', format: 'date-time' },
    code: { type: 'string', pattern: '^[A-Z]{2}$' },
    seats: { type: 'integer', minimum: 1, maximum: 9, default: 2 },
    price: { type: 'number', default: 1.5 },
    quiet: { type: 'boolean', default: true },
    size: { type: 'string', enum: ['s', 'm'], default: 'm' },
    legacy: { type: 'string', enum: ['a', 'b'], enumNames: ['An A', 'A B'] },
    colour: {
      type: 'string',
      oneOf: [
        { const: '#f00', title: 'Red' },
        { const: '#00f', title: 'Blue' },
      ],
      default: '#f00',
    },
    days: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['mo', 'tu', 'we'] }, default: ['mo', 'tu'] },
    rooms: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'r1', title: 'Room 1' },
          { const: 'r2', title: 'Room 2' },
        ],
      },
    },
  },
  required: ['name', 'days'],
}
const form = { mode: 'form', message: 'Book a room?', requestedSchema }
const page = (elicitationId: string) => ({
  mode: 'url',
  message: 'Sign the lease',
  url: `https://example.com/lease/${elicitationId}`,
  elicitationId,
})
const complete = (elicitationId: string): void => send({ method: 'notifications/elicitation/complete', params: { elicitationId } })
const names = ['form', 'page', 'already', 'needs-page', 'needs-two', 'never-says', 'seen']

function old(): void {
  const seen: Incoming[] = []
  const open = new Map<string, Incoming>()
  const ask = (call: Incoming, params: object): void => {
    const id = `ask-${open.size}`
    open.set(id, call)
    send({ id, method: 'elicitation/create', params })
  }
  const needs = (to: Incoming, ...elicitations: object[]): void =>
    send({ id: to.id, error: { code: -32042, message: 'This request requires more information.', data: { elicitations } } })
  const later = (work: () => void): void => void setTimeout(work, 150)
  const calls: Readonly<Record<string, (call: Incoming) => void>> = {
    form: (call) => ask(call, form),
    page: (call) => ask(call, page('p1')),
    /** The person goes there before they answer. */
    already(call) {
      ask(call, page('p2'))
      complete('nobody’s')
      later(() => complete('p2'))
    },
    'needs-page'(call) {
      needs(call, page('p3'))
      later(() => {
        complete('nobody’s')
        complete('p3')
        complete('p3')
      })
    },
    'needs-two': (call) => needs(call, page('p4'), page('p4'), page('p5'), { ...form, elicitationId: 'p6' }),
    'never-says': (call) => needs(call, page('p7')),
    seen: (call) => answer(call, text(JSON.stringify(seen))),
  }
  legacy(
    names.map((name) => tool(name)),
    {
      initialize: (message) =>
        answer(message, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'elicits', version: '1' } }),
      'tools/call'(message) {
        if (message.params?.name !== 'seen') seen.push(message)
        calls[message.params?.name ?? '']?.(message)
      },
      response(message) {
        const call = open.get(String(message.id))
        if (!call) return
        if (call.params?.name === 'page') setTimeout(() => complete('p1'), 150)
        setTimeout(() => answer(call, text(JSON.stringify(message.result ?? message))), call.params?.name === 'page' ? 400 : 0)
      },
    },
  )
}

function modern(): void {
  const cached = { ttlMs: 0, cacheScope: 'private' }
  const done = (to: Incoming, result: object): void => answer(to, { resultType: 'complete', ...result })
  onMessage((message) => {
    const given = message.params?.['inputResponses'] as { book: unknown } | undefined
    if (message.method === 'server/discover') done(message, { ...cached, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })
    else if (message.method === 'tools/list') done(message, { ...cached, tools: [tool('form')] })
    else if (message.method !== 'tools/call') refuse(message, -32601, 'Method not found')
    else if (given) done(message, text(JSON.stringify(given.book)))
    else answer(message, { resultType: 'input_required', inputRequests: { book: { method: 'elicitation/create', params: form } } })
  })
}

if (mode === 'modern') modern()
else old()
