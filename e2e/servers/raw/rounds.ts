// A server of 2026-07-28 that answers tools, prompts and resources with questions first (`input_required`), by hand. What
// is asked is known by its name; the tool `seen` tells what the server was sent.
import { answer, type Incoming, onMessage, refuse, text, tool } from './lines.ts'

const seen: Incoming[] = []
const cached = { ttlMs: 0, cacheScope: 'private' }
const complete = (to: Incoming, result: object): void => answer(to, { resultType: 'complete', ...result })
const required = (to: Incoming, more: object): void => answer(to, { resultType: 'input_required', ...more })
const form = (message: string) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
})
const page = { method: 'elicitation/create', params: { mode: 'url', message: 'Sign', url: 'https://example.com/in' } }
const prompt = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 9 },
}

interface Given {
  readonly responses: Readonly<Record<string, unknown>> | undefined
  readonly state: unknown
}

/** What comes in answer to a name: questions, or undefined when it has all it needs. */
const asks: Readonly<Record<string, (given: Given) => object | undefined>> = {
  all: ({ responses }) =>
    responses
      ? undefined
      : {
          inputRequests: { one: form('One?'), two: page, three: prompt, four: { method: 'roots/list' } },
          requestState: 'Zustand "\\u00e9"=1 ',
        },
  twice: ({ state }) =>
    state === 'b'
      ? undefined
      : state === 'a'
        ? { inputRequests: { second: form('Second?') }, requestState: 'b' }
        : { inputRequests: { first: form('First?') }, requestState: 'a' },
  steps: ({ responses }) =>
    responses ? undefined : { inputRequests: { one: form('One?'), page, two: form('Two?'), three: form('Three?') }, requestState: 'steps' },
  stateless: ({ responses }) => (responses ? undefined : { inputRequests: { one: form('One?') } }),
  busy: ({ state }) => (state === 'later2' ? undefined : { requestState: state === 'later1' ? 'later2' : 'later1' }),
  endless: () => ({ inputRequests: { more: form('More?') }, requestState: 'again' }),
  neither: () => ({}),
}

function serve(to: Incoming, name: string, result: object): void {
  const questions = asks[name]?.({ responses: to.params?.['inputResponses'] as Given['responses'], state: to.params?.['requestState'] })
  if (questions) required(to, questions)
  else complete(to, result)
}
const told = (to: Incoming): string => JSON.stringify(to.params?.['inputResponses'] ?? null)

const methods: Readonly<Record<string, (message: Incoming) => void>> = {
  'server/discover': (message) =>
    complete(message, { ...cached, supportedVersions: ['2026-07-28'], capabilities: { tools: {}, prompts: {}, resources: {} } }),
  'tools/list': (message) => complete(message, { ...cached, tools: ['seen', ...Object.keys(asks)].map((name) => tool(name)) }),
  'prompts/list': (message) => complete(message, { ...cached, prompts: [{ name: 'all' }] }),
  'resources/list': (message) => complete(message, { ...cached, resources: [{ uri: 'raw://all', name: 'all' }] }),
  'resources/templates/list': (message) => complete(message, { ...cached, resourceTemplates: [] }),
  'tools/call'(message) {
    if (message.params?.name === 'seen') complete(message, text(JSON.stringify(seen)))
    else serve(message, message.params?.name ?? '', text(told(message)))
  },
  'prompts/get': (message) => serve(message, 'all', { messages: [{ role: 'user', content: { type: 'text', text: told(message) } }] }),
  'resources/read': (message) => serve(message, 'all', { ...cached, contents: [{ uri: 'raw://all', text: told(message) }] }),
}

onMessage((message) => {
  if (message.params?.name !== 'seen') seen.push(message)
  const method = methods[message.method ?? '']
  if (method) method(message)
  else if (message.id !== undefined && message.method !== undefined) refuse(message, -32601, 'Method not found')
})
