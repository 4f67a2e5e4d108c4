import type { Conversation } from '#app/chat/conversation.ts'
import { t } from '#app/words/translate.ts'
import { useChatChanges } from '#renderer/features/history/use-chat-changes.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'

/** Above the composer of a chat that the sidebar does not list. */
export function ArchivedBar({ conversation: { id, archivedAt } }: { readonly conversation: Conversation }) {
  const changes = useChatChanges()
  if (archivedAt === undefined) return null
  return (
    <p className="waitbar plain">
      <Icon name="folder" small /> {t`This chat is archived: the sidebar does not list it.`}
      <span className="grow" />
      <Button size="sm" variant="ghost" onClick={() => void changes.change([id], { kind: 'unarchive' })}>
        {t`Bring it back`}
      </Button>
    </p>
  )
}
