import { z } from 'zod'
import { errorValue } from '../errors.ts'
import { price } from './usage.ts'

// What a conversation tells its model beside the words: whose absence means "as the model does by itself".

/** How much the model may think before it answers, the least first. `none`: not at all, where it can be told so. */
export const efforts = ['none', 'low', 'medium', 'high', 'xhigh', 'max'] as const
const effort = z.enum(efforts)
export type Effort = z.infer<typeof effort>

export const longestSystemPrompt = 100_000

export const chatParameters = z.object({
  /** The person's own words to the model, before anything a server says. */
  systemPrompt: z.string().max(longestSystemPrompt).optional(),
  temperature: z.number().min(0).max(2).optional(),
  /** Of one answer. */
  maxTokens: z.number().int().min(1).max(10_000_000).optional(),
  effort: effort.optional(),
})
export type ChatParameters = z.infer<typeof chatParameters>

/** Without what is blank; undefined: nothing is left. */
export function setParameters(parameters: ChatParameters): ChatParameters | undefined {
  const set = Object.entries(parameters).filter(([, value]) => value !== undefined && !(typeof value === 'string' && value.trim() === ''))
  return set.length === 0 ? undefined : (Object.fromEntries(set) as ChatParameters)
}

/** The most of what a model knows that is no more than what was asked for, else the least it knows; undefined: it knows none. */
export function nearestEffort(asked: Effort, known: readonly Effort[]): Effort | undefined {
  const level = efforts.indexOf(asked)
  const inOrder = known.toSorted((a, b) => efforts.indexOf(a) - efforts.indexOf(b))
  return inOrder.findLast((one) => efforts.indexOf(one) <= level) ?? inOrder[0]
}

/** `anthropic`, `practice`, or that of an endpoint which speaks OpenAI's format. */
export const providerId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
export type ProviderId = z.infer<typeof providerId>

export const modelInfo = z.object({
  /** `<provider>/<model>`, the id used everywhere outside the provider. */
  id: z.string(),
  provider: providerId,
  name: z.string(),
  contextTokens: z.number().int().optional(),
  maxOutputTokens: z.number().int().optional(),
  /** Absent: not known. */
  images: z.boolean().optional(),
  /** Absent: not known. */
  tools: z.boolean().optional(),
  /** Its provider searches tools itself whose definitions are held back. */
  toolSearch: z.boolean().optional(),
  /** Takes PDFs. Absent: not known. */
  documents: z.boolean().optional(),
  /** It thinks unless it is told not to, and can be told. */
  thinkingOff: z.boolean().optional(),
  /** How it is told to think: as much as it likes, or within a number of tokens. Absent: not at all, or not known. */
  thinks: z.enum(['adaptive', 'budget']).optional(),
  /** Levels of effort that it knows; absent: not known. */
  efforts: z.array(effort).optional(),
  /** As its provider's list says. Absent: not known. */
  price: price.optional(),
  /** false for the practice model: it says so wherever it is shown. */
  ai: z.boolean(),
})
export type ModelInfo = z.infer<typeof modelInfo>

/** Whether a request to it can say how freely the model is to choose its words. Anthropic's API has dropped it. */
export const takesTemperature = (provider: ProviderId): boolean => provider !== 'anthropic' && provider !== 'practice'

/** Levels of effort that a person can choose for it. An endpoint's models may each know others: these every such endpoint names. */
export function effortsOf({ provider, efforts }: Pick<ModelInfo, 'provider' | 'efforts'>): readonly Effort[] {
  if (provider === 'practice') return []
  return efforts ?? ['low', 'medium', 'high']
}

/** From 0 to 1, as far as families of models are known to differ. */
interface ModelTraits {
  readonly cheap: number
  readonly fast: number
  readonly able: number
}

const families: readonly (readonly [RegExp, ModelTraits])[] = [
  [/haiku|small|mini|nano|flash|lite/i, { cheap: 1, fast: 1, able: 0 }],
  [/opus|large|ultra/i, { cheap: 0, fast: 0, able: 1 }],
]

/** No provider's list says what a model costs or how fast it is; what is of no known family stands in the middle. */
export const modelTraits = ({ id, name }: Pick<ModelInfo, 'id' | 'name'>): ModelTraits =>
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
  /** It speaks OpenAI's format: `added` by the person, or `local`: found on this computer by itself. */
  endpoint: z.enum(['added', 'local']).optional(),
})
export type ProviderSummary = z.infer<typeof providerSummary>
