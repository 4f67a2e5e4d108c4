// Trust in a code-signing certificate: a chain from it to an authority that this computer trusts (RFC 5280), each link checked by
// Node. Revocation is not looked up: that would tell the authority what is installed here.
import type { X509Certificate } from 'node:crypto'
import type { SignatureSummary } from '#app/server/bundle/bundle-signature.ts'

type ChainVerdict = { readonly kind: 'trusted' | 'self-signed' } | Pick<Extract<SignatureSummary, { kind: 'untrusted' }>, 'kind' | 'why'>

const CODE_SIGNING = '1.3.6.1.5.5.7.3.3'
const longestChain = 8

interface ChainOptions {
  /** Certificates that came with the signature. */
  readonly others: readonly X509Certificate[]
  readonly roots: readonly X509Certificate[]
  readonly now: number
}

const isValidAt = (certificate: X509Certificate, now: number): boolean =>
  certificate.validFromDate.getTime() <= now && now <= certificate.validToDate.getTime()

export function judgeChain(leaf: X509Certificate, { others, roots, now }: ChainOptions): ChainVerdict {
  const selfSigned = leaf.issuer === leaf.subject && isSignedBy(leaf, leaf)
  const known = roots.some((root) => root.fingerprint256 === leaf.fingerprint256)
  if (selfSigned && !known) return { kind: 'self-signed' }
  if (!isValidAt(leaf, now)) return { kind: 'untrusted', why: leaf.validToDate.getTime() < now ? 'expired' : 'not-yet-valid' }
  // A certificate that lists other uses was issued for those alone.
  if (!(leaf.keyUsage ?? []).includes(CODE_SIGNING)) return { kind: 'untrusted', why: 'not-for-code' }
  return known || leadsToRoot(leaf, { others, roots, now }, longestChain)
    ? { kind: 'trusted' }
    : { kind: 'untrusted', why: 'unknown-authority' }
}

function leadsToRoot(certificate: X509Certificate, options: ChainOptions, left: number): boolean {
  if (left === 0) return false
  const { others, roots, now } = options
  if (roots.some((root) => root.ca && isValidAt(root, now) && isIssuer(root, certificate))) return true
  return others.some(
    (other) =>
      other.ca &&
      other.fingerprint256 !== certificate.fingerprint256 &&
      isValidAt(other, now) &&
      isIssuer(other, certificate) &&
      leadsToRoot(other, options, left - 1),
  )
}

const isIssuer = (issuer: X509Certificate, of: X509Certificate): boolean => of.checkIssued(issuer) && isSignedBy(issuer, of)

function isSignedBy(issuer: X509Certificate, of: X509Certificate): boolean {
  try {
    return of.verify(issuer.publicKey)
  } catch {
    return false // Node cannot read the key.
  }
}
