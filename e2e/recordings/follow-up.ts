// What vendors refuse in a request over a second user turn, by vendor.
import { isJsonObject, type JsonObject } from '#app/json.ts'

interface Message {
  readonly role: string
  readonly content?: unknown
  /** Of Gemini. */
  readonly parts?: readonly JsonObject[]
  /** Of Ollama. */
  readonly tool_name?: string
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[]
  readonly tool_call_id?: string
  readonly reasoning_content?: string
  readonly reasoning_details?: readonly JsonObject[]
}
/** `thought`: whether the model thought. `signed`: whether Gemini signed a part of its answer. */
export interface Asked {
  readonly format: string
  readonly vendor: string
  readonly model: string
  readonly thought: boolean
  readonly signed: boolean
}
type Rule = (messages: readonly Message[]) => boolean
type Row = readonly [title: string, source: string, applies: (asked: Asked) => boolean, rule: Rule]

const results = (messages: readonly Message[], at: number): readonly (string | undefined)[] => {
  const after = messages.slice(at + 1)
  const end = after.findIndex(({ role }) => role !== 'tool')
  return after.slice(0, end === -1 ? after.length : end).map(({ tool_call_id }) => tool_call_id)
}
const blocks = (message: Message | undefined): readonly JsonObject[] => (Array.isArray(message?.content) ? message.content : [])
const ofType = (message: Message | undefined, type: string, key: string): readonly unknown[] =>
  blocks(message).flatMap((block) => (block['type'] === type ? [block[key]] : []))
/** Texts at `key` of each part of a kind in a message of Gemini or Bedrock. */
const within = (message: Message | undefined, kind: string, key: string): readonly string[] =>
  [...blocks(message), ...(message?.parts ?? [])].flatMap((part) => (isJsonObject(part[kind]) ? [String(part[kind][key])] : []))
const isObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
const chat = ({ format }: Asked): boolean => format === 'openai'
const needsReasoning = /deepseek-v4|kimi-k2\.[5-9]/i
const same = (a: readonly unknown[], b: readonly unknown[]): boolean => JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted())

const rules: readonly Row[] = [
  [
    'tool messages with the ids of the calls follow them, each once',
    'platform.openai.com/docs/guides/function-calling',
    chat,
    (messages) =>
      messages.every(
        ({ tool_calls }, at) =>
          !tool_calls ||
          same(
            tool_calls.map(({ id }) => id),
            results(messages, at),
          ),
      ) && messages.filter(({ role }) => role === 'tool').length === messages.flatMap(({ tool_calls }) => tool_calls ?? []).length,
  ],
  [
    'arguments are the text of a JSON object',
    'platform.openai.com/docs/guides/function-calling',
    chat,
    (messages) => messages.flatMap(({ tool_calls }) => tool_calls ?? []).every((call) => isObject(call.function.arguments)),
  ],
  [
    'no user message right after a tool message',
    'Mistral, error 3230',
    (asked) => chat(asked) && asked.vendor === 'mistral',
    (messages) => messages.every(({ role }, at) => role !== 'user' || messages[at - 1]?.role !== 'tool'),
  ],
  [
    'calls of a model that thought carry the reasoning of their turn',
    'api-docs.deepseek.com/guides/thinking_mode; BerriAI/litellm#26156; without thinking none: ruby_llm, cassette of deepseek-chat',
    (asked) => chat(asked) && asked.thought && asked.vendor !== 'openrouter' && needsReasoning.test(asked.model),
    (messages) => messages.every(({ tool_calls, reasoning_content }) => !tool_calls || typeof reasoning_content === 'string'),
  ],
  [
    'calls behind OpenRouter carry the reasoning details of their turn',
    'charmbracelet/fantasy, TestOpenRouterCommon/kimi/tool_streaming.yaml: its second request, answered with 200',
    (asked) => chat(asked) && asked.thought && asked.vendor === 'openrouter' && needsReasoning.test(asked.model),
    (messages) => messages.every(({ tool_calls, reasoning_details }) => !tool_calls || (reasoning_details ?? []).length > 0),
  ],
  [
    'the next message has a result for each call',
    'docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use',
    ({ format }) => format === 'anthropic',
    (messages) =>
      messages.every(
        (message, at) =>
          message.role !== 'assistant' || same(ofType(message, 'tool_use', 'id'), ofType(messages[at + 1], 'tool_result', 'tool_use_id')),
      ),
  ],
  [
    'thinking goes back with its signature',
    'docs.anthropic.com/en/docs/build-with-claude/extended-thinking',
    ({ format }) => format === 'anthropic',
    (messages) =>
      messages.every((message) => ofType(message, 'thinking', 'signature').every((one) => typeof one === 'string' && one !== '')),
  ],
  [
    'the next content has a response for each call',
    'ai.google.dev/gemini-api/docs/function-calling',
    ({ format }) => format === 'gemini',
    (messages) =>
      messages.every(
        (message, at) =>
          message.role !== 'model' || same(within(message, 'functionCall', 'name'), within(messages[at + 1], 'functionResponse', 'name')),
      ),
  ],
  [
    'signatures go back',
    'ai.google.dev/gemini-api/docs/thought-signatures',
    ({ format, signed }) => format === 'gemini' && signed,
    (messages) => messages.some(({ parts }) => parts?.some((part) => typeof part['thoughtSignature'] === 'string')),
  ],
  [
    'the next message has a result for each call',
    'docs.aws.amazon.com/bedrock/latest/userguide/tool-use-inference-call.html',
    ({ format }) => format === 'bedrock',
    (messages) =>
      messages.every(
        (message, at) =>
          message.role !== 'assistant' ||
          same(within(message, 'toolUse', 'toolUseId'), within(messages[at + 1], 'toolResult', 'toolUseId')),
      ),
  ],
  [
    'results name their tool, and there are as many as calls',
    'ollama/ollama, docs/api.md',
    ({ format }) => format === 'ollama',
    (messages) => {
      const answered = messages.filter(({ role }) => role === 'tool')
      return (
        answered.every(({ tool_name }) => tool_name) && answered.length === messages.flatMap(({ tool_calls }) => tool_calls ?? []).length
      )
    },
  ],
]

/** Titles and sources of the rules that a request breaks. */
export const broken = (asked: Asked, body: JsonObject): readonly string[] =>
  rules.flatMap(([title, source, applies, rule]) =>
    applies(asked) && !rule((body['messages'] ?? body['contents'] ?? []) as unknown as readonly Message[]) ? [`${title} (${source})`] : [],
  )
