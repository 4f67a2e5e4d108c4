// What the menu of a chat has on its messages.
import { toMarkdown } from '#app/chat/to-markdown.ts'
import { t } from '#app/words/translate.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { MenuItem } from '#renderer/ui/menu.tsx'
import { messageActions } from './message-actions.ts'
import { useReadTranscript, useTranscript } from './use-transcript.ts'

export function ChatItems({ conversationId, title }: { readonly conversationId: string; readonly title: string }) {
  const act = messageActions(useStores(), conversationId)
  const read = useReadTranscript(conversationId)
  const deleted = useTranscript(conversationId, (transcript) => transcript.deleted) ?? []
  const copy = (): void => {
    const transcript = read()
    if (!transcript) return
    const messages = transcript.ids.flatMap((id) => transcript.messages[id] ?? [])
    void act.copy(toMarkdown({ title, messages }, { calls: true }))
  }
  return (
    <>
      <MenuItem onSelect={copy}>{t`Copy as Markdown`}</MenuItem>
      {deleted.length > 0 && <MenuItem onSelect={() => act.restore([...deleted])}>{t`Bring back what was deleted last`}</MenuItem>}
    </>
  )
}
