// A bundle's signature: where it stands in the file, whether these are the bytes that were signed, and by whom.
//   [zip]MCPB_SIG_V1<length, 4 bytes, little-endian><PKCS#7, DER>MCPB_SIG_END
// The format's own reader answers "unsigned" to whatever does not verify. Here a signature that is broken is said to be:
// it is worse than none.
import { createHash, verify, X509Certificate } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { SignatureView, Signer } from '#app/server/bundle/signature.ts'
import { t } from '#app/words/translate.ts'
import { readBytes } from './archive.ts'
import { judgeChain } from './certificates.ts'
import type { SignedData, SignerInfo } from './cms.ts'

const header = Buffer.from('MCPB_SIG_V1')
const footer = Buffer.from('MCPB_SIG_END')
/** Bytes of a signature with all its certificates. */
const largest = 256 * 1024
const STEP = 1024 * 1024

export interface SignatureBlock {
  /** Where the archive ends. */
  readonly end: number
  /** Undefined: there is none. Null: it does not have the shape of one. */
  readonly signature: Buffer | null | undefined
}

export async function findSignature(file: FileHandle): Promise<SignatureBlock> {
  const { size } = await file.stat()
  const from = Math.max(0, size - largest - header.length - 4 - footer.length)
  const tail = await readBytes(file, from, size - from)
  const footerAt = tail.lastIndexOf(footer)
  // Elsewhere than at the very end it is a file's own text; only line ends may follow.
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
  /** Authorities that are trusted; default: those of this computer and of Node. */
  readonly roots?: readonly X509Certificate[]
}

export async function verifySignature(file: FileHandle, block: SignatureBlock, options: VerifyOptions): Promise<SignatureView> {
  if (block.signature === undefined) return { kind: 'none' }
  const { readSignedData } = await import('./cms.ts')
  const signed = block.signature === null ? undefined : readSignedData(block.signature)
  if (!signed) return { kind: 'unreadable' }
  const certificates = signed.certificates.flatMap(parseCertificate)
  const leaf = certificates.find((one) => sameSerial(one, signed.signer) && isSignedBy(signed, one))
  if (!leaf) return certificates.length === 0 ? { kind: 'unreadable' } : { kind: 'changed' }
  const signer = signerOf(leaf)
  const digest = await digestOf(file, block.end, signed.signer.digest)
  if (!digest.equals(signed.signer.messageDigest)) return { kind: 'changed', signer }
  const others = certificates.filter((one) => one !== leaf)
  return { ...judgeChain(leaf, { others, roots: options.roots ?? trustedRoots(), now: options.now }), signer }
}

async function digestOf(file: FileHandle, end: number, name: SignerInfo['digest']): Promise<Buffer> {
  const hash = createHash(name)
  for (let at = 0; at < end; at += STEP) hash.update(await readBytes(file, at, Math.min(STEP, end - at)))
  return hash.digest()
}

function parseCertificate(der: Buffer): X509Certificate[] {
  try {
    return [new X509Certificate(der)]
  } catch {
    return [] // One that cannot be read vouches for nothing.
  }
}

const sameSerial = (certificate: X509Certificate, { serial }: SignerInfo): boolean =>
  certificate.serialNumber.toLowerCase().replace(/^0+(?=.)/, '') === serial.replace(/^0+(?=.)/, '')

function isSignedBy({ signer }: SignedData, certificate: X509Certificate): boolean {
  const { publicKey } = certificate
  if (publicKey.asymmetricKeyType !== (signer.algorithm === 'rsa' ? 'rsa' : 'ec')) return false
  try {
    return verify(signer.digest, signer.signedAttributes, publicKey, signer.signature)
  } catch {
    return false // A signature that Node cannot read is none.
  }
}

function signerOf(certificate: X509Certificate): Signer {
  const organization = fieldOf(certificate.subject, 'O')
  return {
    name: fieldOf(certificate.subject, 'CN') ?? organization ?? t`no name`,
    ...(organization === undefined ? {} : { organization }),
    issuer: fieldOf(certificate.issuer, 'CN') ?? fieldOf(certificate.issuer, 'O') ?? t`no name`,
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    key: createHash('sha256')
      .update(certificate.publicKey.export({ type: 'spki', format: 'der' }))
      .digest('hex'),
    validFrom: certificate.validFromDate.getTime(),
    validTo: certificate.validToDate.getTime(),
  }
}

/** Node writes a name as lines of `KEY=value`. */
const fieldOf = (name: string, key: string): string | undefined =>
  name
    .split('\n')
    .find((line) => line.startsWith(`${key}=`))
    ?.slice(key.length + 1, key.length + 201)

let known: readonly X509Certificate[] | undefined
function trustedRoots(): readonly X509Certificate[] {
  // Not an import: TLS would be loaded at every start.
  const { getCACertificates, rootCertificates } = process.getBuiltinModule('node:tls')
  known ??= [...new Set([...getCACertificates('system'), ...rootCertificates])].flatMap((pem) => parseCertificate(Buffer.from(pem)))
  return known
}
