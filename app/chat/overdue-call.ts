// A call that has given no word for its time, as it stands among what waits for the person: it is no question of a server,
// and nothing is allowed by an answer to it.
import { z } from 'zod'
import { t } from '../i18n/translate.ts'
import { stripHidden } from '../text/hidden-characters.ts'

export const overdueCall = z.object({
  conversationId: z.string(),
  callId: z.string(),
  server: z.string(),
  tool: z.string(),
  /** There was no word since. Times of the host. */
  since: z.number(),
  /** It ends then, unless the person waits (`chat.waitForCall`). */
  endsAt: z.number(),
})
export type OverdueCall = z.infer<typeof overdueCall>

/** In one line, without the server's own words. */
export const overdueSentence = ({ server }: Pick<OverdueCall, 'server'>): string => t`A call of “${stripHidden(server)}” is still running`
