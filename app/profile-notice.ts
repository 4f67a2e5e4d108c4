import { z } from 'zod'
import { errorValue } from './errors.ts'
import { budgetUsage } from './models/usage.ts'
import { configProblem } from './server/definition.ts'
import { signedReport } from './signed-state.ts'

/** Notice about the whole profile, shown until it is fixed. */
export const profileNotice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('config'), problems: z.array(configProblem) }),
  /** Error such as a full disk. */
  z.object({ kind: z.literal('error'), error: errorValue }),
  /** Monthly budget that is nearly used up, or exceeded. */
  budgetUsage.extend({ kind: z.literal('budget') }),
  /** Signed permissions that do not count, or that were signed for the first time. */
  signedReport.extend({ kind: z.literal('permissions') }),
  /** No keyring: keys are kept for this run only. */
  z.object({ kind: z.literal('secrets-in-memory') }),
])
export type ProfileNotice = z.infer<typeof profileNotice>
