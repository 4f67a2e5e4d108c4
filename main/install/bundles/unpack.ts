// Unpacks files of an archive in pieces, so that no whole file is in memory. Bytes are counted as they are inflated, and a file that
// makes more than its header says is refused.
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { type Archive, type ArchiveEntry, readBytes, unreadableArchive } from './zip-archive.ts'

const STEP = 64 * 1024

/** @throws {HostError} `bundle.unreadable` for a file that is damaged. */
async function readEntryInto(
  { file }: Pick<Archive, 'file'>,
  entry: ArchiveEntry,
  take: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  let made = 0
  let crc = 0
  let pieces: Uint8Array[] = []
  const damaged = (): HostError => unreadableArchive(t`${JSON.stringify(entry.name.slice(0, 200))} in it is damaged`)
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
  for (let at = 0; at < entry.compressed; at += STEP) {
    const bytes = await readBytes(file, entry.at + at, Math.min(STEP, entry.compressed - at))
    if (entry.method === 'stored') pieces.push(bytes)
    // What one step of a bomb makes is bounded by the step.
    else
      for (let from = 0; from < bytes.length; from += 4096) {
        const last = at + STEP >= entry.compressed && from + 4096 >= bytes.length
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

/**
 * Reads one small file whole. Returns undefined when it is not in the archive.
 * @throws {HostError} `bundle.too-large` above `limit` bytes; `bundle.unreadable`
 */
export async function readEntryBytes(archive: Archive, name: string, limit: number): Promise<Uint8Array | undefined> {
  const entry = archive.entries.find((one) => one.name === name)
  if (!entry) return undefined
  if (entry.size > limit) throw new HostError('bundle.too-large', t`${name} of the bundle is larger than it may be.`, { data: { limit } })
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
