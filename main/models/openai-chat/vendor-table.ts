// What single vendors want of a request beyond the format, by endpoint and model. What this table does not know is learnt from a
// refusal that names it (`corrections.ts`).

/** Fields that a request can do without. */
export const optionalFields = ['stream_options', 'reasoning_effort', 'temperature', 'max_tokens', 'max_completion_tokens'] as const

export type Want =
  | `without ${(typeof optionalFields)[number]}`
  /** OpenAI's own models refuse `max_tokens`, which all others know. */
  | 'max_completion_tokens'
  /** Takes PDFs as `file` parts, unless the model says otherwise. */
  | 'documents'
  /** `reasoning_effort: "none"` beside tools. */
  | 'no-effort-with-tools'
  /** What it thought in turns that called tools, in all later requests. */
  | 'reasoning-of-tool-turns'
  /** `reasoning_content` on all that an assistant said, empty where there is none. */
  | 'reasoning-everywhere'
  /** An assistant's word between the result of a tool and the person's. */
  | 'assistant-after-tools'

const any = /^/
const vendors: readonly (readonly [host: RegExp, model: RegExp, wants: readonly Want[]])[] = [
  [/^api\.openai\.com$/, any, ['max_completion_tokens', 'documents']],
  [/^openrouter\.ai$/, any, ['documents']],
  [any, /deepseek-v4|mimo-v2/i, ['reasoning-of-tool-turns']],
  [any, /kimi-(?:k2\.\d|k2-thinking|k[3-9]|for-coding)/i, ['reasoning-of-tool-turns']],
  [/(?:^|\.)mistral\.ai$/, any, ['assistant-after-tools']],
  [any, /mistral|mixtral|ministral|magistral|codestral|devstral|pixtral/i, ['assistant-after-tools']],
]

export const knownWants = (hostname: string, model: string): Set<Want> =>
  new Set(vendors.flatMap(([host, name, wants]) => (host.test(hostname) && name.test(model) ? wants : [])))
