// A prompt before it is used: what it wants to know, then all that the server makes of it, to be read before any of it is sent.

import { type FormEvent, useId, useRef } from 'react'
import type { UsedPrompt } from '#app/chat/prompt.ts'
import { t } from '#app/words/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ServerMark } from '#renderer/ui/marks.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { type Argument, ArgumentFields } from './argument-fields.tsx'
import { PromptPreviewView } from './prompt-messages.tsx'
import { usePromptPreview } from './use-prompt-preview.ts'

export interface ChosenPrompt {
  readonly server: string
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly arguments?: readonly Argument[] | undefined
}

interface PromptDialogProps {
  readonly prompt: ChosenPrompt
  readonly onClose: () => void
  readonly onUse: (prompt: UsedPrompt) => void
}

export function PromptDialog({ prompt, onClose, onUse }: PromptDialogProps) {
  const { server, name, title, description, arguments: fields = [] } = prompt
  const first = useRef<HTMLInputElement>(null)
  const formId = useId()
  const { values, fill, ready, preview, show } = usePromptPreview(server, name, fields)
  const canShow = ready && preview.kind !== 'loading'
  // Enter in a field goes on as the button does: first to what it says, then, of what was read, into the message.
  const goOn = (event: FormEvent): void => {
    event.preventDefault()
    if (preview.kind === 'shown') onUse(preview.prompt)
    else if (canShow) show()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      initialFocus={first}
      width={720}
      mark={<ServerMark name={server} />}
      title={<Revealed text={title ?? name} />}
      footer={
        <Button type="submit" form={formId} variant="primary" aria-disabled={preview.kind !== 'shown' && !canShow}>
          {preview.kind === 'shown' ? t`Put it into the message` : t`Show what it says`}
        </Button>
      }
    >
      <p className="help">{tx`${description && <Revealed text={description} />} From ${<ServerName name={server} />}.`}</p>
      <form id={formId} className="contents" onSubmit={goOn}>
        <ArgumentFields server={server} of={{ type: 'ref/prompt', name }} fields={fields} values={values} onChange={fill} first={first} />
      </form>
      <PromptPreviewView server={server} preview={preview} onRetry={show} />
    </Dialog>
  )
}
