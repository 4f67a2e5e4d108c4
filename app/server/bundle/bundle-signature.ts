// What is known of a bundle's signature. It says who signed these bytes, and that nobody changed them since; it does not
// say that what they do is harmless, nor that the signer is who they call themselves where no authority vouches for it.
import { z } from 'zod'

const signer = z.object({
  /** As the certificate calls itself. */
  name: z.string(),
  organization: z.string().optional(),
  issuer: z.string(),
  /** SHA-256 of the certificate, in hex. */
  fingerprint: z.string(),
  /** SHA-256 of its public key, in hex: the same for whoever holds the key. */
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
  /** The same; somebody vouches for the signer whom this computer does not know or no longer, or not for this. */
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
  readonly author: string
  readonly signature: SignatureSummary
}

/**
 * Whether a bundle of the same name may take the place of one that is installed, with what was entered for it. A signed
 * one may be followed only by what the same key signed, or the same name that an authority vouches for.
 */
export function isSameOrigin(before: Origin, after: Origin): boolean {
  const [old, next] = [signerOf(before.signature), signerOf(after.signature)]
  if (!old) return before.author === after.author
  if (!next) return false
  if (old.key === next.key) return true
  return (
    before.signature.kind === 'trusted' &&
    after.signature.kind === 'trusted' &&
    old.organization !== undefined &&
    old.organization === next.organization
  )
}
