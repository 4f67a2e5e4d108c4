import { z } from 'zod'
import { errorValue } from './errors.ts'
import { budgetUsage } from './models/usage.ts'
import { configProblem } from './server/definition.ts'

/** Something about the profile as a whole that the person should know, shown until it is mended. */
export const profileNotice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('config'), problems: z.array(configProblem) }),
  /** e.g. disk full: what was not written. */
  z.object({ kind: z.literal('error'), error: errorValue }),
  /** The month's budget for models is nearly used, or more than that. */
  budgetUsage.extend({ kind: z.literal('budget') }),
  /** There is no keyring: keys are kept for this run only. */
  z.object({ kind: z.literal('secrets-in-memory') }),
])
export type ProfileNotice = z.infer<typeof profileNotice>
