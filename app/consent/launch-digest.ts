// What an approved launch was given, without telling it: each value of a variable or header as a digest under a key that
// the secret store keeps. Pure; the digests are made in main/consent.
import { z } from 'zod'

export const launchDigest = z.object({
  /** Which key they were made with; it says nothing about the key. */
  key: z.string(),
  /** `memory`: the key is gone with its run, and nothing can be compared after it. */
  kept: z.enum(['keyring', 'memory']),
  /** By name of the variable or header. */
  values: z.record(z.string(), z.string()),
})
export type LaunchDigest = z.infer<typeof launchDigest>

export type DigestComparison =
  | { readonly kind: 'same' }
  /** The approval is of a version, or a run, that could not bind values: it is honoured, and bound from now on. */
  | { readonly kind: 'unbound' }
  | { readonly kind: 'changed'; readonly names: readonly string[] }
  /** They were bound to a key that is not there any more. */
  | { readonly kind: 'unknown' }

/** `now` undefined: no key could be had. */
export function compareDigests(before: LaunchDigest | undefined, now: LaunchDigest | undefined): DigestComparison {
  if (before === undefined) return { kind: 'unbound' }
  if (now === undefined || before.key !== now.key) return { kind: before.kept === 'memory' ? 'unbound' : 'unknown' }
  const names = new Set([...Object.keys(before.values), ...Object.keys(now.values)])
  const changed = [...names].filter((name) => before.values[name] !== now.values[name]).sort((a, b) => (a < b ? -1 : 1))
  return changed.length === 0 ? { kind: 'same' } : { kind: 'changed', names: changed }
}
