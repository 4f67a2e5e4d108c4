// What is in the composer beside its text, and what the chosen model will make of it.
import { useState } from 'react'
import type { UsedPrompt } from '#app/chat/attachments/attachment.ts'
import { t } from '#app/i18n/translate.ts'
import { composerId } from '#renderer/navigation/focus.ts'
import { useDraftExtras, useModels, useStores } from '#renderer/stores/store-hooks.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName } from '#renderer/ui/named-text.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { AttachmentChip, modelWarnings, PendingChip } from './attachment-chip.tsx'
import { PromptMessages } from './prompt-messages.tsx'
import type { Attaching } from './use-attaching.ts'

/** A prompt that goes with the message. */
function PromptChip({ prompt, onRemove }: { readonly prompt: UsedPrompt; readonly onRemove: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <li className="attachment">
      <button type="button" className="attachment-look" onClick={() => setOpen(true)}>
        <span className="attachment-thumb">
          <Icon name="text" />
        </span>
        <span className="attachment-words">
          <span className="attachment-name">
            <VisibleText text={`/${prompt.name}`} />
          </span>
          <span className="help">{tx`Prompt of ${<ServerName name={prompt.server} />}`}</span>
        </span>
      </button>
      <button
        type="button"
        className="attachment-remove"
        aria-label={t`Remove the prompt ${prompt.name}`}
        title={t`Remove`}
        onClick={onRemove}
      >
        <Icon name="close" small />
      </button>
      {open && (
        <Dialog open onClose={() => setOpen(false)} width={720} title={<VisibleText text={prompt.title ?? prompt.name} />}>
          <PromptMessages prompt={prompt} />
        </Dialog>
      )}
    </li>
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
  const remove = (id: string): void => {
    attaching.remove(id)
    // The button that had focus is gone.
    document.getElementById(composerId)?.focus()
  }
  if (!prompt && attachments.length === 0 && attaching.pending.length === 0) return null
  return (
    <>
      <ul className="attachments" aria-label={t`Attachments`}>
        {prompt && (
          <PromptChip
            prompt={prompt}
            onRemove={() => {
              draftExtras.change(draftId, ({ attachments }) => ({ attachments }))
              document.getElementById(composerId)?.focus()
            }}
          />
        )}
        {attachments.map((attachment) => (
          <AttachmentChip key={attachment.id} attachment={attachment} onRemove={() => remove(attachment.id)} />
        ))}
        {attaching.pending.map(({ id, name, cancel }) => (
          <PendingChip key={id} name={name} onCancel={cancel} />
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
