// Under a message that was sent while the model was at work and that it has not read yet: when it will, and the way back.
import type { UserMessage } from '#app/chat/message.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useConversations, useStores } from '#renderer/stores/react.tsx'
import { announce, showToast } from '#renderer/stores/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'

export function SteeredLine({ message }: { readonly message: UserMessage }) {
  const { id, conversationId, attachments = [] } = message
  const actions = useActions()
  const { drafts, draftExtras, view } = useStores()
  const kind = useConversations((state) => state.list.find((one) => one.id === conversationId)?.activity.kind)
  const takeBack = async (): Promise<void> => {
    const done = await actions.ask('chat.withdraw', { conversationId, messageId: id })
    if (!done) return
    if (done.text === null) return showToast(view, t`The model has read it already.`)
    const begun = drafts.read(conversationId)
    drafts.set(conversationId, begun === '' ? done.text : `${done.text}\n${begun}`)
    if (attachments.length > 0)
      draftExtras.change(conversationId, (extras) => ({ ...extras, attachments: [...attachments, ...extras.attachments] }))
    announce(view, t`Taken back. It is in the composer.`)
  }
  return (
    <p className="row help steered">
      <Icon name="clock" small />
      {kind === 'working' || kind === 'waiting' ? t`Given at the next step.` : t`Not given yet.`}
      <Button size="sm" variant="ghost" onClick={() => void takeBack()}>
        {t`Take back`}
      </Button>
    </p>
  )
}
