// Reader of the central directory of a zip archive (APPNOTE.TXT 4.3), checked against the header of each file before anything is
// unpacked. Refused is whatever two readers could read differently, and what no bundle needs: encryption, links, several disks,
// Zip64. Files are unpacked in pieces, so that none is in memory whole; one of more bytes than its header says is refused.
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { largestBundle } from '#app/server/bundle/bundle-download.ts'
import { createNameJudge } from '#app/server/bundle/entry-names.ts'

export type BundleLimits = Readonly<typeof bundleLimits>

/** Bytes and entries. `entry`, `total`: unpacked; `ratio`: unpacked bytes for each byte of the archive, beyond `freeBytes`. */
export const bundleLimits = {
  archive: largestBundle,
  entries: 60_000,
  entry: 512 * 1024 * 1024,
  total: 1536 * 1024 * 1024,
  ratio: 100,
  freeBytes: 64 * 1024 * 1024,
}

interface ArchiveEntry {
  /** Path in the archive; that of a folder ends in `/`. */
  readonly name: string
  readonly compressed: number
  readonly size: number
  readonly crc: number
  readonly method: 'stored' | 'deflated'
  readonly executable: boolean
  readonly at: number
}

type DirectoryEntry = ArchiveEntry & { readonly headerAt: number }

export interface Archive {
  readonly file: FileHandle
  readonly entries: readonly ArchiveEntry[]
  readonly unpackedBytes: number
}

export const unreadableArchive = (why: string, cause?: unknown): HostError =>
  new HostError('bundle.unreadable', t`The bundle was refused: ${why}.`, { data: { why }, cause })
const damagedArchive = (): HostError => unreadableArchive(t`the archive is damaged`)
export const bundleTooLarge = (limit: number): HostError => tooLarge('archive', limit)
const tooLarge = (what: string, limit: number): HostError =>
  new HostError('bundle.too-large', t`The bundle is too large (${what}).`, { data: { limit } })

const END = 0x06054b50
const DIRECTORY = 0x02014b50
const LOCAL = 0x04034b50
const endBytes = 22
const longestDirectory = 64 * 1024 * 1024

export async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(bytes, read, length - read, at + read)
    if (bytesRead === 0) throw damagedArchive()
    read += bytesRead
  }
  return bytes
}

/** Reads the list of files. `end`: byte offset behind the archive. @throws {HostError} `bundle.unreadable`, `bundle.too-large` */
export async function readArchive(file: FileHandle, end: number, limits: BundleLimits = bundleLimits): Promise<Archive> {
  const { size } = await file.stat()
  if (size > limits.archive) throw tooLarge('archive', limits.archive)
  const { count, directoryAt, directoryBytes } = await findDirectory(file, end, size)
  if (count > limits.entries) throw tooLarge(String(count), limits.entries)
  const directory = await readBytes(file, directoryAt, directoryBytes)
  const judge = createNameJudge()
  const found: DirectoryEntry[] = []
  let at = 0
  let total = 0
  for (let index = 0; index < count; index++) {
    const { entry, next } = readEntry(directory, at)
    at = next
    const fault = entry.isLink ? 'link' : judge(entry.name)
    if (fault) throw unreadableArchive(t`the file name ${JSON.stringify(entry.name.slice(0, 200))} is not allowed (${fault})`)
    if (entry.size > limits.entry) throw tooLarge(entry.name, limits.entry)
    total += entry.size
    if (total > limits.total) throw tooLarge('unpacked', limits.total)
    found.push(entry)
  }
  if (at !== directory.length) throw damagedArchive()
  if (total > limits.freeBytes && total > size * limits.ratio) throw tooLarge('unpacked', limits.ratio)
  return { file, entries: await placed(file, found, directoryAt), unpackedBytes: total }
}

async function findDirectory(file: FileHandle, end: number, size: number) {
  const from = Math.max(0, end - endBytes - 65_535)
  const tail = await readBytes(file, from, end - from)
  for (let at = tail.length - endBytes; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END) continue
    const comment = tail.readUInt16LE(at + 20)
    const ends = from + at + endBytes + comment
    // Some signers count the signature behind the archive as its comment.
    if (ends !== end && ends !== size) continue
    const [disks, here, count] = [tail.readUInt32LE(at + 4), tail.readUInt16LE(at + 8), tail.readUInt16LE(at + 10)]
    const [directoryBytes, directoryAt] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
    if (disks !== 0 || here !== count) throw damagedArchive()
    if (count === 0xffff || directoryAt === 0xffff_ffff || directoryBytes === 0xffff_ffff) throw tooLarge('zip64', 0xffff_ffff)
    if (directoryAt + directoryBytes !== from + at || directoryBytes > longestDirectory) throw damagedArchive()
    return { count, directoryAt, directoryBytes }
  }
  throw damagedArchive()
}

