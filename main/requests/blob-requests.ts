import { writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { largestAttachment } from '#app/chat/attachments/attachment.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { ownMember } from '#app/json.ts'
import { sniffMime } from '#app/sniff-mime.ts'
import { keepAttachment } from '#main/chat/attachments/store-attachment.ts'
import type { HandlersOf, HostContext } from './request-handlers.ts'

// Uploads from a page, in parts that fit into a frame of the host connection. One that is never finished makes room for later ones.

const MOST_WAITING = 2 * largestAttachment

export function createUploads() {
  const waiting = new Map<string, { readonly parts: Uint8Array[]; bytes: number }>()

  function makeRoom(bytes: number): void {
    let total = bytes
    for (const { bytes: held } of waiting.values()) total += held
    for (const [oldest, { bytes: held }] of waiting) {
      if (total <= MOST_WAITING) return
      waiting.delete(oldest)
      total -= held
    }
  }

  return {
    /** Adds bytes in their order. `at`: their offset in the file. @throws {HostError} `attachment.unknown` or `attachment.too-large` */
    part(upload: string, at: number, bytes: Uint8Array): void {
      const known = waiting.get(upload) ?? { parts: [], bytes: 0 }
      if (at !== known.bytes) throw unknown()
      if (at + bytes.byteLength > largestAttachment) {
        waiting.delete(upload)
        throw new HostError('attachment.too-large', t`This file is too large to be attached.`, { data: { limit: largestAttachment } })
      }
      makeRoom(bytes.byteLength)
      if (at > 0 && !waiting.has(upload)) throw unknown()
      known.parts.push(bytes)
      known.bytes += bytes.byteLength
      waiting.set(upload, known)
    },
    /** Returns the whole file and forgets it. @throws {HostError} `attachment.unknown` */
    take(upload: string): Uint8Array {
      const known = waiting.get(upload)
      if (!known) throw unknown()
      waiting.delete(upload)
      return Buffer.concat(known.parts)
    },
  }
}

const unknown = (): HostError => new HostError('attachment.unknown', t`The upload is not complete.`)

export function attachmentHandlers({ store, chat }: HostContext): HandlersOf<'attachment'> {
  const uploads = createUploads()
  return {
    'attachment.part': ({ upload, at, data }) => uploads.part(upload, at, Buffer.from(data, 'base64')),
    'attachment.add': ({ upload, name, changed }) => ({
      attachment: keepAttachment({ bytes: uploads.take(upload), name, changed }, store.orphanBlobs),
    }),
    'attachment.scaled': ({ sha256, upload }) => chat.scaledImage(sha256, upload === undefined ? undefined : uploads.take(upload)),
  }
}

export const blobHandlers = (context: HostContext): HandlersOf<'blob'> => ({
  'blob.save': async ({ sha256, name }) => ({ path: await saveBlob(context, sha256, name) }),
  async 'blob.saveText'({ name, text, base64 }) {
    const bytes = base64 && Buffer.from(text, 'base64')
    return { path: await saveIntoFolder(context, bytes ? fileNameOf(name, sniffMime(bytes)) : textFileName(name), bytes ?? text) }
  },
})

const endings: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'audio/wav': '.wav',
  'audio/ogg': '.ogg',
  'audio/flac': '.flac',
  'audio/mpeg': '.mp3',
  'audio/mp4': '.m4a',
  'application/pdf': '.pdf',
  'text/plain': '.txt',
}

/** Endings that a text file keeps: no system runs such a file. */
const textEndings = /\.(csv|tsv|md|jsonl?|ya?ml|toml|ini|xml|log|tex|diff|patch)$/i

/** Returns a plain file name made of the server's name, with the ending of the MIME type, so that it never looks like a program. */
export function fileNameOf(name: string, mimeType: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const plain = last
    .replace(/[^\p{L}\p{N} ._-]/gu, '')
    .replace(/^[ .]+|[ .]+$/g, '')
    .slice(0, 80)
  const known = ownMember(endings, mimeType)
  if (known === undefined) return `${plain || 'file'}.bin`
  if (mimeType === 'text/plain' && textEndings.test(extname(plain))) return plain
  const bare = extname(plain) === '' ? plain : plain.slice(0, -extname(plain).length)
  return `${bare || 'file'}${known}`
}

/** Endings of texts of an answer: of sources, and of documents that a browser or an editor opens. */
const answerEndings = /\.(html|svg|mmd|c|cpp|cs|css|go|h|hpp|java|js|json|jsx|kt|lua|php|py|r|rb|rs|scss|sql|swift|ts|tsx|txt|vue|yml)$/i

/** Returns a plain file name for a text of an answer, whose ending no system runs at a click. */
function textFileName(name: string): string {
  const plain = fileNameOf(name, 'text/plain')
  const ending = extname(name).toLowerCase()
  return answerEndings.test(ending) ? `${plain.slice(0, -extname(plain).length)}${ending}` : plain
}

/** Writes a blob into a folder that the person chooses. Returns its path; null when they chose no folder. */
async function saveBlob(context: HostContext, sha256: string, name: string): Promise<string | null> {
  const blob = context.store.blobs.get(sha256) ?? context.viewedContents.get(sha256)
  if (!blob) throw new HostError('blob.unknown', t`The file was deleted.`)
  return saveIntoFolder(context, fileNameOf(name, blob.mimeType), blob.bytes)
}

/** Writes over no file. */
async function saveIntoFolder({ platform }: HostContext, file: string, content: string | Uint8Array): Promise<string | null> {
  const folder = await platform.chooseFolder(t`Save as a file`)
  if (folder === null) return null
  const ending = extname(file)
  for (let count = 1; ; count++) {
    const path = join(folder, count === 1 ? file : `${file.slice(0, -ending.length)} ${count}${ending}`)
    try {
      await writeFile(path, content, { flag: 'wx', mode: 0o600 })
      return path
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (code === 'EEXIST' && count < 100) continue
      throw new HostError(code === 'ENOSPC' ? 'disk.full' : 'folder.not-found', t`${path} could not be written.`, {
        data: { path },
        cause,
      })
    }
  }
}
