// An attachment, in the composer or on a sent message: what it is, and a way to look at it. Its name is the person's or a
// server's, so hidden characters in it show.
import { useState } from 'react'
import type { Attachment } from '#app/chat/attachment.ts'
import { t } from '#app/words/translate.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { AttachmentDialog } from './attachment-dialog.tsx'
import { attachmentFacts } from './attachment-words.ts'

export function AttachmentChip({ attachment, onRemove }: { readonly attachment: Attachment; readonly onRemove?: () => void }) {
  const [open, setOpen] = useState(false)
  const { name, kind, blob } = attachment
  return (
    <li className="attachment">
      <button type="button" className="attachment-look" onClick={() => setOpen(true)}>
        {kind === 'image' ? (
          <img className="attachment-thumb" src={`/blob/${blob.sha256}`} alt="" />
        ) : (
          <span className="attachment-thumb">
            <Icon name={kind === 'pdf' ? 'file' : 'text'} />
          </span>
        )}
        <span className="attachment-words">
          <span className="attachment-name">
            <Revealed text={name} />
          </span>
          <span className="help">
            <Revealed text={attachmentFacts(attachment)} />
          </span>
        </span>
      </button>
      {onRemove && (
        <button type="button" className="attachment-remove" aria-label={t`Remove ${name}`} title={t`Remove`} onClick={onRemove}>
          <Icon name="close" small />
        </button>
      )}
      {open && <AttachmentDialog attachment={attachment} onClose={() => setOpen(false)} />}
    </li>
  )
}

export function PendingChip({ name, onCancel }: { readonly name: string; readonly onCancel: () => void }) {
  return (
    <li className="attachment">
      <span className="attachment-look">
        <span className="attachment-thumb">
          <Spinner label={t`Reading`} />
        </span>
        <span className="attachment-words">
          <span className="attachment-name">
            <Revealed text={name} />
          </span>
          <span className="help">{t`Reading`}</span>
        </span>
      </span>
      <button type="button" className="attachment-remove" aria-label={t`Don’t attach ${name}`} title={t`Cancel`} onClick={onCancel}>
        <Icon name="close" small />
      </button>
    </li>
  )
}
