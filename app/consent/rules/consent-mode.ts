// How a conversation asks. None of the modes allows a call that changes something and that no rule names.
import { z } from 'zod'

/**
 * `rules`: what the rules answer is answered, the rest is asked. `ask-all`: what would be allowed is asked too.
 * `ask-writes`: read-only tools of trusted servers run, the rest as in `rules`. `rules-only`: what would be asked is denied.
 * What a rule denies is denied in each.
 */
export const consentMode = z.enum(['rules', 'ask-all', 'ask-writes', 'rules-only'])
export type ConsentMode = z.infer<typeof consentMode>
