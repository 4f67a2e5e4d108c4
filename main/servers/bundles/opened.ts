// Bundles on their way in: a file comes in pieces from a page, or is copied from where the person opened it, so that what
// was looked at is what is installed. Then it is read and judged; nothing of it is unpacked yet. Bounded in number and
// size; what nobody goes on with makes room for what comes later.
import { copyFile, type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { HostError } from '#app/errors.ts'
import type { Concern } from '#app/server/bundle/concerns.ts'
import type { BundleDownload } from '#app/server/bundle/download.ts'
import { type BundleManifest, largestManifest, readManifest } from '#app/server/bundle/manifest.ts'
import type { SignatureView } from '#app/server/bundle/signature.ts'
import { t } from '#app/words/translate.ts'
import { newId } from '#main/base/ids.ts'
import { type Archive, readArchive, unreadable } from './archive.ts'
import { type BundleLimits, bundleLimits } from './limits.ts'
import { type BundleLooks, readLooks } from './looks.ts'
import { findSignature, type VerifyOptions, verifySignature } from './signature.ts'
import { readWhole } from './unpack.ts'

export interface OpenedBundle {
  readonly id: string
  /** As it was called where it came from. */
  readonly name: string
  readonly bytes: number
  readonly archive: Archive
  readonly manifest: BundleManifest
  readonly signature: SignatureView
  readonly looks: BundleLooks
  /** What of its looks is left out. */
  readonly refused: readonly Concern[]
  /** Undefined: it is a file of the person's. */
  readonly download: BundleDownload | undefined
}

export interface Incoming {
  /** `at`: where in the file these bytes stand; they come in order. */
  part(upload: string, at: number, bytes: Uint8Array): Promise<void>
  /** All of its parts are there. Throws `bundle.*`; nothing of it is kept then. */
  open(upload: string, name: string, download?: BundleDownload): Promise<OpenedBundle>
  openPath(path: string): Promise<OpenedBundle>
  /** What came of it is not wanted. */
  drop(upload: string): Promise<void>
  /** Throws `bundle.gone`. */
  find(id: string): OpenedBundle
  close(id: string): Promise<void>
  /** Removes what an earlier run left behind; nothing comes in before that is done. */
  clear(): Promise<void>
  dispose(): Promise<void>
}

const MOST_AT_ONCE = 4

export interface IncomingOptions {
  readonly folder: string
  readonly now: () => number
  readonly limits?: BundleLimits
  readonly roots?: VerifyOptions['roots']
  /** The person's language, as `de-AT`. */
  readonly locale: () => string
}

export function createIncoming({ folder, now, limits = bundleLimits, roots, locale }: IncomingOptions): Incoming {
  const uploads = new Map<string, { readonly id: string; readonly file: FileHandle; bytes: number }>()
  const opened = new Map<string, OpenedBundle>()
  const pathOf = (id: string): string => join(folder, `${id}.mcpb`)

  let cleared: Promise<void> | undefined
  const clear = (): Promise<void> => {
    cleared ??= rm(folder, { recursive: true, force: true }).then(async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
    })
    return cleared
  }

  async function dropUpload(upload: string): Promise<void> {
    const known = uploads.get(upload)
    uploads.delete(upload)
    if (!known) return
    await known.file.close()
    await rm(pathOf(known.id), { force: true })
  }
  async function close(id: string): Promise<void> {
    const known = opened.get(id)
    opened.delete(id)
    await known?.archive.file.close()
    await rm(pathOf(id), { force: true })
  }

  async function begin(upload: string) {
    for (const oldest of [...uploads.keys()].slice(0, Math.max(0, uploads.size + 1 - MOST_AT_ONCE))) await dropUpload(oldest)
    await clear()
    const id = newId()
    const begun = { id, file: await open(pathOf(id), 'wx', 0o600), bytes: 0 }
    uploads.set(upload, begun)
    return begun
  }

  async function read(id: string, name: string, download?: BundleDownload): Promise<OpenedBundle> {
    for (const oldest of [...opened.keys()].slice(0, Math.max(0, opened.size + 1 - MOST_AT_ONCE))) await close(oldest)
    const file = await open(pathOf(id), 'r')
    try {
      const { size } = await file.stat()
      if (size > limits.archive) throw largerThanAny(limits.archive)
      const block = await findSignature(file)
      const archive = await readArchive(file, block.end, limits)
      const manifest = await manifestOf(archive)
      const signature = await verifySignature(file, block, { now: now(), ...(roots ? { roots } : {}) })
      const bundle: OpenedBundle = {
        id,
        name: basename(name.replaceAll('\\', '/')).slice(0, 200),
        bytes: size,
        archive,
        manifest,
        signature,
        ...(await readLooks(archive, manifest, locale())),
        download,
      }
      opened.set(id, bundle)
      return bundle
    } catch (error) {
      await file.close()
      await rm(pathOf(id), { force: true })
      throw error
    }
  }

  return {
    async part(upload, at, bytes) {
      const known = uploads.get(upload) ?? (at === 0 ? await begin(upload) : undefined)
      if (!known || at !== known.bytes) throw gone()
      if (at + bytes.byteLength > limits.archive) {
        await dropUpload(upload)
        throw largerThanAny(limits.archive)
      }
      known.bytes += bytes.byteLength
      for (let put = 0; put < bytes.byteLength; ) put += (await known.file.write(bytes, put, bytes.byteLength - put, at + put)).bytesWritten
    },
    async open(upload, name, download) {
      const known = uploads.get(upload)
      if (!known) throw gone()
      uploads.delete(upload)
      await known.file.close()
      return read(known.id, name, download)
    },
    async openPath(path) {
      const found = await stat(path).catch(() => undefined)
      if (!found?.isFile()) throw unreadable(t`it is not there, or it is no file`)
      if (found.size > limits.archive) throw largerThanAny(limits.archive)
      await clear()
      const id = newId()
      await copyFile(path, pathOf(id))
      return read(id, path)
    },
    drop: dropUpload,
    find(id) {
      const known = opened.get(id)
      if (!known) throw gone()
      return known
    },
    close,
    clear,
    async dispose() {
      for (const upload of [...uploads.keys()]) await dropUpload(upload)
      for (const id of [...opened.keys()]) await close(id)
    },
  }
}

const gone = (): HostError => new HostError('bundle.gone', t`This bundle is not there any more: it was closed, or made room for others.`)
const largerThanAny = (limit: number): HostError =>
  new HostError('bundle.too-large', t`The file is larger than any bundle. Nothing of it was kept.`, { data: { limit } })

async function manifestOf(archive: Archive): Promise<BundleManifest> {
  const bytes = await readWhole(archive, 'manifest.json', largestManifest)
  if (!bytes) throw new HostError('bundle.manifest', t`There is no manifest.json in this file: it is no bundle.`, { data: { field: '' } })
  const read = readManifest(new TextDecoder().decode(bytes))
  if (read.kind === 'read') return read.manifest
  const lines = read.problems.map(({ field, message }) => `${field === '' ? 'manifest.json' : `“${field}”`}: ${message}`)
  throw new HostError('bundle.manifest', t`The bundle’s manifest cannot be used. ${lines.slice(0, 3).join('. ')}.`, {
    data: { field: read.problems[0]?.field ?? '', problems: lines },
  })
}
