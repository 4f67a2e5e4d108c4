// Bundles that are received and opened, but not installed. A file comes in parts from a page, or is copied from where the person
// opened it, so that what was reviewed is what is installed. Nothing is unpacked. One more than a few closes the oldest.
import { copyFile, type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined, parseJson } from '#app/or-else.ts'
import type { BundleDownload } from '#app/server/bundle/bundle-download.ts'
import { iconFile, isPlainPng, largestIcon } from '#app/server/bundle/bundle-icon.ts'
import { type BundleLocale, bundleLocale, largestLocaleFile, localeFile } from '#app/server/bundle/bundle-labels.ts'
import type { SignatureSummary } from '#app/server/bundle/bundle-signature.ts'
import type { Concern } from '#app/server/bundle/command-warnings.ts'
import { type BundleManifest, largestManifest, readManifest } from '#app/server/bundle/manifest.ts'
import { newId } from '#main/base/ids.ts'
import { findSignature, type VerifyOptions, verifySignature } from './signature.ts'
import {
  type Archive,
  type BundleLimits,
  bundleLimits,
  bundleTooLarge,
  readArchive,
  readEntryBytes,
  unreadableArchive,
} from './zip-archive.ts'

export interface BundleDisplay {
  readonly words?: BundleLocale | undefined
  readonly icon?: string | undefined
}

/** Reads icon and localized texts. A file that is too large or not what it should be is left out, and named as refused. */
export async function readDisplay(archive: Archive, manifest: BundleManifest, locale: string) {
  const names = archive.entries.map(({ name }) => name)
  const words = await partOf(archive, localeFile(manifest, names, locale), largestLocaleFile, readWords)
  const icon = await partOf(archive, iconFile(manifest), largestIcon, (bytes) =>
    isPlainPng(bytes) ? `data:image/png;base64,${Buffer.from(bytes).toString('base64')}` : undefined,
  )
  const refused: Concern[] = [
    ...(words.refused === undefined ? [] : [{ kind: 'words-refused' as const, file: words.refused }]),
    ...(icon.refused === undefined ? [] : [{ kind: 'icon-refused' as const, file: icon.refused }]),
  ]
  return { display: defined({ words: words.value, icon: icon.value }), refused }
}

/** Reads one file of at most `limit` bytes. @throws {Error} for a damaged file: the whole bundle is refused then */
async function partOf<T>(
  archive: Archive,
  name: string | undefined,
  limit: number,
  read: (bytes: Uint8Array) => T | undefined,
): Promise<{ readonly value?: T; readonly refused?: string }> {
  if (name === undefined) return {}
  try {
    const bytes = await readEntryBytes(archive, name, limit)
    if (!bytes) return {}
    const value = read(bytes)
    return value === undefined ? { refused: name } : { value }
  } catch (error) {
    if (error instanceof HostError && error.code === 'bundle.too-large') return { refused: name }
    throw error
  }
}

/** Undefined: the texts of the manifest stand. */
const readWords = (bytes: Uint8Array): BundleLocale | undefined =>
  bundleLocale.safeParse(parseJson(new TextDecoder().decode(bytes).replace(/^\uFEFF/, ''))).data

export interface OpenedBundle {
  readonly id: string
  readonly name: string
  readonly bytes: number
  readonly archive: Archive
  readonly manifest: BundleManifest
  readonly signature: SignatureSummary
  readonly display: BundleDisplay
  readonly refused: readonly Concern[]
  readonly download: BundleDownload | undefined
}

export type Incoming = ReturnType<typeof createIncoming>

const mostAtOnce = 4

interface IncomingOptions {
  readonly folder: string
  readonly now: () => number
  readonly limits?: BundleLimits
  readonly roots?: VerifyOptions['roots']
  readonly locale: () => string
}

