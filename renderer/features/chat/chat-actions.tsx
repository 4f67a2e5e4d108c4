// What stands at the right of an open chat's bar: what fills its context, its servers, and its menu.
import { useState } from 'react'
import type { Conversation } from '#app/chat/conversation.ts'
import { t } from '#app/words/translate.ts'
import { MoveDialog } from '#renderer/features/history/move-dialog.tsx'
import { useChatChanges } from '#renderer/features/history/use-chat-changes.ts'
import { useExport } from '#renderer/features/settings/transfer/export-chats.tsx'
import { hrefOf } from '#renderer/router.ts'
import { useActions, useModels, useWaiting } from '#renderer/stores/react.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Count } from '#renderer/ui/marks.tsx'
import { Menu, MenuItem, MenuSeparator } from '#renderer/ui/menu.tsx'
import { ChatSettings } from './chat-settings.tsx'
import { ContextMeter } from './context-meter.tsx'
import { ChatItems } from './messages/chat-items.tsx'
import { RenameField } from './rename-field.tsx'
import { ServerPick } from './server-pick.tsx'

export function ChatActions({ conversation }: { readonly conversation: Conversation }) {
  const { id, model, pinned, archivedAt, folderId } = conversation
  const changes = useChatChanges()
  const exportChats = useExport()
  const actions = useActions()
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
      <ServerPick />
      {settings && <ChatSettings conversationId={id} model={model} onClose={() => setSettings(false)} />}
      {moving && (
        <MoveDialog
          count={1}
          from={folderId}
          onMove={(to) => void changes.change([id], { kind: 'move', folderId: to })}
          onClose={() => setMoving(false)}
        />
      )}
      <Menu align="end" trigger={<IconButton label={t`More about this chat`} icon="more" />}>
        <MenuItem onSelect={() => setRenaming(true)}>{t`Rename`}</MenuItem>
        {canTitle && <MenuItem onSelect={() => actions.go('conversation.titleAgain', { id })}>{t`Title again`}</MenuItem>}
        <MenuItem onSelect={() => void changes.change([id], { kind: pinned ? 'unpin' : 'pin' })}>{pinned ? t`Unpin` : t`Pin`}</MenuItem>
        <MenuItem onSelect={() => setMoving(true)}>{t`Move to folder …`}</MenuItem>
        <MenuItem onSelect={() => void changes.change([id], { kind: archivedAt === undefined ? 'archive' : 'unarchive' })}>
          {archivedAt === undefined ? t`Archive` : t`Bring back from the archive`}
        </MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => void exportChats('markdown', [id])}>{t`Export as Markdown`}</MenuItem>
        <MenuItem onSelect={() => void exportChats('json', [id])}>{t`Export as JSON`}</MenuItem>
        <ChatItems conversationId={id} title={conversation.title} />
        <MenuItem onSelect={() => setSettings(true)}>{t`Settings of this chat`}</MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={() => void changes.change([id], { kind: 'delete' })}>
          {t`Delete`}
        </MenuItem>
      </Menu>
    </>
  )
}
