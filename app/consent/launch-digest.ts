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

type DigestComparison =
  | { readonly kind: 'same' }
  /** Nothing was bound under this key: it is honoured, and bound from now on. */
  | { readonly kind: 'unbound' }
  | { readonly kind: 'changed'; readonly names: readonly string[] }
  /** They are bound, and the key that could tell is not there. */
  | { readonly kind: 'unknown' }

/**
 * `before`: one for each key, since the desktop app and the command line each have a secret store with a key of its own.
 * `now` undefined: no key could be had.
 */
export function compareDigests(before: readonly LaunchDigest[], now: LaunchDigest | undefined): DigestComparison {
  if (now === undefined) return { kind: before.some(({ kept }) => kept === 'keyring') ? 'unknown' : 'unbound' }
  const mine = before.find(({ key }) => key === now.key)
  const other = mine ?? before.at(-1)
  if (other === undefined) return { kind: 'unbound' }
  // Which values there are can be told under any key, also where there are none and so no key.
  const isChanged = (name: string): boolean =>
    Object.hasOwn(other.values, name) !== Object.hasOwn(now.values, name) || (mine !== undefined && mine.values[name] !== now.values[name])
  const names = [...new Set([...Object.keys(other.values), ...Object.keys(now.values)])]
  const changed = names.filter(isChanged).sort((a, b) => (a < b ? -1 : 1))
  if (changed.length > 0) return { kind: 'changed', names: changed }
  return { kind: mine === undefined && names.length > 0 ? 'unbound' : 'same' }
}

const maxKeys = 4

/** With one more key that they are bound under. Keys of runs that are over are of no use. */
export const addDigest = (before: readonly LaunchDigest[], now: LaunchDigest | undefined): LaunchDigest[] =>
  now === undefined ? [...before] : [...before.filter(({ kept, key }) => kept === 'keyring' && key !== now.key), now].slice(-maxKeys)
