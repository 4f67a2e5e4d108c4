// Verdict on the signature of a bundle: who signed these bytes, and whether they were changed since. A good signature does not mean
// that the code is harmless, nor, without an authority, that the signer's name is true.
import { z } from 'zod'
import type { BundleManifest } from './manifest.ts'

const signer = z.object({
  /** Subject's common name, as the certificate has it. */
  name: z.string(),
  organization: z.string().optional(),
  issuer: z.string(),
  /** SHA-256 of the certificate, in hex. */
  fingerprint: z.string(),
  /** SHA-256 of its public key, in hex; another certificate for the same key has the same. */
  key: z.string(),
  validFrom: z.number(),
  validTo: z.number(),
})
export type Signer = z.infer<typeof signer>

export const signatureSummary = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** The bytes are those that were signed, and an authority that this computer trusts vouches for the signer's name. */
  z.object({ kind: z.literal('trusted'), signer }),
  /** The bytes are those that were signed, by whoever that is. */
  z.object({ kind: z.literal('self-signed'), signer }),
  /** The bytes are those that were signed, but this computer does not trust the certificate, or not for this. */
  z.object({ kind: z.literal('untrusted'), signer, why: z.enum(['unknown-authority', 'expired', 'not-yet-valid', 'not-for-code']) }),
  /** The bytes are not those that were signed. */
  z.object({ kind: z.literal('changed'), signer: signer.optional() }),
  /** There is a signature that cannot be read. */
  z.object({ kind: z.literal('unreadable') }),
])
export type SignatureSummary = z.infer<typeof signatureSummary>

const signerOf = (signature: SignatureSummary): Signer | undefined =>
  signature.kind === 'none' || signature.kind === 'unreadable' || signature.kind === 'changed' ? undefined : signature.signer

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
