import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import type { SettingsStore } from '#main/store/store-api.ts'
import type { ModelEvent } from './provider.ts'

// Recognises an API's refusal of a request for its length. Few APIs have a code for it, so this is the one place where the wording of an
// API decides (decision 0024). Rate limits ("tokens per minute") and limits of the answer (`max_tokens`) are other errors.

/** Error codes. Mistral's 3051 is not among them: it stands for any wrong argument. */
const codes: ReadonlySet<string> = new Set([
  'context_length_exceeded', // OpenAI, Groq, Cerebras
  'exceed_context_size_error', // llama.cpp
  'too_many_prompt_tokens', // Perplexity
  'too_many_tokens', // Cohere
  'request_body_too_large_after_decoding', // Anthropic
  '1261', // Zhipu
])

const sentences: readonly RegExp[] = [
  /maximum (?:context|prompt) length (?:is|of) \d/, // OpenAI, DeepSeek, OpenRouter, vLLM, xAI
  /too large for model with \d+ maximum context length/, // Mistral
  /exceeds? (?:the |this )?(?:model's )?(?:available |maximum )?context (?:window|size|length|limit)/, // OpenAI, llama.cpp, Anthropic
  /exceeded max context length/, // Ollama
  /prompt is too long/, // Anthropic
  /total length of all messages is too long/, // Perplexity
  /input token count .{0,40}exceeds the maximum number of tokens/, // Gemini
  /model is loaded with context length of only/, // LM Studio
  /greater than the context length|n_keep .{0,20}>= n_ctx/, // LM Studio
  /longer than the (?:model's context|context|specified maximum sequence) length/, // Together, Ollama, watsonx
  /`inputs` tokens \+ `max_new_tokens` must be <=/, // Together, text-generation-inference
  /too many tokens: (?:size limit|total number of tokens)/, // Cohere
  /please reduce the length of the (?:messages|input)/, // Groq, Cerebras
  /exceeded model token limit/, // Kimi
  /input is too long for requested model|input tokens exceeded/, // Bedrock
  /prompt exceeds max length/, // Zhipu
  /range of input length should be/, // Qwen
  /prompt_tokens \(\d+\) must be less than max_seq_len/, // SiliconFlow
  /context window exceeds limit/, // MiniMax
  /prompt token count of \d+ exceeds the limit/, // GitHub
  /input length \d+ exceeds (?:the )?maximum/, // NVIDIA
]

const ofTime = /per (?:second|min|minute|hour|day)\b|\b[tr]p[md]\b|rate.?limit|quota|throttl|too many requests|please wait/
const ofAnswer =
  /max_(?:completion_)?tokens'? (?:or '[a-z_]+' )?is too large|maximum allowed number of output tokens|completion tokens, whereas/

/** `status`: of HTTP; `undefined` within a stream. `words`: codes and types of the body. */
export function isTooLong(refusal: {
  readonly status: number | undefined
  readonly words: readonly string[]
  readonly message: string
}): boolean {
  const { status, words, message } = refusal
  const said = message.toLowerCase().replaceAll('’', "'")
  if (status === 429 || words.some((word) => ofTime.test(word.toLowerCase())) || ofTime.test(said)) return false
  if (status === 413 || words.some((word) => codes.has(word.toLowerCase()))) return true
  const mayBe = status === undefined || status === 400 || status === 422 || status >= 500
  return mayBe && !ofAnswer.test(said) && sentences.some((sentence) => sentence.test(said))
}

// Sizes of contexts that refusals named, for models whose list names none. Remembered between runs: the next conversation is compacted
// before the limit. A later refusal that names another size replaces it.
const FACT = 'models/learnt-contexts'
/** Models in the store; the ones learnt first are forgotten first. */
const MOST = 200
const kept = z.array(z.tuple([z.string(), z.number().int().positive()]))

export function learntContexts(settings: Pick<SettingsStore, 'fact' | 'setFact'>, changed: () => void) {
  const sizes = new Map(kept.safeParse(settings.fact(FACT)).data ?? [])

  function learn(modelId: string, error: unknown): void {
    const tokens = error instanceof HostError && error.code === 'model.too-long' ? error.data['contextTokens'] : undefined
    if (typeof tokens !== 'number' || sizes.get(modelId) === tokens) return
    sizes.delete(modelId)
    sizes.set(modelId, tokens)
    settings.setFact(FACT, [...sizes].slice(-MOST))
    changed()
  }

  return {
    /** Returns the model with the learnt size where its list names none. */
    withSize: (model: ModelInfo): ModelInfo => ({ ...defined({ contextTokens: sizes.get(model.id) }), ...model }),
    /** Passes the events on, and learns from the error that ends them. */
    async *learning(modelId: string, events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
      try {
        yield* events
      } catch (error) {
        learn(modelId, error)
        throw error
      }
    },
  }
}
