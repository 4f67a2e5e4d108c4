// A server with a model that is not its own: its tool `agent` asks for an answer with a tool (MCP 2025-11-25, "Sampling
// with tools"), does what the model wants, asks again, and gives back all that it heard. `broken` breaks the rules. By hand;
// with the argument `modern` a server of 2026-07-28, which asks inside its results.
import { answer, type Incoming, legacy, onMessage, refuse, send, text, tool } from './lines.ts'

const [mode] = process.argv.slice(2)
const weather = {
  name: 'get.weather',
  description: 'The weather of a city',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const question = { role: 'user', content: { type: 'text', text: 'Get the weather in "Paris"' } }
const common = { maxTokens: 100, tools: [weather], includeContext: 'none' }

interface Said {
  readonly content: unknown
  readonly stopReason: string
}
const usesIn = ({ content }: Said): { readonly id: string; readonly input: { readonly city: string } }[] =>
  (Array.isArray(content) ? content : [content]).filter((block) => (block as { type: string }).type === 'tool_use')

const first = { ...common, messages: [question], toolChoice: { mode: 'auto' } }
const second = (said: Said) => ({
  ...common,
  messages: [
    question,
    { role: 'assistant', content: said.content },
    {
      role: 'user',
      content: usesIn(said).map(({ id, input }) => ({
        type: 'tool_result',
        toolUseId: id,
        content: [{ type: 'text', text: `18 degrees in ${input.city}` }],
      })),
    },
  ],
  toolChoice: { mode: 'none' },
})
/** Of two uses only one is answered. */
const broken = {
  ...common,
  messages: [
    question,
    { role: 'assistant', content: ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'get.weather', input: {} })) },
    { role: 'user', content: { type: 'tool_result', toolUseId: 'a', content: [] } },
  ],
}
const tools = [tool('agent'), tool('broken')]

function old(): void {
  let call: Incoming | undefined
  let heard: Said | undefined
  const ask = (id: string, params: object): void => send({ id, method: 'sampling/createMessage', params })
  legacy(tools, {
    initialize: (message) =>
      answer(message, {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'samples', version: '1' },
        instructions: JSON.stringify(message.params?.['capabilities']),
      }),
    'tools/call'(message) {
      call = message
      if (message.params?.name === 'agent') ask('first', first)
      else ask('broken', broken)
    },
    response(message) {
      if (!call) return
      const said = message.result as Said | undefined
      if (message.id === 'first' && said) {
        heard = said
        ask('second', second(said))
      } else answer(call, text(JSON.stringify(message.id === 'second' ? [heard, said] : message)))
    },
  })
}

function modern(): void {
  const cached = { ttlMs: 0, cacheScope: 'private' }
  const complete = (to: Incoming, result: object): void => answer(to, { resultType: 'complete', ...result })
  const ask = (to: Incoming, params: object, requestState: string): void =>
    answer(to, { resultType: 'input_required', inputRequests: { model: { method: 'sampling/createMessage', params } }, requestState })
  onMessage((message) => {
    const { inputResponses, requestState } = (message.params ?? {}) as { inputResponses?: { model: Said }; requestState?: string }
    const said = inputResponses?.model
    if (message.method === 'server/discover')
      complete(message, { ...cached, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })
    else if (message.method === 'tools/list') complete(message, { ...cached, tools })
    else if (message.method !== 'tools/call') refuse(message, -32601, 'Method not found')
    else if (message.params?.name === 'broken') ask(message, broken, '')
    else if (!said) ask(message, first, '')
    else if (requestState === '') ask(message, second(said), JSON.stringify(said))
    else complete(message, text(JSON.stringify([JSON.parse(String(requestState)), said])))
  })
}

if (mode === 'modern') modern()
else old()