export function createIncoming({ folder, now, limits = bundleLimits, roots, locale }: IncomingOptions) {
  const opened = new Map<string, OpenedBundle>()
  const pathOf = (id: string): string => join(folder, `${id}.mcpb`)

  let cleared: Promise<unknown> | undefined
  /** Removes what an earlier run left behind, once; nothing comes in before that is done. */
  const clear = (): Promise<unknown> =>
    (cleared ??= rm(folder, { recursive: true, force: true }).then(() => mkdir(folder, { recursive: true, mode: 0o700 })))
  const uploads = createUploads({ pathOf, ready: clear, limit: limits.archive })

  async function close(id: string): Promise<void> {
    const known = opened.get(id)
    opened.delete(id)
    await known?.archive.file.close()
    await rm(pathOf(id), { force: true })
  }

  async function read(id: string, name: string, download?: BundleDownload): Promise<OpenedBundle> {
    for (const oldest of [...opened.keys()].slice(0, Math.max(0, opened.size + 1 - mostAtOnce))) await close(oldest)
    const file = await open(pathOf(id), 'r')
    try {
      const { size } = await file.stat()
      if (size > limits.archive) throw bundleTooLarge(limits.archive)
      const block = await findSignature(file)
      const archive = await readArchive(file, block.end, limits)
      const manifest = await manifestOf(archive)
      const signature = await verifySignature(file, block, { now: now(), roots })
      const bundle: OpenedBundle = {
        id,
        name: basename(name.replaceAll('\\', '/')).slice(0, 200),
        bytes: size,
        archive,
        manifest,
        signature,
        ...(await readDisplay(archive, manifest, locale())),
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
    part: uploads.part,
    /** Opens a file all parts of which are there. @throws {HostError} `bundle.*`; the file is removed then */
    open: async (upload: string, name: string, download?: BundleDownload) => read(await uploads.finish(upload), name, download),
    async openPath(path: string) {
      const found = await stat(path).catch(() => undefined)
      if (!found?.isFile()) throw unreadableArchive(t`there is no such file`)
      if (found.size > limits.archive) throw bundleTooLarge(limits.archive)
      await clear()
      const id = newId()
      await copyFile(path, pathOf(id))
      return read(id, path)
    },
    drop: uploads.drop,
    /** @throws {HostError} `bundle.gone` */
    find(id: string) {
      const known = opened.get(id)
      if (!known) throw gone()
      return known
    },
    close,
    clear,
    async dispose() {
      await uploads.dispose()
      for (const id of [...opened.keys()]) await close(id)
    },
  }
}

/** Receives files in parts. `limit`: bytes of one file. */
function createUploads(options: {
  readonly pathOf: (id: string) => string
  readonly ready: () => Promise<unknown>
  readonly limit: number
}) {
  const { pathOf, limit } = options
  const uploads = new Map<string, { readonly id: string; readonly file: FileHandle; bytes: number }>()

  async function drop(upload: string): Promise<void> {
    const known = uploads.get(upload)
    uploads.delete(upload)
    if (!known) return
    await known.file.close()
    await rm(pathOf(known.id), { force: true })
  }

  async function begin(upload: string) {
    for (const oldest of [...uploads.keys()].slice(0, Math.max(0, uploads.size + 1 - mostAtOnce))) await drop(oldest)
    await options.ready()
    const id = newId()
    const begun = { id, file: await open(pathOf(id), 'wx', 0o600), bytes: 0 }
    uploads.set(upload, begun)
    return begun
  }

  return {
    /** Takes the bytes from offset `at`; they come in order. */
    async part(upload: string, at: number, bytes: Uint8Array): Promise<void> {
      const known = uploads.get(upload) ?? (at === 0 ? await begin(upload) : undefined)
      if (!known || at !== known.bytes) throw gone()
      if (at + bytes.byteLength > limit) {
        await drop(upload)
        throw bundleTooLarge(limit)
      }
      known.bytes += bytes.byteLength
      for (let put = 0; put < bytes.byteLength; ) put += (await known.file.write(bytes, put, bytes.byteLength - put, at + put)).bytesWritten
    },
    /** Returns the id that the file is named by. @throws {HostError} `bundle.gone` */
    async finish(upload: string) {
      const known = uploads.get(upload)
      if (!known) throw gone()
      uploads.delete(upload)
      await known.file.close()
      return known.id
    },
    drop,
    async dispose() {
      for (const upload of [...uploads.keys()]) await drop(upload)
    },
  }
}

const gone = (): HostError => new HostError('bundle.gone', t`This bundle is closed. Open its file again.`)
async function manifestOf(archive: Archive): Promise<BundleManifest> {
  const bytes = await readEntryBytes(archive, 'manifest.json', largestManifest)
  if (!bytes) throw new HostError('bundle.manifest', t`This is not a bundle: manifest.json is missing.`, { data: { field: '' } })
  const read = readManifest(new TextDecoder().decode(bytes))
  if (read.kind === 'read') return read.manifest
  const lines = read.problems.map(({ field, message }) => `${field === '' ? 'manifest.json' : `“${field}”`}: ${message}`)
  throw new HostError('bundle.manifest', t`manifest.json cannot be used: ${lines.slice(0, 3).join('. ')}.`, {
    data: { field: read.problems[0]?.field ?? '', problems: lines },
  })
}
