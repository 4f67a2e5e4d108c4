// What went with a message of the person's, above its words.
import type { UserMessage } from '#app/chat/message.ts'
import { t } from '#app/words/translate.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { AttachmentList } from './attachment-list.tsx'

export function SentExtras({ message: { attachments = [], prompt } }: { readonly message: UserMessage }) {
  if (attachments.length === 0 && !prompt) return null
  return (
    <div className="sent-extras">
      {prompt && (
        <p className="row help">
          <Icon name="text" small />
          <span>
            {tx`From the prompt ${<Revealed text={prompt.name} />} of ${<Revealed text={prompt.server} />}`}
            {prompt.turns && `, ${t`with answers that the server wrote`}`}
            {prompt.edited && `, ${t`in other words`}`}
          </span>
        </p>
      )}
      <AttachmentList attachments={attachments} />
    </div>
  )
}
