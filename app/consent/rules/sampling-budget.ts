// Sampling budget of a server (MCP, "Sampling"): tokens a day, of prompts and answers together, and the terms of sampling rules. A
// day is one of this computer's calendar.
import { z } from 'zod'

const tokensPerDay = z.number().int().min(1).max(1_000_000_000)

export const samplingBudget = z.object({
  tokensPerDay,
  /** Reaction to a request beyond it. No rule allows one. */
  over: z.enum(['ask', 'refuse']),
})
export type SamplingBudget = z.infer<typeof samplingBudget>
export const defaultSamplingBudget: SamplingBudget = { tokensPerDay: 20_000, over: 'ask' }

/** Usage of today. `used`: includes tokens reserved for answers under way. */
export const samplingDay = z.object({ used: z.number().int().nonnegative(), budget: samplingBudget })
export type SamplingDay = z.infer<typeof samplingDay>

export const samplingTerms = z.object({
  /** `requests`: prompt and answer pass unseen; `answers`: prompts are shown, answers pass. */
  step: z.enum(['requests', 'answers']),
  /** Daily tokens of the server up to which an approval holds. */
  tokensPerDay: tokensPerDay.optional(),
  /** Whether an approval holds for an untrusted server too. */
  untrusted: z.literal(true).optional(),
})
export type SamplingTerms = z.infer<typeof samplingTerms>
