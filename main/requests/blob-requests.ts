import { writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { keepAttachment } from '#main/chat/attachments/store-attachment.ts'
import { createUploads } from '#main/chat/attachments/uploads.ts'
import type { HandlersOf, HostContext } from './request-handlers.ts'

export function attachmentHandlers({ store, chat }: HostContext): HandlersOf<'attachment'> {
  const uploads = createUploads()
  return {
    'attachment.part'({ upload, at, data }) {
      uploads.part(upload, at, Buffer.from(data, 'base64'))
      return {}
    },
    'attachment.add'({ upload, name, changed }) {
      return { attachment: keepAttachment({ bytes: uploads.take(upload), name, changed }, store.orphanBlobs) }
    },
    'attachment.scaled'({ sha256, upload }) {
      chat.scaledImage(sha256, upload === undefined ? undefined : uploads.take(upload))
      return {}
    },
  }
}

export const blobHandlers = (context: HostContext): HandlersOf<'blob'> => ({
  'blob.save': async ({ sha256, name }) => ({ path: await saveBlob(context, sha256, name) }),
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

/** Of texts, these endings stay: no system runs such a file. */
const textEndings = new Set([
  '.csv',
  '.tsv',
  '.md',
  '.json',
  '.jsonl',
  '.yaml',
  '.yml',
  '.toml',
  '.ini',
  '.xml',
  '.log',
  '.tex',
  '.diff',
  '.patch',
])

/** A server's name for it as one plain file name, with the ending of what its bytes are: never a program by its looks. */
export function fileNameOf(name: string, mimeType: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const plain = last
    .replace(/[^\p{L}\p{N} ._-]/gu, '')
    .replace(/^[ .]+|[ .]+$/g, '')
    .slice(0, 80)
  const known = endings[mimeType]
  if (known === undefined) return `${plain || 'file'}.bin`
  if (mimeType === 'text/plain' && textEndings.has(extname(plain).toLowerCase())) return plain
  const bare = extname(plain) === '' ? plain : plain.slice(0, -extname(plain).length)
  return `${bare || 'file'}${known}`
}

/** Where it was written, in a folder that the person chose; null: they chose none. A file that is there stays as it is. */
async function saveBlob(
  { platform, store, viewedContents }: Pick<HostContext, 'platform' | 'store' | 'viewedContents'>,
  sha256: string,
  name: string,
): Promise<string | null> {
  const blob = store.blobs.get(sha256) ?? viewedContents.get(sha256)
  if (!blob) throw new HostError('blob.unknown', t`These bytes are no longer kept.`)
  const folder = await platform.chooseFolder(t`Where to save the file`)
  if (folder === null) return null
  const file = fileNameOf(name, blob.mimeType)
  const ending = extname(file)
  for (let count = 1; ; count++) {
    const path = join(folder, count === 1 ? file : `${file.slice(0, -ending.length)} ${count}${ending}`)
    try {
      await writeFile(path, blob.bytes, { flag: 'wx', mode: 0o600 })
      return path
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (code === 'EEXIST' && count < 100) continue
      throw new HostError(code === 'ENOSPC' ? 'disk.full' : 'folder.not-found', t`The file could not be written to ${path}.`, {
        data: { path },
        cause,
      })
    }
  }
}
