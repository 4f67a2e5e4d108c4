import type { Attachment } from '#app/chat/attachment.ts'
import { t } from '#app/words/translate.ts'
import { AttachmentChip } from './attachment-chip.tsx'

/** What goes, or went, with a message. */
export function AttachmentList({ attachments }: { readonly attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return null
  return (
    <ul className="attachments" aria-label={t`Attachments`}>
      {attachments.map((attachment) => (
        <AttachmentChip key={attachment.id} attachment={attachment} />
      ))}
    </ul>
  )
}
