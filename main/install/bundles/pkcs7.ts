// Reader of the PKCS#7 signature of a bundle (CMS SignedData, RFC 5652), detached and with one signer. It reads the structure only;
// `signature.ts` verifies it. Anything of another structure is not taken for a signature.
import { type AsnType, fromBER } from 'asn1js'
import { orElse } from '#app/or-else.ts'

export interface SignerInfo {
  readonly serial: string
  /** Digest algorithm, by its name in Node. */
  readonly digest: 'sha256' | 'sha384' | 'sha512'
  readonly algorithm: 'rsa' | 'ecdsa'
  /** DER of the SET of attributes that was signed. */
  readonly signedAttributes: Buffer
  readonly messageDigest: Buffer
  readonly signature: Buffer
}
export interface SignedData {
  readonly certificates: readonly Buffer[]
  readonly signer: SignerInfo
}

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const DATA = '1.2.840.113549.1.7.1'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const digests: Readonly<Record<string, SignerInfo['digest']>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}
const algorithms: Readonly<Record<string, SignerInfo['algorithm']>> = {
  '1.2.840.113549.1.1.1': 'rsa',
  '1.2.840.113549.1.1.11': 'rsa',
  '1.2.840.113549.1.1.12': 'rsa',
  '1.2.840.113549.1.1.13': 'rsa',
  '1.2.840.10045.2.1': 'ecdsa',
  '1.2.840.10045.4.3.2': 'ecdsa',
  '1.2.840.10045.4.3.3': 'ecdsa',
  '1.2.840.10045.4.3.4': 'ecdsa',
}
const mostCertificates = 20

const tagClasses = { universal: 1, context: 3 }
const tags = { integer: 2, octets: 4, oid: 6, sequence: 16, set: 17 }

const isUniversal = (node: AsnType | undefined, tag: keyof typeof tags): node is AsnType =>
  node?.idBlock.tagClass === tagClasses.universal && node.idBlock.tagNumber === tags[tag]
const isContext = (node: AsnType | undefined, tag: number): node is AsnType =>
  node?.idBlock.tagClass === tagClasses.context && node.idBlock.tagNumber === tag
const partsOf = (node: AsnType | undefined): readonly AsnType[] => {
  const value: unknown = node && 'value' in node.valueBlock ? node.valueBlock.value : undefined
  return Array.isArray(value) ? value : []
}
const der = (node: AsnType): Buffer => Buffer.from(node.valueBeforeDecodeView)
const bytesOf = (node: AsnType | undefined): Buffer | undefined =>
  node && 'valueHexView' in node.valueBlock && node.valueBlock.valueHexView instanceof Uint8Array
    ? Buffer.from(node.valueBlock.valueHexView)
    : undefined
const textOf = (node: AsnType | undefined): string => (isUniversal(node, 'oid') ? oidText(node) : '')
const oidText = (node: AsnType): string => {
  const json: unknown = node.valueBlock.toJSON()
  return typeof json === 'object' && json !== null && 'value' in json ? String(json.value) : ''
}

/** Returns undefined for bytes that are no signature of the kind read here. */
export const readSignedData = (bytes: Buffer): SignedData | undefined =>
  // A hostile encoding makes the reader throw.
  orElse(() => read(bytes), undefined)

function read(bytes: Buffer): SignedData | undefined {
  const { result, offset } = fromBER(new Uint8Array(bytes))
  if (offset !== bytes.length || !isUniversal(result, 'sequence')) return undefined
  const [type, wrapped] = partsOf(result)
  if (textOf(type) !== SIGNED_DATA || !isContext(wrapped, 0)) return undefined
  const [signedData] = partsOf(wrapped)
  const parts = partsOf(signedData)
  const content = parts.find((part) => isUniversal(part, 'sequence'))
  // Detached: the content stands before the signature, not in it.
  if (textOf(partsOf(content)[0]) !== DATA || partsOf(content).length !== 1) return undefined
  const certificates = partsOf(parts.find((part) => isContext(part, 0)))
    .filter((part) => isUniversal(part, 'sequence'))
    .slice(0, mostCertificates)
    .map(der)
  const signers = partsOf(parts.findLast((part) => isUniversal(part, 'set')))
  const signer = signers.length === 1 ? readSigner(signers[0]) : undefined
  return signer && { certificates, signer }
}

function readSigner(node: AsnType | undefined): SignerInfo | undefined {
  const parts = partsOf(node)
  const [, identifier, digestAlgorithm, attributes, signatureAlgorithm, signature] = parts
  const serial = partsOf(identifier)[1]
  if (!isUniversal(identifier, 'sequence') || !isUniversal(serial, 'integer') || !isContext(attributes, 0)) return undefined
  const digest = digests[textOf(partsOf(digestAlgorithm)[0])]
  const algorithm = algorithms[textOf(partsOf(signatureAlgorithm)[0])]
  const serialBytes = bytesOf(serial)
  const signatureBytes = isUniversal(signature, 'octets') ? bytesOf(signature) : undefined
  if (!digest || !algorithm || !serialBytes || !signatureBytes) return undefined
  const attributeOf = (oid: string): AsnType | undefined => {
    const found = partsOf(attributes).filter((attribute) => textOf(partsOf(attribute)[0]) === oid)
    const values = found.length === 1 ? partsOf(partsOf(found[0])[1]) : []
    return values.length === 1 ? values[0] : undefined
  }
  const messageDigest = bytesOf(attributeOf(MESSAGE_DIGEST))
  if (!messageDigest || textOf(attributeOf(CONTENT_TYPE)) !== DATA) return undefined
  const signedAttributes = der(attributes)
  // The signature covers the attributes as a SET, but the message has them under another tag (RFC 5652, 5.4).
  signedAttributes[0] = 0x31
  const hex = serialBytes.toString('hex').replace(/^(00)+(?=.)/, '')
  return { serial: hex, digest, algorithm, signedAttributes, messageDigest, signature: signatureBytes }
}
