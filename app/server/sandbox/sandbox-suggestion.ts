// A suggested grant, as the card of a launch shows it. Apart from what finds suggestions, which the contract does not need.
import { z } from 'zod'
import { noGrants, type SandboxGrants } from './sandbox-settings.ts'

/**
 * Source of a suggestion. `argument`: a path among the arguments. `url`, `variable`: an address among the arguments, or in a variable.
 * `known-server`: the shipped list. `install`: the registry of its package.
 */
const suggestionReason = z.enum(['argument', 'url', 'variable', 'known-server', 'install'])

export const sandboxSuggestion = z.object({
  list: z.enum(['read', 'write', 'hosts']),
  value: z.string(),
  reason: suggestionReason,
  /** Place of secrets: shown, and granted only where the person adds it. */
  review: z.literal(true).optional(),
})
export type SandboxSuggestion = z.infer<typeof sandboxSuggestion>

/** The grants that suggestions stand for: all but those that need a review. */
export const grantsOf = (suggestions: readonly SandboxSuggestion[]): SandboxGrants => {
  const values = (list: SandboxSuggestion['list']): string[] =>
    suggestions.flatMap((one) => (one.list === list && one.review === undefined ? [one.value] : []))
  return { ...noGrants, read: values('read'), write: values('write'), hosts: values('hosts') }
}
