// Verdict on the signature of a bundle: who signed these bytes, and whether they were changed since. A good signature does not mean
// that the code is harmless, nor, without an authority, that the signer's name is true.
import { z } from 'zod'
import type { BundleManifest } from './manifest.ts'

const signer = z.object({
  name: z.string(),
  organization: z.string().optional(),
  issuer: z.string(),
  fingerprint: z.string(),
  /** SHA-256 of its public key, in hex; another certificate for the same key has the same. */
  key: z.string(),
  validFrom: z.number(),
  validTo: z.number(),
})
export type Signer = z.infer<typeof signer>

/**
 * `trusted`: an authority that this computer trusts vouches for the signer's name; `self-signed`: the signer is whoever that is;
 * `untrusted`: this computer does not trust the certificate, or not for this. In all three the bytes are those that were signed.
 */
export const signatureSummary = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['trusted', 'self-signed']), signer }),
  z.object({ kind: z.literal('untrusted'), signer, why: z.enum(['unknown-authority', 'expired', 'not-yet-valid', 'not-for-code']) }),
  /** The bytes are not those that were signed. */
  z.object({ kind: z.literal('changed'), signer: signer.optional() }),
  z.object({ kind: z.enum(['none', 'unreadable']) }),
])
export type SignatureSummary = z.infer<typeof signatureSummary>

const signerOf = (signature: SignatureSummary): Signer | undefined =>
  'signer' in signature && signature.kind !== 'changed' ? signature.signer : undefined

interface Origin {
  readonly manifest: Pick<BundleManifest, 'author'>
  readonly signature: SignatureSummary
}

/**
 * Tells whether a bundle of the same name may replace an installed one and get the values entered for it. A signed bundle may be
 * followed only by one that the same key signed, or by one of the same organization where an authority vouches for both.
 */
export function isSameOrigin(before: Origin, after: Origin): boolean {
  const [old, next] = [signerOf(before.signature), signerOf(after.signature)]
  if (!old) return before.manifest.author.name === after.manifest.author.name
  if (!next) return false
  if (old.key === next.key) return true
  const vouched = before.signature.kind === 'trusted' && after.signature.kind === 'trusted'
  return vouched && old.organization !== undefined && old.organization === next.organization
}
