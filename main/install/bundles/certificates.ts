// Who vouches for a certificate: the way from it to an authority that this computer trusts, each step checked by Node.
// Whether one was called back since is not asked: that would tell the authority what is installed here.
import type { X509Certificate } from 'node:crypto'
import type { SignatureSummary } from '#app/server/bundle/bundle-signature.ts'

type ChainVerdict = { readonly kind: 'trusted' | 'self-signed' } | Pick<Extract<SignatureSummary, { kind: 'untrusted' }>, 'kind' | 'why'>

const CODE_SIGNING = '1.3.6.1.5.5.7.3.3'
const longestChain = 8

interface ChainOptions {
  /** What came with the signature. */
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
  // Some list what they are for; one that lists other uses was given to its holder for those.
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
    return false // A key that Node cannot read vouches for nothing.
  }
}
