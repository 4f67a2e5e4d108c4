import { useState } from 'react'
import { editKey } from '#app/chat/drafts.ts'
import type { UserMessage } from '#app/chat/message.ts'
import { t } from '#app/words/translate.ts'
import { focusSoon } from '#renderer/shell/focus.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { LongRevealed } from '#renderer/ui/long-text.tsx'
import { SentExtras } from '../attachments/sent-extras.tsx'
import { SteeredLine } from '../steered-line.tsx'
import { EditMessage } from './edit-message.tsx'
import { QuestionFoot } from './message-foot.tsx'

interface QuestionProps {
  readonly message: UserMessage
  readonly last: boolean
}

const focusEdit = (id: string): boolean => {
  const button = document.querySelector<HTMLElement>(`[data-edit="${CSS.escape(id)}"]`)
  button?.focus({ preventScroll: true })
  return button !== null && document.activeElement === button
}

export function Question({ message, last }: QuestionProps) {
  const { id, conversationId } = message
  const { drafts } = useStores()
  // Words that were begun before a reload are gone on with.
  const [editing, setEditing] = useState(() => drafts.read(editKey(id)) !== '')
  if (editing) {
    return (
      <EditMessage
        message={message}
        onClose={(how) => {
          setEditing(false)
          if (how === 'cancelled') focusSoon(() => focusEdit(id))
        }}
      />
    )
  }
  return (
    <div className="asked">
      <SentExtras message={message} />
      {message.text !== '' && (
        <p className="said">
          <span className="sr">{t`You:`} </span>
          <LongRevealed text={message.text} copyTakesAll />
        </p>
      )}
      {message.steered === 'waiting' ? (
        <SteeredLine message={message} />
      ) : (
        <QuestionFoot conversationId={conversationId} messageId={id} last={last} text={message.text} onEdit={() => setEditing(true)} />
      )}
    </div>
  )
}
