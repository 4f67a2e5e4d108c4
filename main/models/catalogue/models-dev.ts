// The data of models.dev (its api.json) as our catalogue: the vendors that people use, and of each model what the host uses.

import { z } from 'zod'
import { ownMember } from '#app/json.ts'
import { type Effort, efforts } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'

/** Vendors and gateways that are kept, by their ids at models.dev. */
const kept = [
  ...['anthropic', 'openai', 'google', 'openrouter', 'deepseek', 'mistral', 'xai', 'groq', 'togetherai', 'fireworks-ai', 'cerebras'],
  ...['perplexity', 'moonshotai', 'moonshotai-cn', 'kimi-for-coding', 'zai', 'zai-coding-plan', 'zhipuai', 'alibaba', 'alibaba-cn'],
  ...['minimax', 'minimax-cn', 'nvidia', 'huggingface', 'azure', 'amazon-bedrock', 'google-vertex', 'vercel', 'cohere', 'deepinfra'],
  ...['github-models', 'ollama-cloud'],
]
/** Vendors whose price of 0 stands for a trial or a subscription. */
const unpriced = new Set(['nvidia', 'github-models', 'kimi-for-coding', 'zai-coding-plan', 'ollama-cloud'])
/** Models whose prices differ from the published ones: in a region of their own, or in yuan. */
const doubtfulPrices: Readonly<Record<string, RegExp>> = {
  'amazon-bedrock': /^(?!global\.).*anthropic\./,
  'google-vertex': /^claude/,
  'moonshotai-cn': /^/,
  'minimax-cn': /^/,
  zhipuai: /^/,
}

const amount = z.number().min(0)
const cost = z.object({ input: amount, output: amount, cache_read: amount.optional(), cache_write: amount.optional() })
const modelsDevModel = z.object({
  family: z.string().optional(),
  reasoning: z.boolean(),
  reasoning_options: z.array(z.object({ type: z.string(), values: z.array(z.string().nullable()).optional() })).optional(),
  tool_call: z.boolean(),
  structured_output: z.boolean().optional(),
  temperature: z.boolean().optional(),
  open_weights: z.boolean(),
  modalities: z.object({ input: z.array(z.string()), output: z.array(z.string()) }),
  limit: z.object({ context: amount, input: amount.optional(), output: amount }),
  cost: cost
    .extend({ tiers: z.array(cost.extend({ tier: z.object({ type: z.string().default('context'), size: z.number() }) })).optional() })
    .optional(),
  status: z.string().optional(),
})
const modelsDev = z.record(z.string(), z.object({ models: z.record(z.string(), z.unknown()) }))

const figures = z.array(z.number())
const catalogueEntry = z.object({
  /** Tokens of the whole context, of the longest request (where that is less) and of the longest answer. */
  context: z.number().optional(),
  input: z.number().optional(),
  output: z.number().optional(),
  /** Words of `image pdf tools reasoning structured open`; a word that is missing: it does not, or nobody says. */
  does: z.string().optional(),
  /** Whether the model refuses a temperature. */
  fixed: z.literal(true).optional(),
  efforts: z.string().optional(),
  /** Dollars for a million tokens: input, output, cache read, cache write. */
  price: figures.optional(),
  /** Prices of requests above a number of input tokens, which stands first. */
  above: z.array(figures).optional(),
  status: z.enum(['preview', 'deprecated']).optional(),
  chat: z.literal(false).optional(),
})
export type CatalogueEntry = z.infer<typeof catalogueEntry>
export const catalogueVendors = z.record(z.string(), z.record(z.string(), catalogueEntry))
export type CatalogueVendors = Readonly<z.infer<typeof catalogueVendors>>

/** @throws {ZodError} when it is not the data of models.dev; a single model that does not fit is left out */
export function fromModelsDev(data: unknown): CatalogueVendors {
  const vendors = modelsDev.parse(data)
  return Object.fromEntries(
    kept.flatMap((vendor) => {
      const models = Object.entries(vendors[vendor]?.models ?? {})
        .flatMap(([id, model]) => {
          const { data: read } = modelsDevModel.safeParse(model)
          return read ? [[id, entryOf(vendor, id, read)] as const] : []
        })
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
      return models.length === 0 ? [] : [[vendor, Object.fromEntries(models)]]
    }),
  )
}

/** Names of models that take or give something else than text. */
const otherWork =
  /embed|whisper|(^|[-/])tts|-tts|moderation|rerank|transcri|realtime|guard|safeguard|(^|[-/])bge-|ocr|captioner|(^|-)asr|livetranslate/i

function entryOf(vendor: string, id: string, model: z.infer<typeof modelsDevModel>): CatalogueEntry {
  const { limit, modalities, status } = model
  const chats = modalities.input.includes('text') && modalities.output.includes('text') && !otherWork.test(`${id} ${model.family ?? ''}`)
  if (!chats) return { chat: false }
  const does = [
    modalities.input.includes('image') && 'image',
    modalities.input.includes('pdf') && 'pdf',
    model.tool_call && 'tools',
    model.reasoning && 'reasoning',
    model.structured_output && 'structured',
    model.open_weights && 'open',
  ].filter((word) => typeof word === 'string')
  const { price, above } = pricesOf(vendor, id, model.cost)
  return {
    ...defined({
      context: limit.context || undefined,
      input: limit.input && limit.input < limit.context ? limit.input : undefined,
      // Some lists give the context where nobody has published a limit of the answer.
      output: limit.output && limit.output < limit.context ? limit.output : undefined,
      does: does.join(' ') || undefined,
      fixed: model.temperature === false ? (true as const) : undefined,
      efforts: effortsOf(model)?.join(' '),
      price,
      above,
      status: status === 'deprecated' ? ('deprecated' as const) : status ? ('preview' as const) : undefined,
    }),
  }
}

/** Efforts of a model; undefined where it is governed by something else (a budget, a switch), or nothing is known. */
function effortsOf({ reasoning, reasoning_options: options }: z.infer<typeof modelsDevModel>): readonly Effort[] | undefined {
  if (!reasoning) return []
  const named = options?.find(({ type }) => type === 'effort')?.values
  const known = named && efforts.filter((effort) => named.includes(effort))
  return known && known.length > 0 ? known : undefined
}

function pricesOf(vendor: string, id: string, of: z.infer<typeof modelsDevModel>['cost']): Pick<CatalogueEntry, 'price' | 'above'> {
  if (!of || ownMember(doubtfulPrices, vendor)?.test(id) || (unpriced.has(vendor) && of.input === 0 && of.output === 0)) return {}
  const tiers = of.tiers ?? []
  const simple = tiers.length > 0 && tiers.every(({ tier }) => tier.type === 'context')
  const above = simple ? tiers.map((tier) => [tier.tier.size, ...row(tier)]).toSorted(([a = 0], [b = 0]) => a - b) : undefined
  return { price: row(of), ...defined({ above }) }
}

/** A price in a row; a cache price that is missing before one that is known is the input's. */
function row({ input, output, cache_read: read, cache_write: write }: z.infer<typeof cost>): number[] {
  const last = write === undefined ? [] : [write]
  return [input, output, ...(read === undefined ? (write === undefined ? [] : [input]) : [read]), ...last]
}
