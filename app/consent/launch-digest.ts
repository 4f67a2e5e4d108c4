// Values of an approved launch, without revealing them: the target with its secrets masked, and keyed digests of variables and headers.
// The key is in the secret store. Pure; main/consent makes the digests.
import { z } from 'zod'
import { mapOf } from '../json-schemas.ts'
import { maskArgs, maskUrl, maskVariable } from '../text/secret-names.ts'
import type { LaunchTarget } from './request.ts'

export const launchDigest = z.object({
  /** Id of the key; it reveals nothing about it. */
  key: z.string(),
  /** `memory`: the key is lost with the run, and nothing compares after it. */
  kept: z.enum(['keyring', 'memory']),
  values: mapOf(z.string()),
})
export type LaunchDigest = z.infer<typeof launchDigest>

type DigestComparison =
  | { readonly kind: 'same' }
  /** No digest under this key: accepted, and bound from now on. */
  | { readonly kind: 'unbound' }
  | { readonly kind: 'changed'; readonly names: readonly string[] }
  /** Bound, but the key is unavailable. */
  | { readonly kind: 'unknown' }

/** Values of inputs go by their reference, which no header and hardly a variable is named like. Approvals of before did not bind them. */
const isInput = (name: string): boolean => name.startsWith('${input:')

/** Compares digests. `before`: one for each key (desktop app and command line have their own). `now` undefined: no key is available. */
export function compareDigests(before: readonly LaunchDigest[], now: LaunchDigest | undefined): DigestComparison {
  if (now === undefined) return { kind: before.some(({ kept }) => kept === 'keyring') ? 'unknown' : 'unbound' }
  const mine = before.find(({ key }) => key === now.key)
  const other = mine ?? before.at(-1)
  if (other === undefined) return { kind: 'unbound' }
  // The names of values compare under any key, also where there are none.
  const isChanged = (name: string): boolean =>
    Object.hasOwn(other.values, name) !== Object.hasOwn(now.values, name) || (mine !== undefined && mine.values[name] !== now.values[name])
  const names = [...new Set([...Object.keys(other.values), ...Object.keys(now.values)])]
  const isUnbound = (name: string): boolean => isInput(name) && !Object.hasOwn(other.values, name)
  const changed = names.filter((name) => !isUnbound(name) && isChanged(name)).sort((a, b) => (a < b ? -1 : 1))
  if (changed.length > 0) return { kind: 'changed', names: changed }
  return { kind: (mine === undefined && names.length > 0) || names.some(isUnbound) ? 'unbound' : 'same' }
}

const maxKeys = 4

/** Adds the digests under one more key. Keys of ended runs are dropped. */
export const addDigest = (before: readonly LaunchDigest[], now: LaunchDigest | undefined): LaunchDigest[] =>
  now === undefined ? [...before] : [...before.filter(({ kept, key }) => kept === 'keyring' && key !== now.key), now].slice(-maxKeys)

/** Masks a launch target as it is kept: arguments, variables and addresses may hold a key. */
export const maskTarget = (target: LaunchTarget): LaunchTarget =>
  target.transport === 'stdio'
    ? {
        ...target,
        args: maskArgs(target.args),
        ...(target.variables ? { variables: target.variables.map((one) => ({ ...one, value: maskVariable(one) })) } : {}),
      }
    : { ...target, url: maskUrl(target.url) }
