// Attachments and prompts in the composer and on sent messages, with warnings of what the chosen model does not take. Names come from the
// person or a server, so hidden characters in them are shown. Nothing in an attachment is followed or run.

import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { BlobRef } from '#app/blob.ts'
import type { Argument, Attachment, ImageChange, UsedPrompt } from '#app/chat/attachments/attachment.ts'
import type { ErrorValue } from '#app/errors.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { ownMember } from '#app/json.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { focusComposer } from '#renderer/navigation/focus.ts'
import { useActions, useDraftExtras, useModels, useStores } from '#renderer/stores/store-hooks.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Icon, Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { modelImageLabel, SaveBlob, useBytes } from '../results/blob-view.tsx'
import type { Attaching } from './use-attaching.ts'

const changeLabels: Readonly<Record<ImageChange, string>> = {
  scaled: t`made smaller for the model`,
  'metadata-removed': t`location and camera data removed`,
  'first-frame': t`first frame only`,
}

function attachmentFacts({ blob, pages, changed = [], from, forModel, leftOut }: Attachment): string {
  const count = pages === undefined ? [] : [t`${pages} {page|pages}`]
  const facts = [from?.server, ...count, formatBytes(blob.bytes), ...changed.map((one) => changeLabels[one]), modelImageLabel(forModel)]
  return [...facts, leftOut && t`left out`].filter(Boolean).join(' · ')
}

function modelWarnings(attachments: readonly Attachment[], model: ModelInfo | undefined): string[] {
  if (!model) return []
  const has = (kind: Attachment['kind']): boolean => attachments.some((one) => one.kind === kind)
  const tokens = attachments.reduce((sum, { length = 0 }) => sum + Math.ceil(length / 4), 0)
  const { name, contextTokens } = model
  return [
    ...(has('image') && (model.images === false || !model.ai) ? [t`${name} does not see images.`] : []),
    ...(has('pdf') && (model.documents === false || !model.ai) ? [t`${name} does not read PDFs.`] : []),
    ...(contextTokens !== undefined && tokens > contextTokens
      ? [t`The texts have about ${formatNumber(tokens)} tokens; ${name} reads ${formatNumber(contextTokens)}.`]
      : []),
  ]
}

/** Limit of drawn characters; more would block the page. */
const mostDrawn = 200_000

function BlobText({ blob }: { readonly blob: BlobRef }) {
  const read = useBytes(blob)
  if (read.kind === 'loading') return <Spinner label={t`Loading…`} />
  if (read.kind === 'gone') return <p className="help">{t`No longer kept. Read it again.`}</p>
  const text = new TextDecoder().decode(read.bytes)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be in reach of the keyboard */}
      <section className="attachment-text" tabIndex={0} aria-label={t`Text`}>
        <VisibleText text={text.slice(0, mostDrawn)} />
      </section>
      {text.length > mostDrawn && <p className="help">{t`The beginning.`}</p>}
    </>
  )
}

interface ChipProps {
  /** Address of the picture; absent: `icon` stands for it. */
  readonly image?: string | undefined
  readonly icon: ReactNode
  readonly name: string
  readonly note: ReactNode
  readonly onOpen?: () => void
  readonly remove?: { readonly label: string; readonly title: string; readonly onRemove: () => void } | undefined
  readonly children?: ReactNode
}

