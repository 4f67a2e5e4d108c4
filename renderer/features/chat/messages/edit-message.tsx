// A message of the person, put in other words in its place. What is typed is kept as a draft of that message, so that a
// reload loses nothing. Enter sends, Shift+Enter breaks the line, Escape lets it be.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { editKey } from '#app/chat/drafts.ts'
import type { UserMessage } from '#app/chat/message.ts'
import { t } from '#app/words/translate.ts'
import { useDraft, useStores } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { TextBox } from '#renderer/ui/text-box.tsx'
import { isTyping } from '#renderer/ui/typing.ts'
import { messageActions } from './message-actions.ts'
import { isSendKey } from './send-key.ts'
import { useBusy } from './use-busy.ts'

export function EditMessage({
  message,
  onClose,
}: {
  readonly message: UserMessage
  readonly onClose: (how: 'sent' | 'cancelled') => void
}) {
  const stores = useStores()
  const { drafts } = stores
  const key = editKey(message.id)
  const text = useDraft(key)
  const busy = useBusy(message.conversationId)
  const [sending, setSending] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (drafts.read(key) === '') drafts.set(key, message.text)
    const element = box.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [drafts, key, message.text])

  const canSend = text.trim() !== '' && !sending
  const send = async (): Promise<void> => {
    if (!canSend) return
    setSending(true)
    const sent = await messageActions(stores, message.conversationId).edit(message.id, text)
    if (sent) onClose('sent')
    else setSending(false)
  }
  const cancel = (): void => {
    drafts.set(key, '')
    onClose('cancelled')
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isTyping(event)) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      cancel()
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      if (isSendKey(event)) void send()
    }
  }
  return (
    <div className="edit-message">
      <TextBox
        field={box}
        aria-label={t`Your message, in other words`}
        rows={1}
        value={text}
        onChange={(event) => drafts.set(key, event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="row">
        <p className="help grow">
          {busy ? t`Sending it stops the answer that is being written.` : t`The message as it was stays, with its answer.`}
        </p>
        <Button size="sm" variant="ghost" onClick={cancel}>
          {t`Cancel`}
        </Button>
        <Button size="sm" variant="primary" aria-disabled={!canSend} onClick={() => void send()}>
          {t`Send`}
        </Button>
      </div>
    </div>
  )
}
