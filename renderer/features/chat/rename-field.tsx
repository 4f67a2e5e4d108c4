// Edits the title of a chat in place. Enter and blur keep the text, Escape does not.
import type { Conversation } from '#app/chat/conversation.ts'
import { t } from '#app/i18n/translate.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'

export function RenameField({ conversation, onDone }: { readonly conversation: Conversation; readonly onDone: () => void }) {
  const actions = useActions()
  const save = (title: string): void => {
    const trimmed = title.trim().slice(0, 200)
    if (trimmed && trimmed !== conversation.title) actions.renameConversation(conversation.id, trimmed)
    onDone()
  }
  return (
    <TextInput
      aria-label={t`Title`}
      className="rename"
      defaultValue={conversation.title}
      maxLength={200}
      autoFocus
      onFocus={(event) => event.target.select()}
      onBlur={(event) => save(event.target.value)}
      onKeyDown={(event) => {
        if (isTyping(event)) return
        if (event.key === 'Enter') save(event.currentTarget.value)
        if (event.key === 'Escape') {
          event.stopPropagation()
          onDone()
        }
      }}
    />
  )
}
