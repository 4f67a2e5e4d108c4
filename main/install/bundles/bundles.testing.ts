// Bundles for tests: built in memory, signed with a key of the test's own, and every kind of archive that no honest tool
// makes, by writing its bytes.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import type { JsonObject } from '#app/json.ts'

export interface ZipFile {
  readonly name: string
  readonly text?: string
  /** In place of `text`. */
  readonly bytes?: Uint8Array
  /** Unix mode, with its kind; default: a plain file. */
  readonly mode?: number
  /** What the header before its bytes calls it; default: the same. */
  readonly localName?: string
  /** What the list says of its size; default: the truth. */
  readonly size?: number
  readonly flags?: number
}

/** A zip archive of these files, deflated. */
export function makeZip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, text = '', bytes: raw, mode = 0o100644, localName = name, size, flags = 0x0800 } of files) {
    const bytes = raw ? Buffer.from(raw) : Buffer.from(text)
    const packed = deflateRawSync(bytes)
    const numbers = { crc: crc32(bytes), packed: packed.length, size: size ?? bytes.length }
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(flags, 6)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(numbers.crc, 14)
    local.writeUInt32LE(numbers.packed, 18)
    local.writeUInt32LE(numbers.size, 22)
    local.writeUInt16LE(Buffer.byteLength(localName), 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE((3 << 8) | 20, 4)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(flags, 8)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(numbers.crc, 16)
    entry.writeUInt32LE(numbers.packed, 20)
    entry.writeUInt32LE(numbers.size, 24)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt32LE((mode << 16) >>> 0, 38)
    entry.writeUInt32LE(at, 42)
    const whole = Buffer.concat([local, Buffer.from(localName), packed])
    parts.push(whole)
    directory.push(Buffer.concat([entry, Buffer.from(name)]))
    at += whole.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, list, end])
}

export const makeManifest = (more: JsonObject = {}): JsonObject => ({
  manifest_version: '0.3',
  name: 'notes',
  version: '1.0.0',
  description: 'Keeps notes.',
  author: { name: 'Maya' },
  server: {
    type: 'node',
    entry_point: 'server/index.mjs',
    mcp_config: { command: 'node', args: [`\${__dirname}/server/index.mjs`], env: {} },
  },
  ...more,
})

/** An MCP server that needs no package: it tells the variables and arguments that it was started with. */
export const plainServer = (version: string): string => `
import { createInterface } from 'node:readline'
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize') send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '${version}' } } })
  else if (method === 'tools/list') send({ id, result: { tools: [{ name: 'told', description: 'What it was told', inputSchema: { type: 'object' } }] } })
  else if (method === 'tools/call') send({ id, result: { content: [{ type: 'text', text: JSON.stringify({ version: '${version}', args: process.argv.slice(2), token: process.env.NOTES_TOKEN ?? null }) }] } })
  else send({ id, error: { code: -32601, message: 'unknown' } })
})
`

/** A PNG of one colour, which says that it is so large. */
export function makePng(side: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const whole = Buffer.alloc(body.length + 8)
    whole.writeUInt32BE(data.length, 0)
    body.copy(whole, 4)
    whole.writeUInt32BE(crc32(body), body.length + 4)
    return whole
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const lines = Buffer.alloc((Math.ceil(side / 8) + 1) * side)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export const makeBundle = (manifest: JsonObject = makeManifest(), files: readonly ZipFile[] = []): Buffer =>
  makeZip([
    { name: 'manifest.json', text: JSON.stringify(manifest) },
    { name: 'server/index.mjs', text: plainServer(String(manifest['version'])) },
    ...files,
  ])

interface TestIdentity {
  readonly certificate: string
  readonly key: string
  readonly others: readonly string[]
}

/** Certificates from the system's openssl, in a folder of the test's. Undefined: there is none. */
export function makeIdentities(
  folder: string,
): { readonly self: TestIdentity; readonly issued: TestIdentity; readonly authority: string } | undefined {
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  const forCode = ['-addext', 'extendedKeyUsage=codeSigning', '-addext', 'keyUsage=digitalSignature']
  try {
    const make = (name: string, subject: string, ...more: string[]): void =>
      openssl(
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.pem`,
        '-days',
        '3650',
        '-subj',
        subject,
        ...more,
      )
    make('self', '/CN=Maya Signs/O=Maya', '-addext', 'basicConstraints=critical,CA:FALSE', ...forCode)
    make('authority', '/CN=Test Authority', '-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'keyUsage=keyCertSign')
    writeFileSync(join(folder, 'ext'), 'extendedKeyUsage=codeSigning\nkeyUsage=digitalSignature\nbasicConstraints=critical,CA:FALSE\n')
    openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'issued.key', '-out', 'issued.csr', '-subj', '/CN=Issued/O=Publisher')
    openssl(
      'x509',
      '-req',
      '-in',
      'issued.csr',
      '-CA',
      'authority.pem',
      '-CAkey',
      'authority.key',
      '-CAcreateserial',
      '-days',
      '3650',
      '-extfile',
      'ext',
      '-out',
      'issued.pem',
    )
  } catch {
    return undefined
  }
  const at = (name: string): string => join(folder, name)
  return {
    self: { certificate: at('self.pem'), key: at('self.key'), others: [] },
    issued: { certificate: at('issued.pem'), key: at('issued.key'), others: [at('authority.pem')] },
    authority: readFileSync(at('authority.pem'), 'utf8'),
  }
}

/** As `mcpb sign` does it. */
export function signBundle(bundle: Buffer, { certificate, key, others }: TestIdentity, folder: string): Buffer {
  const [from, to] = [join(folder, 'to-sign'), join(folder, 'signed')]
  writeFileSync(from, bundle)
  const more = others.flatMap((other) => ['-certfile', other])
  execFileSync(
    'openssl',
    [
      'cms',
      '-sign',
      '-binary',
      '-in',
      from,
      '-signer',
      certificate,
      '-inkey',
      key,
      '-outform',
      'DER',
      '-out',
      to,
      '-md',
      'sha256',
      ...more,
    ],
    { stdio: 'ignore' },
  )
  const signature = readFileSync(to)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(signature.length)
  return Buffer.concat([bundle, Buffer.from('MCPB_SIG_V1'), length, signature, Buffer.from('MCPB_SIG_END')])
}
