// Attachments and prompt of a draft, with warnings of what the chosen model does not take.
import { useState } from 'react'
import type { UsedPrompt } from '#app/chat/attachments/attachment.ts'
import { t } from '#app/i18n/translate.ts'
import { focusComposer } from '#renderer/navigation/focus.ts'
import { useDraftExtras, useModels, useStores } from '#renderer/stores/store-hooks.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Icon, Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { AttachmentChip, Chip, modelWarnings, Thumb } from './attachment-chip.tsx'
import { PromptMessages } from './prompt-messages.tsx'
import type { Attaching } from './use-attaching.ts'

function PromptChip({ prompt, onRemove }: { readonly prompt: UsedPrompt; readonly onRemove: () => void }) {
  const [open, setOpen] = useState(false)
  const { name, title, server } = prompt
  const thumb = (
    <Thumb>
      <Icon name="text" />
    </Thumb>
  )
  const remove = { label: t`Remove the prompt ${name}`, title: t`Remove`, onRemove }
  const note = tx`Prompt of ${<ServerName name={server} />}`
  return (
    <Chip thumb={thumb} name={`/${name}`} note={note} onOpen={() => setOpen(true)} remove={remove}>
      {open && (
        <Dialog open onClose={() => setOpen(false)} width={720} title={<VisibleText text={title ?? name} />}>
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
        {prompt && (
          <PromptChip
            prompt={prompt}
            onRemove={removing(() => draftExtras.change(draftId, (extras) => ({ attachments: extras.attachments })))}
          />
        )}
        {attachments.map((attachment) => (
          <AttachmentChip key={attachment.id} attachment={attachment} onRemove={removing(() => attaching.remove(attachment.id))} />
        ))}
        {attaching.pending.map(({ id, name, cancel }) => (
          <Chip
            key={id}
            thumb={<Thumb>{<Spinner label={t`Reading`} />}</Thumb>}
            name={name}
            note={t`Reading`}
            remove={{ label: t`Don’t attach ${name}`, title: t`Cancel`, onRemove: cancel }}
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
