import { z } from 'zod'
import { errorValue } from '../errors.ts'
import { endpointFormats } from './presets.ts'
import { price } from './usage.ts'

/** Effort of thinking, least first. `none`: disabled, where possible. */
export const efforts = ['none', 'low', 'medium', 'high', 'xhigh', 'max'] as const
const effort = z.enum(efforts)
export type Effort = z.infer<typeof effort>

export const longestSystemPrompt = 100_000

/** Parameters of model requests; absent: the model's default. */
export const chatParameters = z.object({
  /** System prompt of the person, before any server instructions. */
  systemPrompt: z.string().max(longestSystemPrompt).optional(),
  temperature: z.number().min(0).max(2).optional(),
  /** Most tokens of one answer. */
  maxTokens: z.number().int().min(1).max(10_000_000).optional(),
  effort: effort.optional(),
  /** Whether the provider may search the web, where it offers that. */
  webSearch: z.literal(true).optional(),
})
export type ChatParameters = z.infer<typeof chatParameters>

/** Drops blank parameters; undefined: none is left. */
export function setParameters(parameters: ChatParameters): ChatParameters | undefined {
  const set = Object.entries(parameters).filter(([, value]) => value !== undefined && !(typeof value === 'string' && value.trim() === ''))
  return set.length === 0 ? undefined : (Object.fromEntries(set) as ChatParameters)
}

/** Nearest supported effort up to the requested one, else the least; undefined: none is supported. */
export function nearestEffort(asked: Effort, known: readonly Effort[]): Effort | undefined {
  const level = efforts.indexOf(asked)
  const inOrder = known.toSorted((a, b) => efforts.indexOf(a) - efforts.indexOf(b))
  return inOrder.findLast((one) => efforts.indexOf(one) <= level) ?? inOrder[0]
}

/** Provider: `anthropic`, `practice`, or the id of an endpoint. */
export const providerId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
export type ProviderId = z.infer<typeof providerId>

export const modelInfo = z.object({
  /** Id used outside of the provider: `<provider>/<model>`. */
  id: z.string(),
  provider: providerId,
  name: z.string(),
  contextTokens: z.number().int().optional(),
  /** Longest request, where that is less than the context. */
  maxInputTokens: z.number().int().optional(),
  maxOutputTokens: z.number().int().optional(),
  /** Whether it accepts images. Absent: unknown. */
  images: z.boolean().optional(),
  /** Whether it calls tools. Absent: unknown. */
  tools: z.boolean().optional(),
  /** Whether it makes images. Absent: no, or unknown. */
  makesImages: z.boolean().optional(),
  webSearch: z.boolean().optional(),
  /** Whether the provider searches deferred tools itself. */
  toolSearch: z.boolean().optional(),
  /** Takes PDFs. Absent: not known. */
  documents: z.boolean().optional(),
  /** Whether thinking is on by default and can be disabled. */
  thinkingOff: z.boolean().optional(),
  /** Thinking control: adaptive, or a token budget. Absent: none, or unknown. */
  thinks: z.enum(['adaptive', 'budget']).optional(),
  efforts: z.array(effort).optional(),
  /** Whether it thinks before it answers, and whether it answers in a given JSON schema. Absent: unknown. */
  reasoning: z.boolean().optional(),
  structuredOutput: z.boolean().optional(),
  /** False: it refuses a temperature. */
  temperature: z.boolean().optional(),
  price: price.optional(),
  /**
   * Facts of a model of Ollama, which is asked for a context of `contextTokens`, at most `most`. `bytes`: size of its files. `cloud`: it runs
   * at ollama.com, with a context of its own.
   */
  ollama: z
    .object({ digest: z.string(), bytes: z.number(), most: z.number().int().optional(), cloud: z.literal(true).optional() })
    .optional(),
  status: z.enum(['preview', 'deprecated']).optional(),
  /** False: it gives embeddings, images or speech, and no menu shows it. */
  chat: z.boolean().optional(),
  /** False for the practice model, which says so wherever it is shown. */
  ai: z.boolean(),
})
export type ModelInfo = z.infer<typeof modelInfo>

/** Whether a request can set the temperature; Anthropic's API has dropped it. */
export const takesTemperature = (provider: ProviderId): boolean => provider !== 'anthropic' && provider !== 'practice'

/** Efforts to choose from; for endpoints without a list those that all accept. */
export function effortsOf({ provider, efforts }: Pick<ModelInfo, 'provider' | 'efforts'>): readonly Effort[] {
  if (provider === 'practice') return []
  return efforts ?? ['low', 'medium', 'high']
}

/** Traits of models from 0 to 1, by family. */
const families = [
  [/haiku|small|mini|nano|flash|lite/i, { cheap: 1, fast: 1, able: 0 }],
  [/opus|large|ultra/i, { cheap: 0, fast: 0, able: 1 }],
] as const

/** Traits of a model: provider lists name neither cost nor speed. Unknown families are in the middle. */
export const modelTraits = ({ id, name }: Pick<ModelInfo, 'id' | 'name'>) =>
  families.find(([family]) => family.test(`${id} ${name}`))?.[1] ?? { cheap: 0.5, fast: 0.5, able: 0.5 }

export const providerSummary = z.object({
  id: providerId,
  name: z.string(),
  /** `environment`: from ANTHROPIC_API_KEY; `memory`: kept for this run only, since there is no keyring. */
  key: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('not-needed') }),
    z.object({ kind: z.literal('missing') }),
    z.object({
      kind: z.literal('set'),
      hint: z.string(),
      source: z.enum(['keyring', 'memory', 'environment']),
      checkedAt: z.number().optional(),
    }),
  ]),
  baseUrl: z.string().optional(),
  error: errorValue.optional(),
  modelCount: z.number().int(),
  /** Endpoint: `added` by the person, or `local`: found on this computer. */
  endpoint: z.enum(['added', 'local']).optional(),
  format: z.enum(endpointFormats).optional(),
  /** Extra headers; values that look secret are ''. */
  headers: z.record(z.string(), z.string()).optional(),
  query: z.record(z.string(), z.string()).optional(),
  /** Environment variable of the key. */
  keyEnv: z.string().optional(),
  /** Whether it is Ollama, which pulls models. */
  ollama: z.boolean().optional(),
})
export type ProviderSummary = z.infer<typeof providerSummary>

/** Download of a model by Ollama, in bytes; `total` 0: not known yet. `error`: it failed and has ended. */
export const modelPull = z.object({
  endpoint: providerId,
  model: z.string(),
  completed: z.number(),
  total: z.number(),
  error: errorValue.optional(),
})
export type ModelPull = z.infer<typeof modelPull>

/** Name of a model that Ollama can pull: `name`, `name:tag`, `user/name`, `host/user/name:tag`. */
export const pullableName = /^[\w.-]+(?:\/[\w.-]+){0,3}(?::[\w.-]+)?$/

/** Address from which the catalogue of models is fetched, on request only. */
export const catalogueAddress = 'https://models.dev/api.json'
