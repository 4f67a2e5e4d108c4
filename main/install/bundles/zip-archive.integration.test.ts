import { X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { modeOf } from '#main/base/this-system.testing.ts'
import { makeBundle, makeIdentities, makeZip, signBundle, type ZipFile } from './bundles.testing.ts'
import { findSignature, verifySignature } from './signature.ts'
import { type Archive, bundleLimits, readArchive, unpackInto } from './zip-archive.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-archive-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function withArchive<T>(bytes: Uint8Array, work: (archive: Archive) => Promise<T>, limits = bundleLimits): Promise<T> {
  const path = join(folder, 'one.mcpb')
  writeFileSync(path, bytes)
  const file = await open(path)
  try {
    const { end } = await findSignature(file)
    return await work(await readArchive(file, end, limits))
  } finally {
    await file.close()
  }
}
const unpack = (bytes: Uint8Array, limits = bundleLimits): Promise<void> =>
  withArchive(bytes, (archive) => unpackInto(archive, join(folder, 'out'), []), limits)
const zip = (...files: readonly ZipFile[]): Buffer => makeZip([{ name: 'manifest.json', text: '{}' }, ...files])

test('files and folders are unpacked as they were, for their owner alone; what may be run may be run', async () => {
  await unpack(
    zip({ name: 'bin/' }, { name: 'bin/tool', text: 'x', mode: 0o100755 }, { name: 'deep/er/text.md', text: 'é'.repeat(100_000) }),
  )
  const out = join(folder, 'out')
  expect([
    readFileSync(join(out, 'deep/er/text.md'), 'utf8').length,
    modeOf(join(out, 'bin/tool'), 0o700),
    modeOf(join(out, 'deep/er/text.md'), 0o600),
    modeOf(join(out, 'bin'), 0o700),
  ]).toEqual([100_000, 0o700, 0o600, 0o700])
})

describe('an archive is refused whole before anything is written', () => {
  test.each<[string, Buffer]>([
    ['with a path that leads out', zip({ name: '../evil', text: 'x' })],
    ['with a path that leads out from within', zip({ name: 'a/../../evil', text: 'x' })],
    ['with a path from the root', zip({ name: '/tmp/evil', text: 'x' })],
    ['with a drive', zip({ name: 'C:/evil', text: 'x' })],
    ['with a backslash', zip({ name: '..\\evil', text: 'x' })],
    ['with a NUL in a name', zip({ name: 'a\0b', text: 'x' })],
    ['with a device of Windows', zip({ name: 'server/CON.txt', text: 'x' })],
    ['with the keyboard of Windows', zip({ name: 'server/conin$', text: 'x' })],
    ['with the screen of Windows', zip({ name: 'CONOUT$.js', text: 'x' })],
    ['with a stream of Windows', zip({ name: 'a.txt:hidden', text: 'x' })],
    ['with a name that ends in a dot', zip({ name: 'a.', text: 'x' })],
    ['with two files of one name', zip({ name: 'a', text: 'x' }, { name: 'a', text: 'y' })],
    ['with names that differ in case alone', zip({ name: 'A.js', text: 'x' }, { name: 'a.js', text: 'y' })],
    ['with names that differ in the form of an accent alone', zip({ name: 'é', text: 'x' }, { name: 'e\u0301', text: 'y' })],
    ['with a file where another needs a folder', zip({ name: 'a', text: 'x' }, { name: 'a/b', text: 'y' })],
    ['with a link', zip({ name: 'link', text: '/etc/passwd', mode: 0o120777 })],
    ['with a device', zip({ name: 'tty', text: '', mode: 0o020666 })],
    ['with a file that has two names', zip({ name: 'good.js', localName: 'evil.js', text: 'x' })],
    ['that is encrypted', zip({ name: 'a', text: 'x', flags: 0x0801 })],
    ['whose files share their bytes', overlapping()],
    ['that is no archive', Buffer.from('#!/bin/sh\necho no')],
    ['that is empty', Buffer.alloc(0)],
    ['that is cut off', zip({ name: 'a', text: 'x'.repeat(1000) }).subarray(20)],
  ])('%s', async (_, bytes) => {
    await expect(unpack(bytes)).rejects.toMatchObject({ code: 'bundle.unreadable' })
    expect(existsSync(join(folder, 'out'))).toBe(false)
  })

  test.each<[string, Partial<typeof bundleLimits>]>([
    ['of too many files', { entries: 1 }],
    ['with a file that is too large', { entry: 1000 }],
    ['that unpacks to too much', { total: 1000 }],
    ['that unpacks to far more than it could hold', { ratio: 100, freeBytes: 1000 }],
    ['that is too large itself', { archive: 10 }],
  ])('%s', async (_, limits) => {
    const bomb = zip({ name: 'zeros', text: '0'.repeat(5_000_000) })
    await expect(unpack(bomb, { ...bundleLimits, ...limits })).rejects.toMatchObject({ code: 'bundle.too-large' })
    expect(existsSync(join(folder, 'out'))).toBe(false)
  })
})

