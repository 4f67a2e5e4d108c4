// The sidebar's chats. What can be done to them stands in one menu for all rows.
import { useMemo, useState } from 'react'
import { t } from '#app/words/translate.ts'
import { MoveDialog } from '#renderer/features/history/move-dialog.tsx'
import { useChatChanges } from '#renderer/features/history/use-chat-changes.ts'
import { useConversations, useShallow } from '#renderer/stores/react.tsx'
import { useNow } from '#renderer/ui/use-now.ts'
import './chat-list.css'
import { ChatGrid } from './chat-grid.tsx'
import { chatRows } from './chat-rows.ts'

export function ChatList({ currentId }: { readonly currentId: string | undefined }) {
  const known = useConversations(useShallow(({ list, shelves, folders }) => ({ list, shelves, folders })))
  const now = useNow(60_000)
  const rows = useMemo(() => chatRows(known, now), [known, now])
  const changes = useChatChanges()
  const [moving, setMoving] = useState<readonly string[] | undefined>(undefined)
  const folders = new Set(moving?.map((id) => known.list.find((one) => one.id === id)?.folderId))
  const [from] = folders
  if (rows.length === 0) {
    return (
      <div className="list">
        <h2>{t`Chats`}</h2>
        <p className="none">{t`Your chats will be listed here.`}</p>
      </div>
    )
  }
  return (
    <>
      <ChatGrid rows={rows} currentId={currentId} changes={changes} onMove={setMoving} />
      {moving && (
        <MoveDialog
          count={moving.length}
          from={folders.size === 1 ? from : undefined}
          onMove={(folderId) => void changes.change(moving, { kind: 'move', folderId })}
          onClose={() => setMoving(undefined)}
        />
      )}
    </>
  )
}
