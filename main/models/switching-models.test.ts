// Switching models in mid-conversation: whatever one vendor's model has left behind, the next request is legal for the other. The rules are
// the vendors': OpenAI's reference of chat completions (each call is answered at once, ids of at most 40 characters), Mistral's codes 3230
// (no user message after a tool's) and 3280 (ids of nine letters and digits), DeepSeek's guide to thinking (`reasoning_content` belongs to its
// own model), Anthropic's guides to tool use and extended thinking (results first, in the next message; signatures of its own only; no blank text),
// the Responses API's types (`ResponseInputItem` of the SDK openai: `call_id` of 1 to 64 characters) and its refusals: "No tool output found for
// function call …", "Item 'rs_…' of type 'reasoning' was provided without its required following item" (pydantic-ai, thinking_with_modified_history),
// and an id `fc_…` or `msg_…` without "its required 'reasoning' item" (openai/openai-agents-python#1397).
import { describe, expect, test } from 'vitest'
import { toAnthropic } from './anthropic/anthropic-provider.ts'
import { toChatCompletions } from './openai-chat/openai-request.ts'
import { knownWants } from './openai-chat/vendor-table.ts'
import { knownAdjustments, toResponses } from './openai-responses/responses-request.ts'
import type { ModelAssistantBlock, ModelContent, ModelMessage, ModelRequest } from './provider.ts'

const authors = {
  'anthropic/claude-sonnet-5': { signature: 'c2ln' },
  'openai/gpt-4.1': undefined,
  'deepseek/deepseek-v4': { signature: 'reasoning_content' },
  'openrouter/anthropic/claude-opus-5': { details: [{ type: 'reasoning.text', text: 'Hm', signature: 's' }] },
  'mistral/mistral-large': undefined,
  'responses/gpt-5.5': { details: [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' }] },
  'responses/gpt-4.1': undefined,
} as const
type Author = keyof typeof authors

const image: ModelContent = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }
const pdf: ModelContent = { type: 'document', mimeType: 'application/pdf', data: 'JVBERi0=', name: 'a.pdf' }
const say = (...content: ModelContent[]): ModelMessage => ({ role: 'user', content })
const words = (text: string): ModelContent => ({ type: 'text', text })

function answer(model: Author, ...content: ModelAssistantBlock[]): ModelMessage {
  const proof = authors[model]
  const thought: ModelAssistantBlock[] = proof ? [{ type: 'thinking', text: 'Hm', ...proof }] : []
  return { role: 'assistant', model, content: [...thought, ...content] }
}
/** Ids as vendors make them: with the characters and the length that others refuse. */
const ids = ['toolu_01A', 'functions.read:0', `call_${'x'.repeat(60)}`]
const providerData = { id: 'fc_1' }
const calls = ids.map((providerId) => ({ type: 'tool-call', providerId, name: 'read', input: {}, providerData }) as const)
const results = (...content: ModelContent[]): ModelMessage => ({
  role: 'user',
  content: ids.map((providerId) => ({ type: 'tool-result', providerId, content, isError: false })),
})

const left: Readonly<Record<string, (by: Author) => readonly ModelMessage[]>> = {
  'tool calls': (by) => [answer(by, ...calls), results(words('One')), answer(by, { type: 'text', text: 'Done' })],
  'a turn that ended on a result': (by) => [answer(by, ...calls), results(words('One'))],
  'a result without text': (by) => [answer(by, ...calls), results(), answer(by, { type: 'text', text: 'Done' })],
  'an image in a result': (by) => [answer(by, ...calls), results(words('One'), image), answer(by, { type: 'text', text: 'Done' })],
  'a PDF in a result': (by) => [answer(by, ...calls), results(pdf), answer(by, { type: 'text', text: 'Done' })],
  'an image of the person': (by) => [say(words('See'), image), answer(by, { type: 'text', text: 'Seen' })],
  'a refusal without a word': (by) => [answer(by)],
  'a refusal in words': (by) => [answer(by, { type: 'text', text: 'I cannot.' })],
  'blank text': (by) => [answer(by, { type: 'text', text: ' \n' }, ...calls), results(words('One'))],
}
const requestFor = (id: Author, history: readonly ModelMessage[]): ModelRequest => ({
  model: id.slice(id.indexOf('/') + 1),
  system: 'Help.',
  messages: [say(words('Begin')), ...history, say(words('Go on'))],
  tools: [{ name: 'read', description: 'Reads', inputSchema: { type: 'object' } }],
  maxTokens: 1000,
  effort: 'auto',
})

type Loose = Record<string, unknown> & { role: string; content?: unknown }
interface ToolCallOnWire {
  readonly id: string
}

/** Returns the breaches of a request of chat completions. */
function chatFaults(to: Author, by: Author, request: ModelRequest): string[] {
  const host = { openai: 'api.openai.com', mistral: 'api.mistral.ai', deepseek: 'api.deepseek.com' }[to.split('/')[0] ?? ''] ?? 'x'
  const wants = knownWants(host, request.model)
  const params = toChatCompletions(request, { modelId: to, info: undefined, wants, template: { opensThought: false } })
  const messages = params.messages as unknown as readonly Loose[]
  const faults: string[] = []
  let open = new Set<string>()
  for (const [at, message] of messages.entries()) {
    const made = (message['tool_calls'] ?? []) as readonly ToolCallOnWire[]
    if (message.role === 'tool' ? !open.delete(String(message['tool_call_id'])) : open.size > 0)
      faults.push(`${at}: a call is not answered`)
    if (message.role === 'assistant') open = new Set(made.map(({ id }) => id))
    if (open.size < made.length) faults.push(`${at}: two calls of one id`)
    if (message.role === 'assistant' && !message.content && made.length === 0) faults.push(`${at}: an empty answer`)
    if (message.role === 'tool' && message.content === '') faults.push(`${at}: an empty result`)
    if (to !== by && made.some(({ id }) => !/^[a-z0-9]{9}$/i.test(id))) faults.push(`${at}: an id that not all take`)
    if (to !== by && ['reasoning', 'reasoning_details'].some((name) => name in message)) faults.push(`${at}: thinking of another`)
    if (to !== by && message['reasoning_content']) faults.push(`${at}: thinking of another`)
    if (to.startsWith('mistral') && message.role === 'user' && messages[at - 1]?.role === 'tool') faults.push(`${at}: a user after a tool`)
  }
  return faults
}

/** Returns the breaches of a request of Anthropic's messages. */
function anthropicFaults(to: Author, by: Author, request: ModelRequest): string[] {
  const { messages } = toAnthropic(request, undefined)
  const faults: string[] = []
  if (messages[0]?.role !== 'user') faults.push('the first message is not the person’s')
  let open: string[] = []
  for (const [at, { content }] of messages.entries()) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content
    if (blocks.length === 0) faults.push(`${at}: an empty message`)
    if (blocks.some((block) => block.type === 'text' && block.text.trim() === '')) faults.push(`${at}: blank text`)
    const answered = blocks.slice(0, open.length).map((block) => (block.type === 'tool_result' ? block.tool_use_id : block.type))
    if (answered.toSorted().join() !== open.toSorted().join()) faults.push(`${at}: a call is not answered first`)
    open = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
    if (open.some((id) => !/^[a-zA-Z0-9_-]+$/.test(id))) faults.push(`${at}: an id that it refuses`)
    if (to !== by && blocks.some(({ type }) => type === 'thinking' || type === 'redacted_thinking'))
      faults.push(`${at}: thinking of another`)
  }
  return faults
}

