// Attachments in the composer and on sent messages: a chip that opens a preview. Names come from the person or a server, so hidden
// characters in them are shown. Nothing in an attachment is followed or run.
import { type ReactNode, useState } from 'react'
import type { BlobRef } from '#app/blob.ts'
import type { Attachment, ImageChange } from '#app/chat/attachments/attachment.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Icon, Spinner } from '#renderer/ui/icon.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { modelImageLabel, SaveBlob, useBytes } from '../results/blob-view.tsx'

const changeLabels: Readonly<Record<ImageChange, string>> = {
  scaled: t`made smaller for the model`,
  'metadata-removed': t`place and camera data removed`,
  'first-frame': t`first frame only`,
}

function attachmentFacts({ blob, pages, changed = [], from, forModel, leftOut }: Attachment): string {
  const count = pages === undefined ? [] : [pages === 1 ? t`1 page` : t`${pages} pages`]
  const facts = [from?.server, ...count, formatBytes(blob.bytes), ...changed.map((one) => changeLabels[one]), modelImageLabel(forModel)]
  return [...facts, leftOut && t`left out of the context`].filter(Boolean).join(' · ')
}

/** Warnings about attachments that the model does not take. */
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

/** Limit of drawn characters; more would block the page. */
const mostDrawn = 200_000

function AttachmentDialog({ attachment, onClose }: { readonly attachment: Attachment; readonly onClose: () => void }) {
  const { name, kind, blob, from } = attachment
  return (
    <Dialog open onClose={onClose} width={kind === 'image' ? 1000 : 760} title={<VisibleText text={name} />}>
      <p className="help">
        <VisibleText text={[attachmentFacts(attachment), ...(from?.uri ? [from.uri] : [])].join(' · ')} />
      </p>
      {kind === 'image' && <img className="attachment-large" src={`/blob/${blob.sha256}`} alt={name} />}
      {kind === 'text' && <BlobText blob={blob} />}
      {kind === 'pdf' && <p>{t`The model reads its text and its pages. It is not drawn here.`}</p>}
      <SaveBlob blob={blob} name={name} what={t`A copy`} />
    </Dialog>
  )
}

function BlobText({ blob }: { readonly blob: BlobRef }) {
  const read = useBytes(blob)
  if (read.kind === 'loading') return <Spinner label={t`Reading`} />
  if (read.kind === 'gone') return <p className="help">{t`Its text cannot be read now.`}</p>
  const text = new TextDecoder().decode(read.bytes)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be in reach of the keyboard */}
      <section className="attachment-text" tabIndex={0} aria-label={t`Text`}>
        <VisibleText text={text.slice(0, mostDrawn)} />
      </section>
      {text.length > mostDrawn && <p className="help">{t`This is the beginning. The model reads all of it.`}</p>}
    </>
  )
}

interface ChipProps {
  readonly thumb: ReactNode
  readonly name: string
  readonly note: ReactNode
  /** Opens it; absent: nothing to open. */
  readonly onOpen?: () => void
  readonly remove?: { readonly label: string; readonly title: string; readonly onRemove: () => void } | undefined
  readonly children?: ReactNode
}

/** Chip of an attachment, of one that is being read, or of a prompt. */
export function Chip({ thumb, name, note, onOpen, remove, children }: ChipProps) {
  const content = (
    <>
      {thumb}
      <span className="attachment-words">
        <span className="attachment-name">
          <VisibleText text={name} />
        </span>
        <span className="help">{note}</span>
      </span>
    </>
  )
  return (
    <li className="attachment">
      {onOpen ? (
        <button type="button" className="attachment-look" onClick={onOpen}>
          {content}
        </button>
      ) : (
        <span className="attachment-look">{content}</span>
      )}
      {remove && (
        <button type="button" className="attachment-remove" aria-label={remove.label} title={remove.title} onClick={remove.onRemove}>
          <Icon name="close" small />
        </button>
      )}
      {children}
    </li>
  )
}

export const Thumb = ({ children }: { readonly children: ReactNode }) => <span className="attachment-thumb">{children}</span>

export function AttachmentChip({ attachment, onRemove }: { readonly attachment: Attachment; readonly onRemove?: () => void }) {
  const [open, setOpen] = useState(false)
  const { name, kind, blob } = attachment
  const thumb =
    kind === 'image' ? (
      <img className="attachment-thumb" src={`/blob/${blob.sha256}`} alt="" />
    ) : (
      <Thumb>
        <Icon name={kind === 'pdf' ? 'file' : 'text'} />
      </Thumb>
    )
  const remove = onRemove && { label: t`Remove ${name}`, title: t`Remove`, onRemove }
  return (
    <Chip thumb={thumb} name={name} note={<VisibleText text={attachmentFacts(attachment)} />} onOpen={() => setOpen(true)} remove={remove}>
      {open && <AttachmentDialog attachment={attachment} onClose={() => setOpen(false)} />}
    </Chip>
  )
}

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
