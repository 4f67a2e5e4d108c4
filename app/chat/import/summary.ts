import { z } from 'zod'

export const importSummary = z.object({
  /** New ones: found when it is a preview, else kept. */
  conversations: z.number().int(),
  messages: z.number().int(),
  /** Imported before, or the profile's own. */
  already: z.number().int(),
  /** Left out; `faults` names the first of them. */
  broken: z.number().int(),
  faults: z.array(z.object({ name: z.string(), reason: z.string() })),
  sources: z.array(z.enum(['assent', 'claude', 'chatgpt'])),
  /** The file ends in the midst of a conversation. */
  cut: z.boolean(),
})
export type ImportSummary = z.infer<typeof importSummary>
