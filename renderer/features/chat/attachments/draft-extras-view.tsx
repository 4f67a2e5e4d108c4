// What is in the composer beside its text, and what the chosen model will make of it.
import { t } from '#app/words/translate.ts'
import { composerId } from '#renderer/shell/focus.ts'
import { useDraftExtras, useModels, useStores } from '#renderer/stores/react.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { PromptChip } from '../composer/prompt-chip.tsx'
import { AttachmentChip, PendingChip } from './attachment-chip.tsx'
import { modelWarnings } from './attachment-words.ts'
import type { Attaching } from './use-attaching.ts'

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
