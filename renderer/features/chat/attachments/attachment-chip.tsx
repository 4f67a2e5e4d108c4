// An attachment, in the composer or on a sent message: what it is, and a way to look at it. Its name is the person's or a
// server's, so hidden characters in it show. An attachment looked at: an image large, a text as text, of a PDF what is known of
// it. Nothing in it is followed or run.

import { useEffect, useState } from 'react'
import type { Attachment, ImageChange } from '#app/chat/attachments/attachment.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { Spinner } from '#renderer/ui/badges.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { modelImageLabel, SaveBlob } from '../results/blob-view.tsx'

const changeWords: Readonly<Record<ImageChange, string>> = {
  scaled: t`made smaller for the model`,
  'metadata-removed': t`place and camera data removed`,
  'first-frame': t`first frame only`,
}

/** Size, and what else there is to know, on one line. */
function attachmentFacts({ blob, pages, changed = [], from, forModel, leftOut }: Attachment): string {
  const count = pages === undefined ? [] : [pages === 1 ? t`1 page` : t`${pages} pages`]
  const facts = [from?.server, ...count, formatBytes(blob.bytes), ...changed.map((one) => changeWords[one]), modelImageLabel(forModel)]
  return [...facts, leftOut && t`left out of the context`].filter(Boolean).join(' · ')
}

/** What the person should know before they send it to that model. */
export function modelWarnings(attachments: readonly Attachment[], model: ModelInfo | undefined): string[] {
  if (!model) return []
  const has = (kind: Attachment['kind']): boolean => attachments.some((one) => one.kind === kind)
  const tokens = attachments.reduce((sum, { length = 0 }) => sum + Math.ceil(length / 4), 0)
  const { name, contextTokens } = model
  return [
    ...(has('image') && (model.images === false || !model.ai) ? [t`${name} takes no images: it is only told that they are there.`] : []),
    ...(has('pdf') && (model.documents === false || !model.ai) ? [t`${name} takes no PDFs: it is only told that they are there.`] : []),
    ...(contextTokens !== undefined && tokens > contextTokens
      ? [t`The texts have about ${formatNumber(tokens)} tokens; ${name} reads ${formatNumber(contextTokens)}.`]
      : []),
  ]
}

/** Characters that are drawn; more would hold the page up. */
const shown = 200_000

function AttachmentDialog({ attachment, onClose }: { readonly attachment: Attachment; readonly onClose: () => void }) {
  const { name, kind, blob, from } = attachment
  return (
    <Dialog open onClose={onClose} width={kind === 'image' ? 1000 : 760} title={<VisibleText text={name} />}>
      <p className="help">
        <VisibleText text={[attachmentFacts(attachment), ...(from?.uri ? [from.uri] : [])].join(' · ')} />
      </p>
      {kind === 'image' && <img className="attachment-large" src={`/blob/${blob.sha256}`} alt={name} />}
      {kind === 'text' && <TextOf sha256={blob.sha256} />}
      {kind === 'pdf' && <p>{t`The model reads its text and its pages. It is not drawn here.`}</p>}
      <SaveBlob blob={blob} name={name} what={t`A copy`} />
    </Dialog>
  )
}

function TextOf({ sha256 }: { readonly sha256: string }) {
  const [text, setText] = useState<string | null>()
  useEffect(() => {
    const control = new AbortController()
    fetch(`/blob/${sha256}`, { signal: control.signal })
      .then((answer) => (answer.ok ? answer.text() : null))
      .then(setText, () => setText(null))
    return () => control.abort()
  }, [sha256])
  if (text === undefined) return <Spinner label={t`Reading`} />
  if (text === null) return <p className="help">{t`Its text cannot be read now.`}</p>
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be in reach of the keyboard */}
      <section className="attachment-text" tabIndex={0} aria-label={t`Text`}>
        <VisibleText text={text.slice(0, shown)} />
      </section>
      {text.length > shown && <p className="help">{t`This is the beginning. The model reads all of it.`}</p>}
    </>
  )
}

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
            <VisibleText text={name} />
          </span>
          <span className="help">
            <VisibleText text={attachmentFacts(attachment)} />
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
            <VisibleText text={name} />
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
