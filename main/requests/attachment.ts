import { keepAttachment } from '#main/chat/attachments/keep.ts'
import { createUploads } from '#main/chat/attachments/uploads.ts'
import type { HandlersOf, HostParts } from './handlers.ts'

export function attachmentRequests({ store, chat }: HostParts): HandlersOf<'attachment'> {
  const uploads = createUploads()
  return {
    'attachment.part'({ upload, at, data }) {
      uploads.part(upload, at, Buffer.from(data, 'base64'))
      return {}
    },
    'attachment.add'({ upload, name, changed }) {
      return { attachment: keepAttachment({ bytes: uploads.take(upload), name, changed }, store.looseBlobs) }
    },
    'attachment.scaled'({ sha256, upload }) {
      chat.scaledImage(sha256, upload === undefined ? undefined : uploads.take(upload))
      return {}
    },
  }
}
