// The conversations by day: open, rename in place, delete with undo.
import { useMemo, useState } from 'react'
import type { Activity, Conversation } from '#app/chat/conversation.ts'
import { RenameField } from '#renderer/features/chat/rename-field.tsx'
import { hrefOf, navigate } from '#renderer/router.ts'
import { useActions, useConsent, useConversations } from '#renderer/stores/react.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { Dot, Spinner } from '#renderer/ui/marks.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { useNow } from '#renderer/ui/use-now.ts'
import { groupChats } from './chat-groups.ts'

function ActivityMark({ activity }: { readonly activity: Activity }) {
  switch (activity.kind) {
    case 'working':
      return <Spinner label="running" />
    case 'waiting':
      return <Dot tone="you" label="waits for you" />
    case 'failed':
      return <Dot tone="bad" label="failed" />
    case 'paused':
    case 'interrupted':
      return <Dot tone="off" label={activity.kind} />
    case 'idle':
      return null
  }
}

function ChatEntry({ conversation, current }: { readonly conversation: Conversation; readonly current: boolean }) {
  const actions = useActions()
  const [renaming, setRenaming] = useState(false)
  // Also for what it caused before any call of it ran: the start of a server, say.
  const waits = useConsent((state) => state.requests.some((request) => request.conversationId === conversation.id))
  if (renaming) {
    return (
      <div className="entry">
        <RenameField conversation={conversation} onDone={() => setRenaming(false)} />
      </div>
    )
  }
  const remove = (): void => {
    actions.deleteConversation(conversation.id)
    if (current) navigate({ page: 'chat' })
  }
  return (
    <div className="entry">
      <a href={hrefOf({ page: 'chat', id: conversation.id })} aria-current={current ? 'page' : undefined} title={conversation.title}>
        <span className="t">{conversation.title}</span>
        {waits ? <Dot tone="you" label="waits for you" /> : <ActivityMark activity={conversation.activity} />}
      </a>
      <Menu align="end" trigger={<IconButton label={`More about ${conversation.title}`} icon="more" small />}>
        <MenuItem onSelect={() => setRenaming(true)}>Rename</MenuItem>
        <MenuItem danger onSelect={remove}>
          Delete
        </MenuItem>
      </Menu>
    </div>
  )
}

export function ChatList({ currentId }: { readonly currentId: string | undefined }) {
  const list = useConversations((state) => state.list)
  const now = useNow(60_000)
  const groups = useMemo(() => groupChats(list, now), [list, now])
  return (
    <div className="list">
      {groups.length === 0 && (
        <>
          <h2>Chats</h2>
          <p className="none">Your chats will be listed here.</p>
        </>
      )}
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h2>{group.title}</h2>
          {group.conversations.map((conversation) => (
            <ChatEntry key={conversation.id} conversation={conversation} current={conversation.id === currentId} />
          ))}
        </section>
      ))}
    </div>
  )
}
