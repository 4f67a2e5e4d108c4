import { useState } from 'react'
import type { UsedPrompt } from '#app/chat/prompt.ts'
import { t } from '#app/words/translate.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { PromptMessages } from './prompt-messages.tsx'

/** A prompt that goes with the message. */
export function PromptChip({ prompt, onRemove }: { readonly prompt: UsedPrompt; readonly onRemove: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <li className="attachment">
      <button type="button" className="attachment-look" onClick={() => setOpen(true)}>
        <span className="attachment-thumb">
          <Icon name="text" />
        </span>
        <span className="attachment-words">
          <span className="attachment-name">
            <Revealed text={`/${prompt.name}`} />
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
        <Dialog open onClose={() => setOpen(false)} width={720} title={<Revealed text={prompt.title ?? prompt.name} />}>
          <PromptMessages prompt={prompt} />
        </Dialog>
      )}
    </li>
  )
}