test('a file that makes more than its header says ends the unpacking', async () => {
  const liar = zip({ name: 'small', text: '0'.repeat(5_000_000), size: 10 })
  await expect(unpack(liar)).rejects.toMatchObject({ code: 'bundle.unreadable' })
  expect(statSync(join(folder, 'out', 'small')).size).toBeLessThan(100)
})

test('a byte that was turned over is noticed', async () => {
  const bytes = zip({ name: 'a', text: 'hello '.repeat(100) })
  const at = bytes.indexOf(deflateRawSync(Buffer.from('hello '.repeat(100)))) + 3
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  await expect(unpack(bytes)).rejects.toMatchObject({ code: 'bundle.unreadable' })
})

/** The list names one place twice. */
function overlapping(): Buffer {
  const bytes = makeZip([
    { name: 'aa', text: 'x'.repeat(50) },
    { name: 'bb', text: 'x'.repeat(50) },
  ])
  const second = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  bytes.writeUInt32LE(0, second + 42)
  return bytes
}

describe('a signature', () => {
  const now = Date.now() + 3600_000
  async function judge(bytes: Buffer, roots: readonly string[] = [], at = now) {
    const path = join(folder, 'signed.mcpb')
    writeFileSync(path, bytes)
    const file = await open(path)
    try {
      const certificates = roots.map((pem) => new X509Certificate(pem))
      return await verifySignature(file, await findSignature(file), { now: at, roots: certificates })
    } finally {
      await file.close()
    }
  }
  const identities = () => {
    const made = makeIdentities(folder)
    if (!made) throw new Error('openssl is needed for this test')
    return made
  }

  test('is told by what it proves: none, by oneself, by somebody unknown, by an authority, past its time', async () => {
    const { self, issued, authority } = identities()
    const bundle = makeBundle()
    const [own, byOther] = [signBundle(bundle, self, folder), signBundle(bundle, issued, folder)]
    const years = 20 * 365 * 24 * 3600 * 1000
    expect([
      await judge(bundle),
      await judge(own),
      await judge(byOther),
      await judge(byOther, [authority]),
      await judge(byOther, [authority], now + years),
      await judge(byOther, [authority], now - years),
    ]).toMatchObject([
      { kind: 'none' },
      { kind: 'self-signed', signer: { name: 'Maya Signs', organization: 'Maya' } },
      { kind: 'untrusted', why: 'unknown-authority', signer: { name: 'Issued', issuer: 'Test Authority' } },
      { kind: 'trusted', signer: { name: 'Issued', organization: 'Publisher' } },
      { kind: 'untrusted', why: 'expired' },
      { kind: 'untrusted', why: 'not-yet-valid' },
    ])
  })

  test('over other bytes, with another’s certificate, cut off or of nonsense is never taken for a good one', async () => {
    const { self, issued } = identities()
    const signed = signBundle(makeBundle(), self, folder)
    const mark = signed.indexOf('MCPB_SIG_V1')
    const moved = Buffer.concat([makeBundle(undefined, [{ name: 'evil', text: 'x' }]), signed.subarray(mark)])
    const turned = Buffer.from(signed)
    turned.writeUInt8(turned.readUInt8(signed.length - 20) ^ 1, signed.length - 20)
    const other = signBundle(makeBundle(), issued, folder)
    const nonsense = Buffer.concat([
      makeBundle(),
      Buffer.from('MCPB_SIG_V1'),
      Buffer.from([4, 0, 0, 0, 0x30, 0x80, 0x30, 0x80]),
      Buffer.from('MCPB_SIG_END'),
    ])
    const wrongLength = Buffer.concat([makeBundle(), Buffer.from('MCPB_SIG_V1'), Buffer.from([9, 9, 9, 9]), Buffer.from('MCPB_SIG_END')])
    const kinds: string[] = []
    for (const bytes of [moved, turned, other, nonsense, wrongLength]) kinds.push((await judge(bytes)).kind)
    expect(kinds).toEqual(['changed', 'changed', 'untrusted', 'unreadable', 'unreadable'])
  })

  test('leaves the archive before it readable, and stands at the very end or nowhere', async () => {
    const { self } = identities()
    await unpack(signBundle(makeBundle(), self, folder))
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(['manifest.json', 'server'])
    expect(await judge(makeBundle(undefined, [{ name: 'MCPB_SIG_V1', text: 'MCPB_SIG_END' }]))).toEqual({ kind: 'none' })
  })
})
