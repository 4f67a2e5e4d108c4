import { z } from 'zod'
import { errorValue } from './errors.ts'
import { budgetUsage } from './models/usage.ts'
import { configProblem } from './server/definition.ts'
import { signedReport } from './signed-state.ts'

/** State of the installed app's update. */
const updateState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off'), by: z.enum(['setting', 'policy']) }),
  /** Installation that does not update itself. */
  z.object({ kind: z.literal('manual'), format: z.enum(['package', 'snap', 'portable', 'read-only', 'unsigned', 'checkout']) }),
  /** `checkedAt`: milliseconds since the epoch. */
  z.object({ kind: z.literal('none'), checkedAt: z.number().optional() }),
  z.object({ kind: z.literal('checking') }),
  /** `notes`: Markdown of whoever published the release. */
  z.object({ kind: z.literal('available'), version: z.string(), notes: z.string() }),
  z.object({ kind: z.literal('downloading'), version: z.string(), percent: z.number() }),
  /** Downloaded and verified. */
  z.object({ kind: z.literal('ready'), version: z.string(), notes: z.string() }),
  z.object({ kind: z.literal('failed'), version: z.string().optional(), error: errorValue }),
])
export type UpdateState = z.infer<typeof updateState>

export const updateAction = z.enum(['check', 'download', 'cancel', 'restart'])
export type UpdateAction = z.infer<typeof updateAction>

/** Notice about the whole profile, shown until it is fixed. */
export const profileNotice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('config'), problems: z.array(configProblem) }),
  /** Error such as a full disk. */
  z.object({ kind: z.literal('error'), error: errorValue }),
  /** Monthly budget that is nearly used up, or exceeded. */
  budgetUsage.extend({ kind: z.literal('budget') }),
  /** Signed permissions that do not count, or that were signed for the first time. */
  signedReport.extend({ kind: z.literal('permissions') }),
  /** Safe start: a run without servers and MCP Apps, with default settings. */
  z.object({ kind: z.literal('safe-start') }),
  /** No keyring: keys are kept for this run only. */
  z.object({ kind: z.literal('secrets-in-memory') }),
  z.object({ kind: z.literal('update'), update: updateState }),
])
export type ProfileNotice = z.infer<typeof profileNotice>
