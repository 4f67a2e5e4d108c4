import { useState } from 'react'
import type { SummaryMessage } from '#app/chat/message.ts'
import { t } from '#app/words/translate.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { TextArea } from '#renderer/ui/field.tsx'

export function SummaryEdit({ message, onDone }: { readonly message: SummaryMessage; readonly onDone: () => void }) {
  const actions = useActions()
  const [text, setText] = useState(message.text)
  const save = async (): Promise<void> => {
    const { conversationId: id, id: messageId } = message
    if (await actions.ask('conversation.changeSummary', { id, messageId, text })) onDone()
  }
  return (
    <>
      <TextArea
        aria-label={t`Text of the summary`}
        rows={Math.min(20, Math.max(6, text.split('\n').length + 1))}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="row">
        <Button size="sm" variant="primary" disabled={text.trim() === ''} onClick={() => void save()}>
          {t`Save`}
        </Button>
        <Button size="sm" onClick={onDone}>
          {t`Cancel`}
        </Button>
      </p>
    </>
  )
}
