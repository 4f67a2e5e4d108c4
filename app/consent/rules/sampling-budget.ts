// How much a server may have of the person's model (MCP, "Sampling"): a budget of tokens a day, and what a rule answers
// in the person's place. Tokens are those of prompts and answers together; a day is one of this computer's calendar.
import { z } from 'zod'

const tokensPerDay = z.number().int().min(1).max(1_000_000_000)

export const samplingBudget = z.object({
  tokensPerDay,
  /** Of a request that would go beyond it. Either way no rule allows it. */
  over: z.enum(['ask', 'refuse']),
})
export type SamplingBudget = z.infer<typeof samplingBudget>
export const defaultSamplingBudget: SamplingBudget = { tokensPerDay: 20_000, over: 'ask' }

/** `used`: today, with what is held back for answers that are being written. */
export const samplingDay = z.object({ used: z.number().int().nonnegative(), budget: samplingBudget })
export type SamplingDay = z.infer<typeof samplingDay>

/** What makes a rule speak of sampling, and of no tool. */
export const samplingTerms = z.object({
  /** `requests`: prompt and answer go unseen; `answers`: prompts are shown, answers are handed over. */
  step: z.enum(['requests', 'answers']),
  /** Of an approval: it counts while the server's day stays within. */
  tokensPerDay: tokensPerDay.optional(),
  /** Of an approval: it counts also while the person does not trust the server. */
  untrusted: z.literal(true).optional(),
})
export type SamplingTerms = z.infer<typeof samplingTerms>