/** Returns the breaches of a request of the Responses API. */
function responsesFaults(to: Author, by: Author, request: ModelRequest): string[] {
  const adjustments = knownAdjustments('api.openai.com', request.model)
  const { input, ...rest } = toResponses(request, { modelId: to, info: undefined, adjustments })
  const items = input as unknown as readonly Loose[]
  const faults: string[] = rest['store'] === false ? [] : ['it is stored']
  const open = new Set<string>()
  for (const [at, item] of items.entries()) {
    const type = String(item['type'])
    const id = String(item['call_id'])
    if (type === 'function_call' && (open.has(id) || !/^[\w.:-]{1,64}$/.test(id))) faults.push(`${at}: an id that it refuses`)
    if (type === 'function_call') open.add(id)
    else if (type === 'function_call_output' ? !open.delete(id) : open.size > 0) faults.push(`${at}: a call is not answered`)
    const next = items[at + 1]
    if (type === 'reasoning' && (next === undefined || next.role === 'user' || next['type'] === 'function_call_output'))
      faults.push(`${at}: reasoning that nothing follows`)
    if (type === 'reasoning' && (to !== by || typeof item['encrypted_content'] !== 'string')) faults.push(`${at}: thinking of another`)
    if (type !== 'reasoning' && item['id'] !== undefined && !items.slice(0, at).some((one) => one['type'] === 'reasoning'))
      faults.push(`${at}: an id without its reasoning`)
    if (Array.isArray(item.content) && item.content.length === 0) faults.push(`${at}: an empty message`)
    if (Array.isArray(item.content) && item.content.some((part) => part.text?.trim() === '')) faults.push(`${at}: blank text`)
    if (type === 'function_call_output' && (item['output'] === '' || (item['output'] as string).length === 0))
      faults.push(`${at}: an empty result`)
  }
  return faults
}

const faultsFor = (to: Author) =>
  to.startsWith('anthropic/') ? anthropicFaults : to.startsWith('responses/') ? responsesFaults : chatFaults

const all = Object.keys(authors) as Author[]
describe.each(all.flatMap((by) => all.map((to) => [by, to] as const)))('from %s to %s', (by, to) => {
  test.each(Object.keys(left))('after %s', (what) => {
    const request = requestFor(to, left[what]?.(by) ?? [])
    expect(faultsFor(to)(to, by, request)).toEqual([])
  })
})
