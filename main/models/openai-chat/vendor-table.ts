// Requirements of single vendors beyond the format, by endpoint and model. Others are learnt from a refusal that names them
// (`completion-stream.ts`).

/** Fields that a request can do without. */
export const optionalFields = [
  'stream_options',
  'reasoning_effort',
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'tool_choice',
] as const

export type Want =
  | `without ${(typeof optionalFields)[number]}`
  /** OpenAI's own models refuse `max_tokens`, which all others know. */
  | 'max_completion_tokens'
  /** Takes PDFs as `file` parts, unless the model says otherwise. */
  | 'documents'
  /** `reasoning_effort: "none"` beside tools. */
  | 'no-effort-with-tools'
  /** Thinking of turns with tool calls, in all later requests. */
  | 'reasoning-of-tool-turns'
  /** `reasoning_content` on all assistant messages, empty where there is none. */
  | 'reasoning-everywhere'
  /** A word in place of the signature of calls that another model made (ai.google.dev/gemini-api/docs/thought-signatures). */
  | 'skipped-signatures'
  /** An assistant message between a tool's result and a user message. */
  | 'assistant-after-tools'

const any = /^/
const vendors: readonly (readonly [host: RegExp, model: RegExp, wants: readonly Want[]])[] = [
  [/^api\.openai\.com$/, any, ['max_completion_tokens', 'documents']],
  [/^openrouter\.ai$/, any, ['documents']],
  [/^generativelanguage\.googleapis\.com$/, /gemini-(?:[3-9]|\d\d)/, ['skipped-signatures']],
  [any, /deepseek-v4|mimo-v2/i, ['reasoning-of-tool-turns']],
  [any, /kimi-(?:k2\.\d|k2-thinking|k[3-9]|for-coding)/i, ['reasoning-of-tool-turns']],
  [/(?:^|\.)mistral\.ai$/, any, ['assistant-after-tools']],
  [any, /mistral|mixtral|ministral|magistral|codestral|devstral|pixtral/i, ['assistant-after-tools']],
]

export const knownWants = (hostname: string, model: string): Set<Want> =>
  new Set(vendors.flatMap(([host, name, wants]) => (host.test(hostname) && name.test(model) ? wants : [])))
