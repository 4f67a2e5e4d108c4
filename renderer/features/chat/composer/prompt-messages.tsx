import type { UsedPrompt } from '#app/chat/prompt.ts'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { AttachmentChip } from '../attachments/attachment-chip.tsx'

/** All of it as data: what goes as the person's words, and what the server wrote as answers. */
export function PromptMessages({ prompt: { messages } }: { readonly prompt: UsedPrompt }) {
  return (
    <div className="sec">
      <span className="label">What goes into the chat</span>
      {messages.map(({ role, text, attachments = [] }, index) => (
        <div key={String(index)} className="prompt-message">
          <span className="help">{role === 'user' ? 'As your words' : 'As an answer, written by the server'}</span>
          {text !== '' && (
            <p className="said-text">
              <Revealed text={text} />
            </p>
          )}
          {attachments.length > 0 && (
            <ul className="attachments" aria-label="Attachments">
              {attachments.map((attachment) => (
                <AttachmentChip key={attachment.id} attachment={attachment} />
              ))}
            </ul>
          )}
        </div>
      ))}
    </div>
  )
}
