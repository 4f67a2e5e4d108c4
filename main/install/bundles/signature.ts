// Signature of a bundle: where it stands, whether the bytes are those that were signed, and whether this computer trusts the signer: a
// chain of certificates (RFC 5280) from the signer's to a trusted authority, each link checked by Node. Revocation is not looked up:
// that would tell the authority what is installed here.
//   [zip]MCPB_SIG_V1<length, 4 bytes, little-endian><PKCS#7, DER>MCPB_SIG_END
// A broken signature is told apart from none, which the format's own reader does not do: it is worse than none.
import { createHash, verify, X509Certificate } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { t } from '#app/i18n/translate.ts'
import { defined, orElse } from '#app/or-else.ts'
import type { SignatureSummary, Signer } from '#app/server/bundle/bundle-signature.ts'
import type { SignedData, SignerInfo } from './pkcs7.ts'
import { readBytes } from './zip-archive.ts'

const header = Buffer.from('MCPB_SIG_V1')
const footer = Buffer.from('MCPB_SIG_END')
const largestSignature = 256 * 1024
const chunkBytes = 1024 * 1024

interface SignatureBlock {
  readonly end: number
  /** Undefined when there is none, null when it is not shaped like one. */
  readonly signature: Buffer | null | undefined
}

export async function findSignature(file: FileHandle): Promise<SignatureBlock> {
  const { size } = await file.stat()
  const from = Math.max(0, size - largestSignature - header.length - 4 - footer.length)
  const tail = await readBytes(file, from, size - from)
  const footerAt = tail.lastIndexOf(footer)
  // Only line ends may follow; elsewhere the footer is part of a file's own text.
  if (footerAt < 0 || !/^[\r\n]*$/.test(tail.toString('latin1', footerAt + footer.length))) return { end: size, signature: undefined }
  for (let at = tail.lastIndexOf(header, footerAt); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(header, at - 1)) {
    const begins = at + header.length + 4
    if (begins > footerAt || begins + tail.readUInt32LE(begins - 4) !== footerAt) continue
    return { end: from + at, signature: tail.subarray(begins, footerAt) }
  }
  const at = tail.lastIndexOf(header, footerAt)
  return at < 0 ? { end: size, signature: undefined } : { end: from + at, signature: null }
}

export interface VerifyOptions {
  readonly now: number
  /** Trusted authorities; default: those of this computer and of Node. */
  readonly roots?: readonly X509Certificate[] | undefined
}

export async function verifySignature(file: FileHandle, block: SignatureBlock, options: VerifyOptions): Promise<SignatureSummary> {
  if (block.signature === undefined) return { kind: 'none' }
  const { readSignedData } = await import('./pkcs7.ts')
  const data = block.signature === null ? undefined : readSignedData(block.signature)
  if (!data) return { kind: 'unreadable' }
  const certificates = data.certificates.flatMap(parseCertificate)
  const leaf = certificates.find((one) => sameSerial(one, data.signer) && signedWith(data, one))
  if (!leaf) return certificates.length === 0 ? { kind: 'unreadable' } : { kind: 'changed' }
  const signer = signerOf(leaf)
  const digest = await digestOf(file, block.end, data.signer.digest)
  if (!digest.equals(data.signer.messageDigest)) return { kind: 'changed', signer }
  const others = certificates.filter((one) => one !== leaf)
  return { ...judgeChain(leaf, { others, roots: options.roots ?? trustedRoots(), now: options.now }), signer }
}

async function digestOf(file: FileHandle, end: number, name: SignerInfo['digest']): Promise<Buffer> {
  const hash = createHash(name)
  for (let at = 0; at < end; at += chunkBytes) hash.update(await readBytes(file, at, Math.min(chunkBytes, end - at)))
  return hash.digest()
}

/** Empty: Node cannot read it. */
const parseCertificate = (der: Buffer): X509Certificate[] => orElse(() => [new X509Certificate(der)], [])

const sameSerial = (certificate: X509Certificate, { serial }: SignerInfo): boolean =>
  certificate.serialNumber.toLowerCase().replace(/^0+(?=.)/, '') === serial.replace(/^0+(?=.)/, '')

function signedWith({ signer }: SignedData, certificate: X509Certificate): boolean {
  const { publicKey } = certificate
  if (publicKey.asymmetricKeyType !== (signer.algorithm === 'rsa' ? 'rsa' : 'ec')) return false
  // Node throws for a signature that it cannot read.
  return orElse(() => verify(signer.digest, signer.signedAttributes, publicKey, signer.signature), false)
}

function signerOf(certificate: X509Certificate): Signer {
  const organization = fieldOf(certificate.subject, 'O')
  return {
    name: fieldOf(certificate.subject, 'CN') ?? organization ?? t`no name`,
    ...defined({ organization }),
    issuer: fieldOf(certificate.issuer, 'CN') ?? fieldOf(certificate.issuer, 'O') ?? t`no name`,
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    key: createHash('sha256')
      .update(certificate.publicKey.export({ type: 'spki', format: 'der' }))
      .digest('hex'),
    validFrom: certificate.validFromDate.getTime(),
    validTo: certificate.validToDate.getTime(),
  }
}

/** Returns a field of a distinguished name, which Node writes as lines of `KEY=value`. */
const fieldOf = (name: string, key: string): string | undefined =>
  name
    .split('\n')
    .find((line) => line.startsWith(`${key}=`))
    ?.slice(key.length + 1, key.length + 201)

let roots: readonly X509Certificate[] | undefined
function trustedRoots(): readonly X509Certificate[] {
  // Not an import: TLS would be loaded at every start.
  const { getCACertificates, rootCertificates } = process.getBuiltinModule('node:tls')
  roots ??= [...new Set([...getCACertificates('system'), ...rootCertificates])].flatMap((pem) => parseCertificate(Buffer.from(pem)))
  return roots
}

type ChainVerdict = { readonly kind: 'trusted' | 'self-signed' } | Pick<Extract<SignatureSummary, { kind: 'untrusted' }>, 'kind' | 'why'>

const codeSigningUsage = '1.3.6.1.5.5.7.3.3'
const longestChain = 8

interface ChainOptions {
  readonly others: readonly X509Certificate[]
  readonly roots: readonly X509Certificate[]
  readonly now: number
}

const isValidAt = (certificate: X509Certificate, now: number): boolean =>
  certificate.validFromDate.getTime() <= now && now <= certificate.validToDate.getTime()

function judgeChain(leaf: X509Certificate, { others, roots, now }: ChainOptions): ChainVerdict {
  const selfSigned = leaf.issuer === leaf.subject && isSignedBy(leaf, leaf)
  const known = roots.some((root) => root.fingerprint256 === leaf.fingerprint256)
  if (selfSigned && !known) return { kind: 'self-signed' }
  if (!isValidAt(leaf, now)) return { kind: 'untrusted', why: leaf.validToDate.getTime() < now ? 'expired' : 'not-yet-valid' }
  // A certificate that lists other uses was issued for those alone.
  if (!(leaf.keyUsage ?? []).includes(codeSigningUsage)) return { kind: 'untrusted', why: 'not-for-code' }
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

/** False also for a key that Node cannot read. */
const isSignedBy = (issuer: X509Certificate, of: X509Certificate): boolean => orElse(() => of.verify(issuer.publicKey), false)
