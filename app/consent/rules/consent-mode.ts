// Consent modes of a conversation. None allows a call that changes something unless a rule does.
import { z } from 'zod'

/**
 * Consent mode. `rules`: rules answer, the rest is asked. `ask-all`: what would be allowed is asked too. `ask-writes`: read-only
 * tools of trusted servers run, the rest as in `rules`. `rules-only`: what would be asked is denied. A deny rule wins in each.
 */
export const consentMode = z.enum(['rules', 'ask-all', 'ask-writes', 'rules-only'])
export type ConsentMode = z.infer<typeof consentMode>
