import type { UsedPrompt } from '#app/chat/attachments/attachment.ts'
import { t } from '#app/i18n/translate.ts'
import { Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { AttachmentList } from './attachment-chip.tsx'
import type { Preview } from './use-prompt-preview.ts'

/** Shows the messages of a prompt: those that count as the person's, and answers that the server wrote. */
export function PromptMessages({ prompt: { messages } }: { readonly prompt: UsedPrompt }) {
  return (
    <div className="sec">
      <span className="label">{t`What goes into the chat`}</span>
      {messages.map(({ role, text, attachments = [] }, index) => (
        <div key={String(index)} className="prompt-message">
          <span className="help">{role === 'user' ? t`As your words` : t`As an answer, written by the server`}</span>
          {text !== '' && (
            <p className="said-text">
              <VisibleText text={text} />
            </p>
          )}
          <AttachmentList attachments={attachments} />
        </div>
      ))}
    </div>
  )
}

interface PromptPreviewViewProps {
  readonly server: string
  readonly preview: Preview
  readonly onRetry: () => void
}

export function PromptPreviewView({ server, preview, onRetry }: PromptPreviewViewProps) {
  switch (preview.kind) {
    case 'none':
      return null
    case 'loading':
      return (
        <p className="row help" role="status">
          <Spinner /> {tx`Asking ${<ServerName name={server} />}`}
        </p>
      )
    case 'failed':
      return <ErrorNotice error={preview.error} onRetry={onRetry} />
    case 'shown':
      return <PromptMessages prompt={preview.prompt} />
  }
}
