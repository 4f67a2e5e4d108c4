import { z } from 'zod'
import { budgetUse } from './chat/usage.ts'
import { errorValue } from './errors.ts'
import { configProblem } from './server/definition.ts'

/** Something about the profile as a whole that the person should know, shown until it is mended. */
export const notice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('config'), problems: z.array(configProblem) }),
  /** e.g. disk full: what was not written. */
  z.object({ kind: z.literal('error'), error: errorValue }),
  /** The month's budget for models is nearly used, or more than that. */
  budgetUse.extend({ kind: z.literal('budget') }),
  /** There is no keyring: keys are kept for this run only. */
  z.object({ kind: z.literal('secrets-in-memory') }),
])
export type Notice = z.infer<typeof notice>