function readEntry(directory: Buffer, at: number) {
  if (at + 46 > directory.length || directory.readUInt32LE(at) !== DIRECTORY) throw damagedArchive()
  const [madeBy, flags, method] = [directory.readUInt16LE(at + 4), directory.readUInt16LE(at + 8), directory.readUInt16LE(at + 10)]
  const [crc, compressed, size] = [directory.readUInt32LE(at + 16), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 24)]
  const [nameBytes, extraBytes] = [directory.readUInt16LE(at + 28), directory.readUInt16LE(at + 30)]
  const [attributes, headerAt] = [directory.readUInt32LE(at + 38), directory.readUInt32LE(at + 42)]
  const next = at + 46 + nameBytes + extraBytes + directory.readUInt16LE(at + 32)
  if (next > directory.length) throw damagedArchive()
  const name = decodeName(directory.subarray(at + 46, at + 46 + nameBytes))
  if ((flags & 0x2041) !== 0) throw unreadableArchive(t`it is encrypted`)
  if (method !== 0 && method !== 8) throw unreadableArchive(t`its compression is not supported`)
  if (compressed === 0xffff_ffff || size === 0xffff_ffff || headerAt === 0xffff_ffff) throw tooLarge('zip64', 0xffff_ffff)
  if (method === 0 && compressed !== size) throw damagedArchive()
  const isUnix = madeBy >> 8 === 3 || madeBy >> 8 === 19
  const mode = isUnix ? attributes >>> 16 : 0
  const kind = mode & 0o170000
  const isFolder = name.endsWith('/')
  if (isFolder && size !== 0) throw damagedArchive()
  const isLink = kind !== 0 && kind !== 0o100000 && kind !== 0o040000
  const entry = { name, compressed, size, crc, executable: (mode & 0o100) !== 0, isLink, headerAt, at: 0 }
  return { entry: { ...entry, method: method === 0 ? ('stored' as const) : ('deflated' as const) }, next }
}

/** Decodes a name as UTF-8 whatever its flag says, as other readers do; other encodings have no one reading. */
function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw damagedArchive()
  }
}

/** Adds the offset of each file's data. No two may share a byte, and the header before each must agree with the directory. */
async function placed(file: FileHandle, found: readonly DirectoryEntry[], directoryAt: number): Promise<ArchiveEntry[]> {
  const inOrder = [...found].sort((a, b) => a.headerAt - b.headerAt)
  const starts = new Map<string, number>()
  let free = 0
  for (const { name, headerAt, compressed } of inOrder) {
    if (headerAt < free || headerAt + 30 > directoryAt) throw damagedArchive()
    const header = await readBytes(file, headerAt, 30)
    if (header.readUInt32LE(0) !== LOCAL) throw damagedArchive()
    const [nameBytes, extraBytes] = [header.readUInt16LE(26), header.readUInt16LE(28)]
    const at = headerAt + 30 + nameBytes + extraBytes
    free = at + compressed
    if (free > directoryAt) throw damagedArchive()
    const local = await readBytes(file, headerAt + 30, nameBytes)
    if (!local.equals(Buffer.from(name))) throw damagedArchive()
    starts.set(name, at)
  }
  return found.map(({ headerAt: _, ...entry }) => ({ ...entry, at: starts.get(entry.name) ?? 0 }))
}

const stepBytes = 64 * 1024

/** @throws {HostError} `bundle.unreadable` for a file that is damaged. */
async function readEntryInto({ file }: Archive, entry: ArchiveEntry, take: (bytes: Uint8Array) => Promise<void>): Promise<void> {
  let made = 0
  let crc = 0
  let pieces: Uint8Array[] = []
  const damaged = (): HostError => damagedArchive()
  const give = async (): Promise<void> => {
    const ready = pieces
    pieces = []
    for (const piece of ready) {
      made += piece.length
      if (made > entry.size) throw damaged()
      crc = crc32(piece, crc)
      await take(piece)
    }
  }
  let ended = entry.method === 'stored'
  const { Inflate } = await import('fflate')
  const inflate = new Inflate((piece, final) => {
    pieces.push(piece)
    ended ||= final
  })
  for (let at = 0; at < entry.compressed; at += stepBytes) {
    const bytes = await readBytes(file, entry.at + at, Math.min(stepBytes, entry.compressed - at))
    if (entry.method === 'stored') pieces.push(bytes)
    // What one step of a bomb makes is bounded by the step.
    else
      for (let from = 0; from < bytes.length; from += 4096) {
        const last = at + stepBytes >= entry.compressed && from + 4096 >= bytes.length
        try {
          inflate.push(bytes.subarray(from, from + 4096), last)
        } catch {
          throw damaged()
        }
        await give()
      }
    await give()
  }
  if (made !== entry.size || crc !== entry.crc || !ended) throw damaged()
}

/** Reads one small file whole; undefined: it is not in the archive. @throws {HostError} `bundle.too-large` above `limit` bytes; `bundle.unreadable` */
export async function readEntryBytes(archive: Archive, name: string, limit: number): Promise<Uint8Array | undefined> {
  const entry = archive.entries.find((one) => one.name === name)
  if (!entry) return undefined
  if (entry.size > limit) throw tooLarge(name, limit)
  const parts: Uint8Array[] = []
  await readEntryInto(archive, entry, async (bytes) => void parts.push(bytes))
  return Buffer.concat(parts)
}

/** Unpacks into a new folder of ours. `alsoRun`: files made executable besides those that are so in the archive. */
export async function unpackInto(archive: Archive, folder: string, alsoRun: readonly string[]): Promise<void> {
  const made = new Set<string>()
  const folderFor = async (path: string): Promise<void> => {
    if (made.has(path)) return
    await mkdir(path, { recursive: true, mode: 0o700 })
    made.add(path)
  }
  await folderFor(folder)
  for (const entry of archive.entries) {
    const path = join(folder, entry.name)
    if (entry.name.endsWith('/')) {
      await folderFor(path)
      continue
    }
    await folderFor(dirname(path))
    // `wx`: nothing that is there is written over, and no link followed.
    const target = await open(path, 'wx', entry.executable || alsoRun.includes(entry.name) ? 0o700 : 0o600)
    try {
      await readEntryInto(archive, entry, async (bytes) => {
        for (let at = 0; at < bytes.length; ) at += (await target.write(bytes, at)).bytesWritten
      })
    } finally {
      await target.close()
    }
  }
}
