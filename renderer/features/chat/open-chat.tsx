// The page of an open chat: transcript, composer with the dock of what waits, and the chat's menu.

import { useEffect, useRef, useState } from 'react'
import type { Conversation } from '#app/chat/conversation.ts'
import { toMarkdown } from '#app/chat/to-markdown.ts'
import { t } from '#app/i18n/translate.ts'
import { ReviewSheet } from '#renderer/features/consent/consent-card.tsx'
import { ChatDock } from '#renderer/features/consent/dock/dock.tsx'
import { useReview } from '#renderer/features/consent/request/use-review.ts'
import { hrefOf } from '#renderer/router.ts'
import { useActions, useModels, useStores, useTranscript, useWaiting } from '#renderer/stores/store-hooks.tsx'
import { IconButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Count, Icon } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { listen } from '#renderer/ui/lib/listen.ts'
import { Menu, MenuItem, MenuSeparator } from '#renderer/ui/menu.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { ArtifactPane, useOpenArtifact } from './artifacts/artifact-pane.tsx'
import { Composer, useSend } from './composer/composer.tsx'
import { ContextMeter } from './context/context-meter.tsx'
import { messageActions, useReadTranscript } from './messages/message-menus.tsx'
import { useExport } from './organize/export-chats.tsx'
import { MoveDialog } from './organize/move-dialog.tsx'
import { useChatChanges } from './organize/use-chat-changes.ts'
import { RenameField } from './rename-field.tsx'
import { ChatSettings } from './settings/chat-settings.tsx'
import { ServerPick } from './settings/server-picker.tsx'
import { TranscriptView } from './transcript-view.tsx'

function ChatItems({ conversationId, title }: { readonly conversationId: string; readonly title: string }) {
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
      {deleted.length > 0 && <MenuItem onSelect={() => act.restore([...deleted])}>{t`Restore the last deleted`}</MenuItem>}
    </>
  )
}

function ArchivedBar({ conversation: { id, archivedAt } }: { readonly conversation: Conversation }) {
  const changes = useChatChanges()
  if (archivedAt === undefined) return null
  return (
    <p className="waitbar plain">
      <Icon name="folder" small /> {t`This chat is archived.`}
      <span className="grow" />
      <SmallGhostButton onClick={() => void changes.change([id], { kind: 'unarchive' })}>{t`Unarchive`}</SmallGhostButton>
    </p>
  )
}

function ChatActions({ conversation }: { readonly conversation: Conversation }) {
  const { id, model, pinned, archivedAt, folderId } = conversation
  const changes = useChatChanges()
  const exportChats = useExport()
  const actions = useActions()
  const { view } = useStores()
  // Opened once the menu has given the focus back.
  const find = (): void => void setTimeout(() => view.setState({ find: { conversationId: id } }), 50)
  const [renaming, setRenaming] = useState(false)
  const [settings, setSettings] = useState(false)
  const [moving, setMoving] = useState(false)
  const canTitle = useModels((state) => state.models.some((one) => one.ai && one.id === model))
  const waiting = useWaiting()
  if (renaming) return <RenameField conversation={conversation} onDone={() => setRenaming(false)} />
  return (
    <>
      <ContextMeter conversation={conversation} />
      {waiting > 0 && (
        <a className="pick narrow-only" href={hrefOf({ page: 'requests' })} title={t`Requests`}>
          <Icon name="inbox" small />
          <Count value={waiting} label={t`waiting`} />
        </a>
      )}
      <ServerPick wide />
      {settings && <ChatSettings conversationId={id} model={model} onClose={() => setSettings(false)} />}
      {moving && (
        <MoveDialog
          from={folderId}
          onMove={(to) => void changes.change([id], { kind: 'move', folderId: to })}
          onClose={() => setMoving(false)}
        />
      )}
      <Menu align="end" trigger={<IconButton label={t`More about this chat`} icon="more" />}>
        <MenuItem onSelect={find}>{t`Find in this chat`}</MenuItem>
        <MenuItem onSelect={() => setRenaming(true)}>{t`Rename`}</MenuItem>
        {canTitle && <MenuItem onSelect={() => actions.go('conversation.titleAgain', { id })}>{t`Regenerate title`}</MenuItem>}
        <MenuItem onSelect={() => void changes.change([id], { kind: pinned ? 'unpin' : 'pin' })}>{pinned ? t`Unpin` : t`Pin`}</MenuItem>
        <MenuItem onSelect={() => setMoving(true)}>{t`Move to folder …`}</MenuItem>
        <MenuItem onSelect={() => void changes.change([id], { kind: archivedAt === undefined ? 'archive' : 'unarchive' })}>
          {archivedAt === undefined ? t`Archive` : t`Unarchive`}
        </MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => void exportChats('markdown', [id])}>{t`Export as Markdown`}</MenuItem>
        <MenuItem onSelect={() => void exportChats('json', [id])}>{t`Export as JSON`}</MenuItem>
        <ChatItems conversationId={id} title={conversation.title} />
        <MenuItem onSelect={() => setSettings(true)}>{t`Settings of this chat`}</MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={() => void changes.change([id], { kind: 'delete' })}>{t`Delete`}</MenuItem>
      </Menu>
    </>
  )
}

export function OpenChat({ conversation }: { readonly conversation: Conversation }) {
  const { id, activity, model } = conversation
  const { transcripts } = useStores()
  useEffect(() => transcripts.open(id), [transcripts, id])
  useEndAnnounced(activity)
  useEndAnnounced(conversation.beside?.activity ?? idle)
  useChatSeen(conversation)
  const send = useSend(id, activity)
  const review = useReview(id)
  const opened = useOpenArtifact(id)
  // A request comes first.
  const artifact = review ? undefined : opened
  return (
    <Page title={conversation.title} actions={<ChatActions conversation={conversation} />} onBack={review?.close ?? artifact?.close}>
      <div className={cx('split', review || artifact ? 'even' : 'one')}>
        <div className="chatpane">
          <TranscriptView conversation={conversation} />
          <ArchivedBar conversation={conversation} />
          <Composer
            conversationId={id}
            activity={activity}
            model={model}
            send={send}
            placeholder={t`Write a message`}
            dock={<ChatDock conversationId={id} activity={activity} reviewing={review !== undefined} />}
          />
        </div>
        {review && <ReviewSheet key={review.request.id} review={review} />}
        {artifact && <ArtifactPane conversationId={id} place={artifact.place} onClose={artifact.close} />}
      </div>
    </Page>
  )
}

/** Marks a chat as seen while the page is. */
export function useChatSeen({ id, unread }: Conversation): void {
  const { go } = useActions()
  useEffect(() => {
    if (!unread) return
    const see = (): void => {
      if (document.visibilityState === 'visible') go('conversation.seen', { id })
    }
    see()
    return listen(document, { visibilitychange: see })
  }, [id, unread, go])
}

const idle = { kind: 'idle' } as const

/** Announces the end of an answer; its streaming text is no live region. */
export function useEndAnnounced(activity: Conversation['activity']): void {
  const { announce } = useActions()
  const before = useRef(activity.kind)
  useEffect(() => {
    if (before.current === 'working' && activity.kind === 'idle') announce(t`Answer ready`)
    before.current = activity.kind
  }, [activity.kind, announce])
}
