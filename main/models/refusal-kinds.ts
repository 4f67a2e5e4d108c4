// What vendors mean by a refusal, by their codes and types, and by wording where they have nothing else (decision 0024). One table for all
// of them: what a vendor says in one sentence, a router repeats in another's name. The first row that fits counts.
import type { HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isTooLong } from './context-overflow.ts'

/** `words`: codes and types of the body. `status`: of HTTP; `undefined` within a stream. */
export interface Refusal {
  readonly status?: number | undefined
  readonly words: readonly string[]
  readonly message: string
}

const kinds: readonly (readonly [code: HostErrorCode, codes: RegExp, wording: RegExp])[] = [
  [
    'model.refused',
    /^(?:content_filter|responsibleaipolicyviolation|data_?inspection_?failed|content_policy_violation)$/, // Azure, Qwen
    /content violates usage guidelines|content management policy/, // xAI, Azure behind a router
  ],
  [
    'model.no-credit',
    /^(?:insufficient_quota|exceeded_current_quota_error|1113)$/, // OpenAI, Moonshot, Zhipu
    /insufficient (?:account )?(?:balance|credits)|credit balance is too low|used all available credits|doesn't have any credits|more credits|payment is past due|余额不足/,
  ],
  ['model.tool-use-failed', /^tool_use_failed$/, /^tool call validation failed/], // Groq
  ['model.region', /^unsupported_country_region_territory$/, /user location is not supported/], // OpenAI, Gemini
  [
    'model.without-tools',
    /^$/,
    // Ollama, OpenRouter, Groq, OpenAI; vLLM and llama.cpp, which were started without them
    /does not support tools|support tool use|support the provided 'tool_choice'|(?:tool calling`|^tools) is not supported|--enable-auto-tool-choice|tools param requires|unsupported param: tools/,
  ],
  ['model.other-api', /^$/, /only supported in v1\/responses|not supported with the responses api/], // OpenAI
  ['model.not-for-chat', /^$/, /not a chat model|does not support chat\b|response modalities \(text\) is not supported/], // OpenAI, Ollama, Gemini
  ['model.loading', /^$/, /^loading model/], // llama.cpp
  [
    'model.not-allowed',
    /^$/,
    // OpenRouter, Anthropic, Ollama, Bedrock, Vertex, OpenAI
    /matching your (?:guardrail restrictions and )?data policy|organization has been disabled|ollama cloud is disabled|don't have access to the model|^permission '\S+' denied on|not allowed to sample/,
  ],
  [
    'model.unknown',
    /^(?:model_not_found|model_decommissioned|invalid_model)$/, // OpenAI, Groq, Mistral
    // Bedrock, Voyage, Ollama
    /model identifier is invalid|on-demand throughput isn't supported|\bmodel \S+ is not supported\. supported models|try pulling it first/,
  ],
  ['model.overloaded', /^(?:engine_)?overloaded_error$/, /^the model is overloaded|model is getting throttled/], // Anthropic, Moonshot, Gemini, Bedrock
  ['model.endpoint-wrong', /^$/, /no handler found on route/], // xAI
  // Fireworks and llama.cpp, with status 500; Xiaomi and OpenRouter, with 404
  [
    'model.request-refused',
    /^$/,
    /support image input|json schema|unrecognized schema|pars(?:e|ing) grammar|jinja exception|roles are supported/,
  ],
]

/** Returns what the vendor means; `undefined` when only the status says something. */
export function refusalKind({ status, words, message }: Refusal): HostErrorCode | undefined {
  if (isTooLong({ status, words, message })) return 'model.too-long'
  const codes = words.filter((word) => word !== '').map((word) => word.toLowerCase())
  const said = message.toLowerCase().replaceAll('’', "'")
  const known = kinds.find(([, code, wording]) => codes.some((one) => code.test(one)) || wording.test(said))
  return known?.[0] ?? (status === 402 ? 'model.no-credit' : undefined)
}

const sentences: Partial<Record<HostErrorCode, (name: string) => string>> = {
  'model.too-long': () => t`The conversation is longer than the model takes.`,
  'model.refused': (name) => t`${name} refused the content of this request.`,
  'model.no-credit': (name) => t`There is no credit left at ${name}.`,
  'model.tool-use-failed': () => t`The model’s tool call does not fit the tool.`,
  'model.region': (name) => t`${name} is not available in your region.`,
  'model.without-tools': () => t`This model takes no tools.`,
  'model.other-api': (name) => t`${name} offers this model only over another API.`,
  'model.not-for-chat': () => t`This model is not made for chat.`,
  'model.loading': (name) => t`${name} is still loading the model.`,
  'model.not-allowed': (name) => t`The account at ${name} does not allow this.`,
  'model.endpoint-wrong': (name) => t`Nothing was found at this address of ${name}.`,
  'model.overloaded': (name) => t`${name} is overloaded.`,
  'model.rate-limited': (name) => t`The rate limit of ${name} is reached.`,
  'model.key-refused': (name) => t`${name} refused the key.`,
  'model.key-missing': (name) => t`${name} requires a key.`,
  'model.unknown': (name) => t`${name} does not know this model.`,
  'model.server-error': (name) => t`${name} answered with an error.`,
}

/** Returns the host's sentence. `name`: the person's name of the provider. */
export const sentenceOf = (code: HostErrorCode, name: string): string => sentences[code]?.(name) ?? t`${name} refused the request.`

/** Numbers beside which a refusal names the size of the context. */
const sizes: readonly RegExp[] = [
  /maximum (?:context|prompt) length (?:is|of) (\d+)/, // DeepSeek, OpenRouter, vLLM, xAI
  /too large for model with (\d+) maximum context length/, // Mistral
  /tokens > (\d+) maximum/, // Anthropic
  /maximum number of tokens allowed \((\d+)\)/, // Gemini
  /loaded with context length of only (\d+)/, // LM Studio
  /limit for this model is (\d+) tokens/, // Cohere
  /must be <= (\d+)/, // Together
  /while limit is (\d+)/, // Cerebras
  /available context size \((\d+)/, // llama.cpp
  /exceeds the limit of (\d+)|max size: (\d+) tokens/, // GitHub
  /maximum sequence length for this model \(\d+ > (\d+)/, // watsonx
]

/** Returns the size of the model's context, in tokens, that a refusal for length names. */
export function contextNamedIn(message: string): number | undefined {
  const said = message.toLowerCase().replaceAll(/(\d),(?=\d{3})/g, '$1')
  const size = sizes.flatMap((one) => one.exec(said)?.slice(1).map(Number) ?? []).find((one) => one >= 256)
  return size
}
