// How long an answer counts, and what for: what the person picks on a card, as it is sent. Pure.
import type { ConsentScope } from '#app/consent/request.ts'
import type { RuleTerms } from '#app/consent/rule.ts'

/** `narrow`: for good, but only for calls like this one. */
export type Choice = 'once' | 'conversation' | 'narrow' | 'always'
export type Lasting = 'revoked' | 'hour' | 'day' | 'month'

export interface RuleChoice {
  readonly choice: Choice
  readonly lasting: Lasting
  /** Another folder than the offered one, by argument. */
  readonly folders: Readonly<Record<string, string>>
}
export const onceOnly: RuleChoice = { choice: 'once', lasting: 'revoked', folders: {} }

const HOUR = 3_600_000
export const lastingMs: Record<Exclude<Lasting, 'revoked'>, number> = { hour: HOUR, day: 24 * HOUR, month: 30 * 24 * HOUR }

/** What is never to run does not become allowed by one argument more. */
export const forRefusal = ({ onlyArguments: _, ...offer }: RuleTerms): RuleTerms => offer

/** The offer with the folders that the person chose. */
export const chosenTerms = (offer: RuleTerms, { folders }: RuleChoice): RuleTerms => ({
  ...offer,
  conditions: (offer.conditions ?? []).map((one) =>
    one.kind === 'path-inside' ? { ...one, folder: folders[one.argument] ?? one.folder } : one,
  ),
})

export function scopeOf(
  chosen: RuleChoice,
  offer: RuleTerms | undefined,
  now: number,
): { readonly scope: ConsentScope; readonly terms?: RuleTerms } {
  const { choice, lasting } = chosen
  if (choice === 'once' || choice === 'conversation') return { scope: choice }
  const terms = {
    ...(choice === 'narrow' && offer ? chosenTerms(offer, chosen) : {}),
    ...(lasting === 'revoked' ? {} : { expiresAt: now + lastingMs[lasting] }),
  }
  return { scope: 'always', ...(Object.keys(terms).length > 0 ? { terms } : {}) }
}
