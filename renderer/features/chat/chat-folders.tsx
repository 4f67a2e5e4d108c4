// The folders of one chat: servers are told of them in its course, in place of all others.
import { t } from '#app/words/translate.ts'
import { FolderList } from '#renderer/features/folders/folder-list.tsx'
import { useFolders } from '#renderer/features/folders/use-folders.ts'
import { useConversations } from '#renderer/stores/react.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'

const title = t`Folders of this chat`

export function ChatFolders({ conversationId, onClose }: { readonly conversationId: string; readonly onClose: () => void }) {
  const roots = useConversations((state) => state.list.find(({ id }) => id === conversationId)?.roots)
  const folders = useFolders({ kind: 'conversation', id: conversationId }, roots)
  return (
    <Dialog open onClose={onClose} title={title}>
      <p className="lede">
        {t`A server that asks in the course of this chat is told of these once you agree, and of no others. They count from the next tool call on.`}
      </p>
      <FolderList folders={folders} title={title} none={t`None of its own: those of the server, or in Settings, count.`} />
    </Dialog>
  )
}
