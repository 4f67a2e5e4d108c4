import { useEffect, useRef, useState } from 'react'
import type { Conversation } from '#app/chat/conversation.ts'
import { ReviewSheet } from '#renderer/features/consent/review-sheet.tsx'
import { useReview } from '#renderer/features/consent/use-review.ts'
import { useExport } from '#renderer/features/settings/transfer/export-chats.tsx'
import { hrefOf, navigate } from '#renderer/router.ts'
import { useActions, useConversations, useStores, useWaiting } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import { Count } from '#renderer/ui/marks.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { ChatSettings } from './chat-settings.tsx'
import { Composer } from './composer.tsx'
import { ContextMeter } from './context-meter.tsx'
import { ChatItems } from './messages/chat-items.tsx'
import { MissingChat } from './missing-chat.tsx'
import { NewChat } from './new-chat.tsx'
import { RenameField } from './rename-field.tsx'
import { ServerPick } from './server-pick.tsx'
import { TranscriptView } from './transcript-view.tsx'
import { useSend } from './use-send.ts'
import { WaitingTogether } from './waiting-together.tsx'

export function ChatPage({ id }: { readonly id: string | undefined }) {
  const conversation = useConversations((state) => state.list.find((one) => one.id === id))
  if (id === undefined) return <NewChat />
  return conversation ? <OpenChat conversation={conversation} /> : <MissingChat id={id} />
}

function OpenChat({ conversation }: { readonly conversation: Conversation }) {
  const { id, activity, model } = conversation
  const { transcripts } = useStores()
  useEffect(() => transcripts.open(id), [transcripts, id])
  useEndAnnounced(conversation)
  useSeen(conversation)
  const send = useSend(id, activity, model)
  const review = useReview(id)
  const busy = activity.kind === 'working' || activity.kind === 'waiting'
  return (
    <Page title={conversation.title} actions={<ChatActions conversation={conversation} />} onBack={review?.close}>
      <div className={cx('split', review ? 'even' : 'one')}>
        <div className="chatpane">
          <TranscriptView conversation={conversation} />
          <WaitingTogether conversationId={id} />
          <Composer
            conversationId={id}
            activity={activity}
            model={model}
            send={send}
            placeholder={busy ? 'Add something while it works' : 'Write a message'}
          />
        </div>
        {review && <ReviewSheet key={review.request.id} review={review} />}
      </div>
    </Page>
  )
}

/** An answer that stands on a page which the person looks at has been seen. */
function useSeen({ id, unread }: Conversation): void {
  const { go } = useActions()
  useEffect(() => {
    if (!unread) return
    const see = (): void => {
      if (document.visibilityState === 'visible') go('conversation.seen', { id })
    }
    see()
    document.addEventListener('visibilitychange', see)
    return () => document.removeEventListener('visibilitychange', see)
  }, [id, unread, go])
}

/** Streaming text is no live region; that it ended is said once. */
function useEndAnnounced({ activity }: Conversation): void {
  const { view } = useStores()
  const before = useRef(activity.kind)
  useEffect(() => {
    if (before.current === 'working' && activity.kind === 'idle') announce(view, 'The answer is done.')
    before.current = activity.kind
  }, [activity.kind, view])
}

function ChatActions({ conversation }: { readonly conversation: Conversation }) {
  const { id, model } = conversation
  const exportChats = useExport()
  const actions = useActions()
  const [renaming, setRenaming] = useState(false)
  const [settings, setSettings] = useState(false)
  const waiting = useWaiting()
  const remove = (): void => {
    actions.deleteConversation(id)
    navigate({ page: 'chat' })
  }
  if (renaming) return <RenameField conversation={conversation} onDone={() => setRenaming(false)} />
  return (
    <>
      <ContextMeter conversation={conversation} />
      {waiting > 0 && (
        <a className="pick narrow-only" href={hrefOf({ page: 'requests' })} title="Requests">
          <Icon name="inbox" small />
          <Count value={waiting} label="waiting" />
        </a>
      )}
      <ServerPick />
      {settings && <ChatSettings conversationId={id} model={model} onClose={() => setSettings(false)} />}
      <Menu align="end" trigger={<IconButton label="More about this chat" icon="more" />}>
        <MenuItem onSelect={() => setRenaming(true)}>Rename</MenuItem>
        <MenuItem onSelect={() => void exportChats('markdown', [id])}>Export as Markdown</MenuItem>
        <MenuItem onSelect={() => void exportChats('json', [id])}>Export as JSON</MenuItem>
        <MenuItem onSelect={() => setSettings(true)}>Settings of this chat</MenuItem>
        <ChatItems conversationId={id} title={conversation.title} />
        <MenuItem danger onSelect={remove}>
          Delete
        </MenuItem>
      </Menu>
    </>
  )
}
