// What the person allowed, as the profile keeps it under a MAC: items that were found, and why they do not count.
import { z } from 'zod'
import { t } from './i18n/translate.ts'

/** `schema`: a trigger or view in the database that is not Assent’s. */
const signedKind = z.enum(['rules', 'launches', 'trust', 'views', 'folders', 'sampling', 'endpoints', 'settings', 'schema'])

const signedItem = z.object({
  kind: signedKind,
  /** Server and tool, name and address, or name of a setting. */
  name: z.string(),
  effect: z.enum(['allow', 'ask', 'deny']).optional(),
  /** Difference from what was signed; absent: none, or nothing to compare with. */
  change: z.enum(['added', 'changed', 'removed']).optional(),
})
export type SignedItem = z.infer<typeof signedItem>

/**
 * `first`: signed now for the first time, and used. The others are not used. `changed`: written by another program. `replaced`: an older
 * state was put back. `unsigned`: the signature is missing or of another profile. `no-key`: the key is missing, or the keyring locked.
 */
const signedReason = z.enum(['first', 'changed', 'replaced', 'unsigned', 'no-key'])
export type SignedReason = z.infer<typeof signedReason>

/** Choice of the person. `use`: sign what is listed. `none`: remove it, and ask for everything anew. */
export const signedChoice = z.enum(['use', 'none'])
export type SignedChoice = z.infer<typeof signedChoice>

export const mostSignedItems = 200

export const signedReport = z.object({
  reason: signedReason,
  items: z.array(signedItem),
  /** Items beyond those named. */
  more: z.number().int(),
  /** Digest of all items, which a choice is bound to; absent: the keyring gave no key, so there is no choice. */
  token: z.string().optional(),
})
export type SignedReport = z.infer<typeof signedReport>

/** Place of the key. `file`: there is no keyring. `memory`: of this run. `none`: the keyring is locked. */
export const signedKeyPlace = z.enum(['keyring', 'file', 'memory', 'none'])
export type SignedKeyPlace = z.infer<typeof signedKeyPlace>

/** Says in a sentence why signed permissions are not used, or that they were signed. */
export function signedReasonText({ reason, token }: Pick<SignedReport, 'reason' | 'token'>): string {
  switch (reason) {
    case 'first':
      return t`Permissions of this profile are signed from now on.`
    case 'changed':
      return t`Another program changed the permissions of this profile.`
    case 'replaced':
      return t`The permissions were replaced by an older state.`
    case 'unsigned':
      return t`The permissions of this profile are not signed by you.`
    case 'no-key':
      return token === undefined
        ? t`The keyring is locked, so the permissions cannot be checked.`
        : t`The key that signed these permissions is missing.`
  }
}
