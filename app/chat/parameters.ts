// What a conversation tells its model beside the words: whose absence means "as the model does by itself".
import { z } from 'zod'

/** How much the model may think before it answers, the least first. `none`: not at all, where it can be told so. */
export const efforts = ['none', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export const effort = z.enum(efforts)
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
