// A call without progress for its period, listed with what waits for the person. To wait for it allows nothing.
import { z } from 'zod'
import { t } from '../i18n/translate.ts'
import { stripHidden } from '../text/hidden-characters.ts'

export const overdueCall = z.object({
  conversationId: z.string(),
  callId: z.string(),
  server: z.string(),
  tool: z.string(),
  /** Time since which there was no progress, by the host's clock. */
  since: z.number(),
  /** Time at which it is cancelled unless the person waits (`chat.waitForCall`). */
  endsAt: z.number(),
})
export type OverdueCall = z.infer<typeof overdueCall>

/** Describes it in one line, without server text. */
export const overdueSentence = ({ server }: Pick<OverdueCall, 'server'>): string => t`A call of “${stripHidden(server)}” is still running`