/** Chip of an attachment, of one that is being read, or of a prompt. */
function Chip({ image, icon, name, note, onOpen, remove, children }: ChipProps) {
  const content = (
    <>
      {image ? <img className="attachment-thumb" src={image} alt="" /> : <span className="attachment-thumb">{icon}</span>}
      <span className="attachment-words">
        <VisibleText className="attachment-name" text={name} />
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

function AttachmentChip({ attachment, onRemove }: { readonly attachment: Attachment; readonly onRemove?: () => void }) {
  const [open, setOpen] = useState(false)
  const { name, kind, blob } = attachment
  return (
    <Chip
      image={kind === 'image' ? `/blob/${blob.sha256}` : undefined}
      icon={<Icon name={kind === 'pdf' ? 'file' : 'text'} />}
      name={name}
      note={<VisibleText text={attachmentFacts(attachment)} />}
      onOpen={() => setOpen(true)}
      remove={onRemove && { label: t`Remove ${name}`, title: t`Remove`, onRemove }}
    >
      {open && (
        <Dialog
          onClose={() => setOpen(false)}
          width={attachment.kind === 'image' ? 1000 : 760}
          title={<VisibleText text={attachment.name} />}
        >
          <VisibleText
            as="p"
            className="help"
            text={[attachmentFacts(attachment), ...(attachment.from?.uri ? [attachment.from.uri] : [])].join(' · ')}
          />
          {attachment.kind === 'image' && (
            <img className="attachment-large" src={`/blob/${attachment.blob.sha256}`} alt={attachment.name} />
          )}
          {attachment.kind === 'text' && <BlobText blob={attachment.blob} />}
          <SaveBlob blob={attachment.blob} name={attachment.name} what={t`A copy`} />
        </Dialog>
      )}
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

/** Shows the messages of a prompt: those that count as the person's, and answers that the server wrote. */
function PromptMessages({ prompt: { messages } }: { readonly prompt: UsedPrompt }) {
  return (
    <div className="sec">
      <span className="label">{t`Preview`}</span>
      {messages.map(({ role, text, attachments = [] }, index) => (
        <div key={String(index)} className="prompt-message">
          <span className="help">{role === 'user' ? t`Your message` : t`Answer written by the server`}</span>
          {text !== '' && <VisibleText as="p" className="said-text" text={text} />}
          <AttachmentList attachments={attachments} />
        </div>
      ))}
    </div>
  )
}

interface PromptPreviewViewProps {
  readonly preview: Preview
  readonly onRetry: () => void
}

export function PromptPreviewView({ preview, onRetry }: PromptPreviewViewProps) {
  switch (preview.kind) {
    case 'none':
      return null
    case 'loading':
      return (
        <p className="row help" role="status">
          <Spinner /> {t`Loading…`}
        </p>
      )
    case 'failed':
      return <ErrorNotice error={preview.error} onRetry={onRetry} />
    case 'shown':
      return <PromptMessages prompt={preview.prompt} />
  }
}

function PromptChip({ prompt, onRemove }: { readonly prompt: UsedPrompt; readonly onRemove: () => void }) {
  const [open, setOpen] = useState(false)
  const { name, title, server } = prompt
  const remove = { label: t`Remove ${name}`, title: t`Remove`, onRemove }
  const note = tx`Prompt of ${<ServerName name={server} />}`
  return (
    <Chip icon={<Icon name="text" />} name={`/${name}`} note={note} onOpen={() => setOpen(true)} remove={remove}>
      {open && (
        <Dialog onClose={() => setOpen(false)} width={720} title={<VisibleText text={title ?? name} />}>
          <PromptMessages prompt={prompt} />
        </Dialog>
      )}
    </Chip>
  )
}

interface DraftExtrasViewProps {
  readonly draftId: string
  readonly model: string
  readonly attaching: Attaching
}

export function DraftExtrasView({ draftId, model, attaching }: DraftExtrasViewProps) {
  const { attachments, prompt } = useDraftExtras(draftId)
  const { draftExtras } = useStores()
  const info = useModels((state) => state.models.find((one) => one.id === model))
  /** Removes something; the button that had the focus goes with it. */
  const removing = (remove: () => void) => (): void => {
    remove()
    focusComposer()
  }
  if (!prompt && attachments.length === 0 && attaching.pending.length === 0) return null
  return (
    <>
      <ul className="attachments" aria-label={t`Attachments`}>
        {prompt && <PromptChip prompt={prompt} onRemove={removing(() => draftExtras.change(draftId, ({ prompt: _, ...rest }) => rest))} />}
        {attachments.map((attachment) => (
          <AttachmentChip key={attachment.id} attachment={attachment} onRemove={removing(() => attaching.remove(attachment.id))} />
        ))}
        {attaching.pending.map(({ id, name, cancel }) => (
          <Chip
            key={id}
            icon={<Spinner label={t`Loading…`} />}
            name={name}
            note={t`Loading…`}
            remove={{ label: t`Cancel ${name}`, title: t`Cancel`, onRemove: cancel }}
          />
        ))}
      </ul>
      {modelWarnings(attachments, info).map((warning) => (
        <p key={warning} className="row help warntext">
          <Icon name="warning" small />
          {warning}
        </p>
      ))}
    </>
  )
}

export type Preview =
  | { readonly kind: 'none' | 'loading' }
  | { readonly kind: 'shown'; readonly prompt: UsedPrompt }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

/** `byItself`: a prompt without arguments is shown at once. `ready`: all required arguments have values. */
export function usePromptPreview(server: string, name: string, fields: readonly Argument[], byItself = true) {
  const { attempt, go } = useActions()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [preview, setPreview] = useState<Preview>({ kind: 'none' })
  const latest = useRef<string | undefined>(undefined)
  const ready = fields.every((field) => !field.required || (ownMember(values, field.name) ?? '') !== '')

  const stop = (): void => {
    if (latest.current !== undefined) go('mention.cancel', { fetch: latest.current })
    latest.current = undefined
  }
  const show = async (): Promise<void> => {
    stop()
    const fetch = crypto.randomUUID()
    latest.current = fetch
    setPreview({ kind: 'loading' })
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
    const outcome = await attempt('mention.prompt', { fetch, server, name, arguments: given })
    if (latest.current !== fetch) return
    latest.current = undefined
    setPreview(outcome.ok ? { kind: 'shown', prompt: outcome.value.prompt } : { kind: 'failed', error: outcome.error })
  }
  const atOnce = byItself && fields.length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when there are no arguments; a pending request ends with the view
  useEffect(() => {
    if (atOnce) void show()
    return stop
  }, [atOnce])

  return {
    values,
    fill(next: Readonly<Record<string, string>>): void {
      stop()
      setValues(next)
      setPreview({ kind: 'none' })
    },
    ready,
    preview,
    show: () => void show(),
  }
}
