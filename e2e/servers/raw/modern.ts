// A server of 2026-07-28 by hand: no `initialize`, results with a `resultType`, questions as `input_required`. Its
// lists may be listened to, and its argument `shy` makes it answer `server/discover` without naming itself.
import { answer, type Incoming, onMessage, refuse, send, text, tool } from './lines.ts'

const complete = (to: Incoming, result: object): void => answer(to, { resultType: 'complete', ...result })
const cached = { ttlMs: 0, cacheScope: 'private' }
const serverInfo = { name: 'modern', version: '3' }
let listening: Incoming | undefined
let tools = [tool('whoami'), tool('grow'), tool('meta')]

const methods: Readonly<Record<string, (message: Incoming) => void>> = {
  'server/discover': (message) =>
    complete(message, {
      ...cached,
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
      instructions: 'Be modern.',
      ...(process.argv[2] === 'shy' ? {} : { _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } }),
    }),
  'tools/list': (message) => complete(message, { ...cached, tools }),
  'subscriptions/listen'(message) {
    listening = message
    const _meta = { 'io.modelcontextprotocol/subscriptionId': message.id }
    send({ method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications: message.params?.['notifications'] } })
  },
  'tools/call'(message) {
    const given = message.params?.['inputResponses'] as { who?: { content?: { name?: string } } } | undefined
    if (message.params?.name === 'grow') {
      tools = [...tools, tool('grown')]
      const _meta = { 'io.modelcontextprotocol/subscriptionId': listening?.id }
      send({ method: 'notifications/tools/list_changed', params: { _meta } })
      complete(message, text('grown'))
    } else if (message.params?.name === 'meta') complete(message, text(JSON.stringify(message.params['_meta'])))
    else if (given) complete(message, text(`You are ${given.who?.content?.name}`))
    else {
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
      const who = { method: 'elicitation/create', params: { mode: 'form', message: 'Who are you?', requestedSchema } }
      answer(message, { resultType: 'input_required', inputRequests: { who }, requestState: 's1' })
    }
  },
}

onMessage((message) => {
  const method = methods[message.method ?? '']
  if (method) method(message)
  else if (message.id !== undefined) refuse(message, -32601, 'Method not found')
})
